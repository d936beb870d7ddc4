#include "engine/workload/chosen_fields.hpp"

#include <algorithm>

namespace berth {

namespace {

void choose_memory(Job& job, const Recorded* recorded, const ChosenFields& chosen) {
  if (chosen.memory == MemoryField::kNone) {
    job.set_memory(kUnknown);
    return;
  }
  const std::int64_t requested = job.memory_kib;
  const auto used = recorded == nullptr ? kUnknown : recorded->used_memory_kib;
  const bool takes_used = chosen.memory == MemoryField::kUsed;
  std::int64_t memory = takes_used ? used : requested;
  if (memory <= 0 && chosen.missing_memory == MissingMemory::kOther) {
    memory = takes_used ? requested : used;
  }
  job.set_memory(memory);
}

}  // namespace

void choose_fields(Workload& workload, const ChosenFields& chosen) {
  SpillingArray<std::uint32_t> kept;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    auto& job = workload.jobs[i];
    const auto* recorded = workload.recorded.empty() ? nullptr : &workload.recorded[i];
    if (chosen.size == SizeField::kAllocated && recorded != nullptr &&
        recorded->allocated > 0) {
      job.size = recorded->allocated;
    }
    choose_memory(job, recorded, chosen);
    const auto& wanted = chosen.partitions;
    const bool is_elsewhere =
        !wanted.empty() &&
        std::find(wanted.begin(), wanted.end(), job.partition) == wanted.end();
    const bool is_left_out = chosen.missing_memory == MissingMemory::kLeaveOut &&
                             chosen.memory != MemoryField::kNone && job.memory_kib <= 0;
    if (!is_elsewhere && !is_left_out) kept.push_back(static_cast<std::uint32_t>(i));
  }
  if (kept.size() < workload.jobs.size()) select_jobs(workload, kept);
}

}  // namespace berth
