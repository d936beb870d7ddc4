#pragma once
// Metrics of the user's own, from the files of a scenario to the results of a run.
//
// A file is loaded once to learn what it is, and once more by each run that asks it, in
// the worker and when the run has ended.  Its texts are part of what a run is.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/metric_script.hpp"
#include "engine/base/json.hpp"
#include "engine/metrics/job_details.hpp"
#include "engine/metrics/level_steps.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/output/timeline_csv.hpp"
#include "study/inputs/prepared_point.hpp"

namespace berth {
class Explainer;
namespace sim {
class Inspector;
}  // namespace sim
}  // namespace berth

namespace berth::study {

// Loads the metrics of [metrics], and those that run.metrics names as files: there
// their names stand from then on.  Throws Error{kUsage} (kInput for what a scenario
// says) for a file that cannot be read, a second metric of one name, another name than
// that of [metrics], and what MetricScript throws.
void load_own_metrics(Scenario& scenario, const bindings::Limits& limits);

// What sweep.json and run.json say of them, as the member "metrics".
[[nodiscard]] Json own_metrics_json(const std::vector<OwnMetric>& metrics);
// The other way round, without files and texts; none without the member.
[[nodiscard]] std::vector<OwnMetric> own_metrics_in(const JsonReader& plan);

// Whether the text of a file is that of a metric, as far as a look at it tells.
[[nodiscard]] bool is_metric_text(std::string_view text);

// What a run with metrics of the user's own measures besides.
class OwnMeasures {
 public:
  // As the metrics need them; or whole, and run_of is known without a metric, too.
  enum class Levels : std::uint8_t { kAsNeeded, kWhole };
  // REQUIRES: the metrics of point.run are loaded; scenario, point and measure, which
  // may be null, outlive this object.
  OwnMeasures(const Scenario& scenario, const Point& point,
              const bindings::Limits& limits, MachineMeasure* measure,
              Levels levels = Levels::kAsNeeded);
  ~OwnMeasures();
  OwnMeasures(const OwnMeasures&) = delete;
  OwnMeasures& operator=(const OwnMeasures&) = delete;

  // Of a run of this policy, which outlives this object; none if nothing needs them.
  // Called once.
  [[nodiscard]] std::vector<sim::Observer*> observers(const sim::Policy& policy);
  // One of observers(), if a metric needs reasons; else null.
  [[nodiscard]] sim::Inspector* inspector();

  struct MeasuredRun {
    const Outcomes& outcomes;
    std::span<const Time> expected_ends;  // by job; empty: there are none
    std::string label;                    // of the policy
    // See ToolRun.
    const std::map<std::string, std::int64_t>* checked = nullptr;
  };
  // By name, of metrics that are means over jobs: for each job; NaN: none.
  using OfJobs = std::map<std::string, std::vector<double>>;
  // Adds the values to the summary, behind those of the whole run and of each class.
  // REQUIRES: the run is finished.
  OfJobs add_to(Summary& summary, const MeasuredRun& run) const;
  // What metrics are asked about; this object and what is given outlive it.
  // REQUIRES: the run is finished, and there are observers().
  [[nodiscard]] bindings::ToolRun run_of(const Summary& summary,
                                         const MeasuredRun& run) const;

 private:
  const Scenario& scenario_;
  const Point& point_;
  std::vector<std::unique_ptr<bindings::MetricScript>> scripts_;
  std::optional<JobDetails> details_{};
  std::optional<LevelSteps> steps_{};  // if a metric needs them
  std::optional<LevelBins> bins_{};    // else
  std::unique_ptr<Explainer> reasons_{};
  bool needs_reasons_ = false;
};

}  // namespace berth::study
