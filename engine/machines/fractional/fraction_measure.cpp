#include "engine/machines/fractional/fraction_measure.hpp"

#include <algorithm>
#include <array>

#include "engine/base/memory.hpp"
#include "engine/machines/fractional/fraction_facts.hpp"
#include "engine/machines/fractional/task_hosts.hpp"
#include "engine/metrics/ratio.hpp"

namespace berth {

MetricGroup fraction_metrics() {
  return {
      "wasted_work",
      "wasted_work",
      {
          {"least_yield", "fraction", "integral of min Y / time in which a job runs",
           "Smallest yield of a running job, averaged over time; where hosts are "
           "shared by "
           "fractions only.",
           Better::kHigher},
          {"running_yield", "fraction", "integral of mean Y / time in which a job runs",
           "Mean yield of the running jobs, averaged over time; where hosts are shared "
           "by "
           "fractions only.",
           Better::kHigher},
          {"moved_memory", "GiB", "sum of memory of the tasks that change host",
           "Memory that repackings moved between hosts; where hosts are shared by "
           "fractions "
           "only.",
           Better::kLower},
      }};
}

std::vector<Metric> FractionMeasure::values() const {
  std::vector<Metric> all;
  if (started_ == 0) return all;
  const std::array<std::optional<double>, 3> values{
      ratio(least_, span_), ratio(mean_, span_),
      static_cast<double>(moved_kib_) / kKibPerGib};
  for (const auto& record : fraction_metrics().records) {
    all.push_back({record.name, values.at(all.size()), record.unit, started_});
  }
  return all;
}

void FractionMeasure::take(const sim::StartRecord& record) {
  if (!record.resumed) ++started_;
  const Placement& placement = *record.placement;
  yields_[record.who.id] = placement.form_if<TaskHosts>()->yield;
}

void FractionMeasure::take(const sim::ChangeRecord& record) {
  yields_[record.who.id] = record.placement->form_if<TaskHosts>()->yield;
}

void FractionMeasure::take(const sim::MachineRecord& record) {
  const bool is_over = record.bracket == sim::MachineRecord::Bracket::kEnds;
  const auto* repack = dynamic_cast<const RepackFact*>(record.fact);
  if (is_over && repack != nullptr) moved_kib_ += repack->moved_kib();
}

void FractionMeasure::move_to(Time at) {
  const auto span = static_cast<double>(time_.come_to(at));
  if (yields_.empty() || span == 0) return;
  double least = 1;
  double sum = 0;
  for (const auto& [job, yield] : yields_) {
    least = std::min(least, yield);
    sum += yield;
  }
  least_ += least * span;
  mean_ += sum / static_cast<double>(yields_.size()) * span;
  span_ += span;
}

}  // namespace berth
