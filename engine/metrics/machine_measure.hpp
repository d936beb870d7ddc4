#pragma once
// What only one machine measures of a run.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/field_writer.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

// Metrics of a machine, and where they stand.
struct MetricGroup {
  std::string_view behind;         // in results; empty: behind all of the whole run
  std::string_view listed_behind;  // in the list of metrics
  std::vector<MetricRecord> records;
};

// One a run.
class MachineMeasure {
 public:
  virtual ~MachineMeasure() = default;
  // Added to the run before those that read what is measured.
  [[nodiscard]] virtual sim::Observer& observer() = 0;
  // In the order of the machine's metrics; none if nothing was measured.
  // REQUIRES: the run is finished.
  [[nodiscard]] virtual std::vector<Metric> values() const = 0;
  // The processors that a job counts in useful_utilisation while it runs at rate 1;
  // nullopt: its size.
  [[nodiscard]] virtual std::optional<double> weight(JobId) const {
    return std::nullopt;
  }
  // Amounts by name, for timeline.csv.  They change at most when a job arrives, starts,
  // is suspended, changes or ends, and with records of the machine.
  [[nodiscard]] virtual std::span<const std::string> levels() const { return {}; }
  // The present amount.  REQUIRES: levels() has this number.
  [[nodiscard]] virtual std::int64_t level(std::size_t) const { return 0; }
  // Files and scripts have the amount divided by this, such as parts by the hundredth
  // of all parts for a percentage; the same for the whole run.  REQUIRES: levels() has
  // this number.
  [[nodiscard]] virtual double level_unit(std::size_t) const { return 1; }
  // Further columns of jobs.csv.
  [[nodiscard]] virtual std::span<const std::string_view> job_columns() const {
    return {};
  }
  // Tells them; what it does not tell is empty.  REQUIRES: this job is the last that
  // has left, and the observer has been told.
  virtual void tell_job(const sim::Subject&, FieldWriter&) {}
  // A figure that it keeps of the machine as it is, for an audit to count anew; null,
  // and then always: it keeps none.
  [[nodiscard]] virtual std::unique_ptr<const MachineFact> kept() const {
    return nullptr;
  }
  // Sentences for the user about this run.  REQUIRES: the run is finished.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
  // What it computes charges from now on.  REQUIRES: the budget outlives it.
  virtual void charge_to(Budget&) {}
};

// Puts what was measured where the group says.
void add_measured(Summary& summary, const MetricGroup& group,
                  std::vector<Metric> values);

}  // namespace berth
