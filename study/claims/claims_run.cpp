#include "study/claims/claims_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/machines/metric_list.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/inputs/windows.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/runs/study_plan.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/workload_models.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr auto kClaims = "claims.lua";

// A slow decision on a busy machine is no reason to stop a long sweep.
constexpr bindings::Limits kLimits{.time_seconds = 600, .are_options = false};
constexpr bindings::Limits kRowLimits{.are_options = false};

// Counts a finished job, which claims know beside the metrics of a summary.
constexpr std::array<const char*, 4> kCountsAJob{"kills_a_job", "migrations_a_job",
                                                 "resumes_a_job", "swaps_a_job"};

// `own`: of the users, from the scenarios.
std::vector<bindings::ClaimedMetric> claimed_metrics(
    const std::vector<MetricRecord>& own) {
  std::vector<bindings::ClaimedMetric> all;
  const auto add = [&](const MetricRecord& metric) {
    all.push_back({metric.name, metric.unit, metric.better == Better::kHigher});
  };
  const auto built_in = metric_records();
  std::for_each(built_in.begin(), built_in.end(), add);
  std::for_each(own.begin(), own.end(), add);
  for (const auto* count : kCountsAJob) all.push_back({count, "a job", true});
  return all;
}

std::vector<OwnMetric> metrics_of_claims(const std::string& file,
                                         const std::vector<std::string>& names) {
  std::vector<OwnMetric> all;
  for (const auto& name : names) {
    OwnMetric own{file};
    own.record.name = name;
    own.is_of_claims = true;
    all.push_back(std::move(own));
  }
  return all;
}

// With its windows, the user's own metrics, and these of the claims.
Scenario resolved(Scenario scenario, const std::vector<OwnMetric>& of_claims) {
  Budget budget;
  resolve_windows(scenario, budget);
  auto& own = scenario.run.own_metrics;
  own.insert(own.end(), of_claims.begin(), of_claims.end());
  load_own_metrics(scenario, kLimits);
  return scenario;
}

// Those of one sweep.  REQUIRES: both outlive the result.
StudyOptions options_for(const std::string& sweep, const StudyOptions& all) {
  auto options = all;
  if (all.out) options.out = *all.out / fs::path(sweep).stem();
  if (all.progress) {
    options.progress = [&](std::string_view, std::size_t runs, std::size_t of) {
      all.progress(sweep, runs, of);
    };
  }
  return options;
}

// With the inputs that the runs in the folder of results read, where others are
// missing.
Scenario with_inputs(Scenario scenario, const std::optional<fs::path>& folder) {
  if (folder) recall_inputs(scenario, *folder);
  return scenario;
}

// Adds the inputs that are nowhere, each with the sweeps that read it.
void add_missing(const std::string& sweep, const Scenario& scenario,
                 std::map<std::string, std::string>& missing) {
  for (const auto& path : input_files(scenario)) {
    try {
      (void)find_input(path);
    } catch (const Error&) {
      auto& readers = missing[fs::path(path).filename().string()];
      readers += readers.empty() ? sweep : ", " + sweep;
    }
  }
}

// All at one time, before anything runs.
void throw_missing(const fs::path& folder,
                   const std::map<std::string, std::string>& missing) {
  if (missing.empty()) return;
  auto text = fmt::format(
      "{}: the scenarios read files that are not there; put them beside {}, or name "
      "their folder in BERTH_TRACES:",
      folder.string(), kClaims);
  for (const auto& [file, readers] : missing) {
    text += fmt::format("\n  {} (for {})", printable_name(file), readers);
  }
  throw Error(ErrorCode::kInput, text);
}

std::string counted(std::size_t count, std::string_view one,
                    std::string_view many = {}) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one)
                      : fmt::format("{} {}", count, many);
}

// A guess has no digits below a second.
std::string rough_time(double seconds) {
  if (seconds < 1) return "less than a second";
  return "about " + human_time(std::round(seconds));
}

// How many jobs the trace of a point has.
using JobsOf = std::function<std::int64_t(const Scenario&)>;

// The jobs of a run by which a dry run judges the time of one.
constexpr std::int64_t kTrialJobs = 5000;

bindings::LoadedSource claims_in(const fs::path& folder) {
  const auto file = folder / kClaims;
  if (!fs::exists(file) && fs::exists(folder / "claims.toml")) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: claims are written in Lua: berth claims --convert {} > "
                    "{}",
                    (folder / "claims.toml").string(),
                    (folder / "claims.toml").string(), file.string()));
  }
  return {file.string(), read_text(file.string())};
}

// Files that the claims require lie beside them.
bindings::ToolLibrary files_in(const fs::path& folder) {
  return [folder](std::string_view name) -> std::optional<bindings::LoadedSource> {
    const auto file = folder / (std::string(name) + ".lua");
    auto text = read_text_below(folder.string(), file.string());
    if (!text) return std::nullopt;
    return {{file.string(), *std::move(text)}};
  };
}

}  // namespace

// One sweep: planned, and once it has run with its results.
class ClaimsStudy::Sweep final : public bindings::SweepSource {
 public:
  Sweep(std::string file, Scenario scenario, const PolicyLibrary& library,
        const std::vector<OwnMetric>& metrics, const StudyOptions& options)
      : name_(std::move(file)),
        scenario_(resolved(std::move(scenario), metrics)),
        plan_(scenario_, library, {options.limits, {}}, Layout::kSweep, options.audit) {
    const auto& grid = plan_.grid();
    shape_.seeds = grid.replications();
    shape_.points.resize(grid.cells());
    for (std::size_t i = 0; i < grid.size(); ++i) add_to_shape(i);
    const auto& classes = scenario_.run.classes;
    for (const auto& one : classes.named()) shape_.classes.push_back(one.name);
    for (const auto& field : classes.fields()) shape_.classes.push_back(field + "=");
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const StudyPlan& plan() const { return plan_; }
  [[nodiscard]] std::vector<MetricRecord> own_metrics() const {
    return records_of(scenario_.run.own_metrics);
  }
  [[nodiscard]] const bindings::SweepShape& shape() const override { return shape_; }
  // A line for each file that it reads, and where that is.
  [[nodiscard]] std::string inputs() const {
    std::string text;
    for (const auto& [name, path] : found_inputs(scenario_)) {
      text += fmt::format("  reads {}\n", printable_name(path));
    }
    return text;
  }

  [[nodiscard]] Result result(const Place& place, std::size_t seed) const override {
    const auto* found = find(place, seed);
    if (found == nullptr || !found->outcome.run) return {};
    return {&*found->outcome.run, found->base};
  }

  [[nodiscard]] std::string_view failure(const Place& place) const override {
    for (std::size_t seed = 0; seed < shape_.seeds; ++seed) {
      const auto* run = find(place, seed);
      if (run == nullptr || run->outcome.failure.code == kDone) continue;
      const std::string_view text(run->outcome.failure.text);
      return text.substr(0, text.find('\n'));
    }
    return {};
  }

  // Runs what is not finished.
  void measure(const StudyOptions& options, ClaimsOutcome& outcome) {
    auto ran = run_study(plan_, options);
    runs_.resize(shape_.points.size() * shape_.seeds);
    for (auto& point : ran.points) {
      if (point.state == PointState::kNotBegun) throw Interrupted{};
      if (point.was_of_old_format) {
        outcome.warnings.push_back(fmt::format(
            "{}: {}: its batches were those of an earlier version, so it ran again",
            name_, point.name));
      }
      take(point, outcome);
    }
  }

  // Keeps the results of a point; a run that failed has none.
  void take(PointOutcome& point, ClaimsOutcome& outcome) {
    const auto where = plan_.grid().where(point.number);
    auto& place = runs_[where.cell * shape_.seeds + where.replication];
    if (point.policies.empty()) return;
    const auto base = point.policies.front().label;
    for (auto& policy : point.policies) {
      if (policy.failure.code != kDone) {
        outcome.failures.push_back(
            {policy.failure.code,
             fmt::format("{}: {}: {}", name_, point.name, policy.failure.text)});
        policy.run.reset();
      }
      const auto label = policy.label;
      place.try_emplace(label, Run{std::move(policy), base});
    }
  }

  // Leaves the first jobs of a point; how many times as many it had.
  static double shorten(Scenario& point, const JobsOf& jobs_of) {
    auto& keys = point.workload;
    // Of a fill the number of arrivals hangs on the demand.
    if (keys.arrivals == ArrivalTimes::kFill) return 1;
    const auto* model = find_workload_model(keys.model);
    const auto jobs = model != nullptr ? keys.jobs.value_or(model->jobs)
                                       : keys.first.value_or(jobs_of(point));
    const auto tried = std::min(jobs, kTrialJobs);
    (model != nullptr ? keys.jobs : keys.first) = tried;
    return static_cast<double>(jobs) / static_cast<double>(tried);
  }
  // Seconds that one run takes, by the first jobs of one point, or by its instances.
  // `jobs_of` tells how many a trace has.
  [[nodiscard]] double seconds_a_run(const PolicyLibrary& library, StudyOptions options,
                                     const JobsOf& jobs_of) const {
    const auto& grid = plan_.grid();
    auto point = grid.point(grid.size() - 1).scenario;
    const double scale = point.is_of_cases() ? 1 : shorten(point, jobs_of);
    options.layout = Layout::kRun;
    options.workers = 1;
    options.out.reset();
    options.progress = nullptr;
    const auto began = std::chrono::steady_clock::now();
    (void)run_study(point, library, options);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    return scale * took.count() / static_cast<double>(plan_.labels().size());
  }

 private:
  struct Run {
    PolicyOutcome outcome;
    std::string base;  // the first policy beside which it ran
  };

  [[nodiscard]] const Run* find(const Place& place, std::size_t seed) const {
    if (runs_.empty()) return nullptr;
    const auto& runs = runs_[place.point * shape_.seeds + seed];
    const auto at = runs.find(place.policy);
    return at == runs.end() ? nullptr : &at->second;
  }

  void add_to_shape(std::size_t number) {
    const auto add = [](auto& list, const auto& value) {
      if (std::find(list.begin(), list.end(), value) == list.end()) {
        list.push_back(value);
      }
    };
    const auto settings = plan_.grid().cell_settings(number);
    auto& point = shape_.points[plan_.grid().where(number).cell];
    point.text = point_text(settings);
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const auto& [key, value] = settings[i];
      if (shape_.axes.size() == i) shape_.axes.push_back({key, {}});
      add(shape_.axes[i].values, value);
      point.settings[key] = value;
    }
    for (const auto& run : plan_.runs(number)) add(shape_.policies, run.label);
  }

  std::string name_;
  Scenario scenario_;
  StudyPlan plan_;
  bindings::SweepShape shape_;
  // By point and seed; variants of the policies stand side by side.
  std::vector<std::map<std::string, Run, std::less<>>> runs_;
};

ClaimsStudy::ClaimsStudy(const fs::path& folder, const PolicyLibrary& library,
                         const std::vector<std::string>& only,
                         const StudyOptions& options)
    : library_(library),
      options_(options),
      script_(claims_in(folder), files_in(folder), kRowLimits) {
  options_.limits = kLimits;
  const auto declared = script_.declared(only);
  const auto metrics = metrics_of_claims((folder / kClaims).string(), declared.metrics);
  std::vector<Scenario> scenarios;
  std::map<std::string, std::string> missing;
  for (const auto& name : declared.sweeps) {
    scenarios.push_back(with_inputs(load_scenario((folder / name).string()),
                                    options_for(name, options_).out));
    add_missing(name, scenarios.back(), missing);
  }
  throw_missing(folder, missing);
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    sweeps_.push_back(std::make_unique<Sweep>(
        declared.sweeps[i], std::move(scenarios[i]), library, metrics, options_));
  }
  std::vector<MetricRecord> own;
  for (const auto& sweep : sweeps_) {
    for (auto& record : sweep->own_metrics()) own.push_back(std::move(record));
  }
  script_.check(sources(), claimed_metrics(own));
}

ClaimsStudy::~ClaimsStudy() = default;

bindings::ClaimsScript::Sweeps ClaimsStudy::sources() const {
  bindings::ClaimsScript::Sweeps all;
  for (const auto& sweep : sweeps_) all[sweep->name()] = sweep.get();
  return all;
}

std::string ClaimsStudy::dry_run() const {
  std::string text;
  double all = 0;
  std::map<std::string, std::int64_t> known;
  const auto jobs_of = [&](const Scenario& point) {
    const auto [at, is_new] = known.try_emplace(point.workload.trace);
    if (is_new) {
      Budget budget;
      at->second = std::ssize(read_trace_of(point, budget).jobs);
    }
    return at->second;
  };
  for (const auto& sweep : sweeps_) {
    const auto& plan = sweep->plan();
    const auto runs = plan.grid().size() * plan.labels().size();
    const auto seconds =
        static_cast<double>(runs) * sweep->seconds_a_run(library_, options_, jobs_of);
    all += seconds;
    text += fmt::format("{}: {}, {}, {}: {}, {}\n", sweep->name(),
                        counted(plan.grid().cells(), "point"),
                        counted(plan.grid().replications(), "seed"),
                        counted(plan.labels().size(), "policy", "policies"),
                        counted(runs, "run"), rough_time(seconds));
    text += sweep->inputs();
  }
  const auto workers = static_cast<double>(std::max<std::size_t>(1, options_.workers));
  return text + fmt::format("in all {} on {} {}\n", rough_time(all / workers), workers,
                            workers == 1 ? "core" : "cores");
}

ClaimsOutcome ClaimsStudy::run() {
  ClaimsOutcome outcome;
  for (const auto& sweep : sweeps_) {
    sweep->measure(options_for(sweep->name(), options_), outcome);
  }
  outcome.answer = script_.judge(sources());
  return outcome;
}

}  // namespace berth::study
