#include "engine/sim/job_needs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/amount.hpp"

namespace berth {

namespace {

using Column = JobAttributes::Column;

class NeedsReader {
 public:
  NeedsReader(const sim::Machine& machine, const JobAttributes* attributes)
      : attributes_(attributes),
        kinds_(kinds_of(machine.processors, machine.resources)),
        chunks_(column(kChunksColumn)),
        amounts_(kinds_.size()) {
    for (const auto& kind : kinds_) {
      columns_.push_back(column(kKindColumns + kind.name));
    }
  }

  std::shared_ptr<Needs> read(std::span<const Job> jobs) {
    auto needs = std::make_shared<Needs>(kinds_.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      add(*needs, jobs[i], JobId{static_cast<std::uint32_t>(i)});
    }
    return needs;
  }

 private:
  [[nodiscard]] const Column* column(const std::string& name) const {
    return attributes_ == nullptr ? nullptr : attributes_->column(name);
  }
  static std::optional<std::int64_t> value(const Column* column, JobId job) {
    if (column == nullptr || column->of(job).empty()) return std::nullopt;
    return std::llround(column->of(job).front());
  }

  // What is more than any machine has is as good as the most that can be multiplied.
  static std::int64_t in_all(std::int64_t amount, std::int64_t times) {
    return std::min(amount, 2 * kMostAmount / times) * times;
  }

  void add(Needs& needs, const Job& job, JobId id) {
    const bool has_hosts = kinds_.front().is_on_hosts;
    const auto told = value(chunks_, id);
    const auto chunks = std::int32_t(told.value_or(has_hosts ? job.size : 1));
    const auto parts = has_hosts ? std::int64_t{1} : std::int64_t{chunks};
    const auto processors = has_hosts ? job.size / chunks : job.size;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      amounts_[kind] = value(columns_[kind], id).value_or(0);
      if (kind == 0) amounts_[kind] = processors;
      if (kinds_[kind].name == "memory") {
        // The file gives that of a chunk, the trace that of a processor.
        const auto of_trace = std::max(std::int64_t{0}, std::int64_t{job.memory_kib});
        const auto said = value(columns_[kind], id);
        amounts_[kind] = said ? in_all(*said, parts) : in_all(of_trace, processors);
      }
      amounts_[kind] = in_all(amounts_[kind], chunks) / chunks;
    }
    needs.add(amounts_, has_hosts ? chunks : 1, job.partition);
  }

  const JobAttributes* attributes_;
  std::vector<ResourceKind> kinds_;
  std::vector<const Column*> columns_;
  const Column* chunks_;
  std::vector<std::int64_t> amounts_;  // of one job
};

}  // namespace

std::shared_ptr<Needs> needs_of(const sim::Machine& machine, std::span<const Job> jobs,
                                const JobAttributes* attributes,
                                std::span<const std::uint32_t> order) {
  auto needs = NeedsReader(machine, attributes).read(jobs);
  needs->follow(order);
  return needs;
}

}  // namespace berth
