#include "engine/workload/chosen_fields.hpp"

#include <algorithm>
#include <vector>

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

void choose_fields(Workload& workload, const ChosenFields& chosen, Budget& budget) {
  std::size_t i = 0;
  for (auto& job : workload.jobs) {
    budget.charge();
    const auto* recorded = workload.recorded.empty() ? nullptr : &workload.recorded[i];
    ++i;
    if (chosen.size == SizeField::kAllocated && recorded != nullptr &&
        recorded->allocated > 0) {
      job.size = recorded->allocated;
    }
    choose_memory(job, recorded, chosen);
  }
}

void leave_out(Workload& workload, const ChosenFields& chosen, Budget& budget) {
  const auto& wanted = chosen.partitions;
  const bool wants_memory = chosen.missing_memory == MissingMemory::kLeaveOut &&
                            chosen.memory != MemoryField::kNone;
  if (wanted.empty() && !wants_memory) return;
  std::vector<std::uint32_t> kept;
  std::uint32_t i = 0;
  for (const auto& job : workload.jobs) {
    budget.charge_each(1 + wanted.size());
    const bool is_elsewhere =
        !wanted.empty() &&
        std::find(wanted.begin(), wanted.end(), job.partition) == wanted.end();
    const bool is_left_out = wants_memory && job.memory_kib <= 0;
    if (!is_elsewhere && !is_left_out) kept.push_back(i);
    ++i;
  }
  if (kept.size() < workload.jobs.size()) select_jobs(workload, kept, budget);
}

}  // namespace berth
