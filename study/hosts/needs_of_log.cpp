#include "study/hosts/needs_of_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/sim/job_needs.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/formats/log_classes.hpp"
#include "engine/workload/formats/log_names.hpp"

namespace berth::study {

namespace {

// A kind of the log that the machine has.
struct UsedKind {
  const std::vector<std::int64_t>* amounts;  // by index of the job
  bool is_on_hosts;
  std::map<std::int64_t, std::vector<double>>* needs;
};

class NeedsMaker {
 public:
  NeedsMaker(JobLog& log, const Resources& resources, const LogOptions& options)
      : log_(log), has_hosts_(!resources.hosts.empty()), findings_(options) {
    const auto kinds = kinds_of(1, resources);
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < log.kinds.size(); ++i) {
      const auto& name = log.kinds[i];
      const auto found =
          std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) {
            return kind.name == name && name != "processors" && name != "memory";
          });
      if (found == kinds.end()) {
        missing.push_back(printable(name));
        continue;
      }
      used_.push_back(
          {&log.amounts[i], found->is_on_hosts, &needs_[kKindColumns + name]});
    }
    if (missing.empty()) return;
    log.workload.notes.push_back(
        fmt::format("jobs ask for {}, which the machine has not: ignored",
                    fmt::join(missing, ", ")));
  }

  NeedsOfLog make(Budget& budget) {
    if (!has_hosts_ && used_.empty()) return {};
    budget.charge_each(log_.workload.jobs.size() * (used_.size() + 1));
    for (std::uint32_t i = 0; i < log_.workload.jobs.size(); ++i) add(i);
    findings_.move_to(log_.workload);
    return std::move(needs_);
  }

 private:
  [[nodiscard]] bool divide(std::uint32_t index, std::int64_t chunks) const {
    return log_.workload.jobs[index].size % chunks == 0 &&
           std::all_of(used_.begin(), used_.end(), [&](const UsedKind& kind) {
             return !kind.is_on_hosts || (*kind.amounts)[index] % chunks == 0;
           });
  }

  std::int64_t chunks_of(std::uint32_t index) {
    const auto& job = log_.workload.jobs[index];
    const std::int64_t nodes = log_.nodes.empty() ? kUnknown : log_.nodes[index];
    if (nodes >= 1 && divide(index, nodes)) return nodes;
    const bool are_single = divide(index, job.size);
    if (nodes >= 1 || !are_single) note(index, nodes);
    return are_single ? job.size : 1;
  }

  void note(std::uint32_t index, std::int64_t nodes) {
    const auto& workload = log_.workload;
    const auto line = workload.lines.empty() ? 0 : workload.lines[index];
    findings_.note("uneven_chunks", {line}, fmt::format("{}", workload.jobs[index].id),
                   nodes >= 1 ? fmt::format("{} hosts", nodes) : std::string());
  }

  void add(std::uint32_t index) {
    const auto id = log_.workload.jobs[index].id;
    std::int64_t chunks = 1;
    if (has_hosts_) {
      chunks = chunks_of(index);
      needs_[std::string(kChunksColumn)][id] = {static_cast<double>(chunks)};
    }
    for (const auto& [amounts, is_on_hosts, needs] : used_) {
      const auto amount = (*amounts)[index];
      if (amount == 0) continue;
      (*needs)[id] = {static_cast<double>(is_on_hosts ? amount / chunks : amount)};
    }
  }

  JobLog& log_;
  bool has_hosts_;
  LogFindings findings_;
  NeedsOfLog needs_;
  std::vector<UsedKind> used_;
};

}  // namespace

NeedsOfLog needs_of_log(JobLog& log, const Resources& resources,
                        const LogOptions& options, Budget& budget) {
  return NeedsMaker(log, resources, options).make(budget);
}

void number_partitions(JobLog& log, const std::vector<std::string>& names,
                       Budget& budget) {
  auto& legend = log.names[kPartitionNames];
  std::map<std::int64_t, std::int64_t> numbers;
  auto next = static_cast<std::int64_t>(names.size());
  for (auto& [number, name] : legend) {
    const auto found = std::find(names.begin(), names.end(), name);
    const auto own = found == names.end() ? ++next : found - names.begin() + 1;
    numbers.emplace(number, own);
    number = own;
  }
  std::sort(legend.begin(), legend.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  budget.charge_each(log.workload.jobs.size() + legend.size() * names.size());
  for (auto& job : log.workload.jobs) {
    const auto found = numbers.find(label_number(job.partition));
    if (found != numbers.end()) job.partition = label_code(found->second);
  }
}

}  // namespace berth::study
