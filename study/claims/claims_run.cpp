#include "study/claims/claims_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/metric_list.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/windows.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/runs/study_plan.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/workload_models.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

using Sweeps = std::map<std::string, std::vector<MeasuredPoint>>;

[[noreturn]] void refuse(const Claim& claim, std::string_view what) {
  throw Error(ErrorCode::kInput,
              fmt::format("claim {}: {}", printable(claim.id), what));
}

// REQUIRES: the cell has every axis of `where`.
bool is_wanted(const Claim& claim, const PointSettings& cell) {
  return std::all_of(claim.where.begin(), claim.where.end(), [&](const auto& wanted) {
    const auto at = std::find_if(cell.begin(), cell.end(), [&](const auto& pair) {
      return pair.first == wanted.first;
    });
    const auto& values = wanted.second;
    return std::find(values.begin(), values.end(), at->second) != values.end();
  });
}

// Whether both have the same values of all axes that both have.
bool agrees(const PointSettings& one, const PointSettings& other) {
  return std::all_of(one.begin(), one.end(), [&](const auto& pair) {
    const auto at = std::find_if(
        other.begin(), other.end(),
        [&](const auto& other_pair) { return other_pair.first == pair.first; });
    return at == other.end() || at->second == pair.second;
  });
}

// Nothing that weighs nothing, where points are weighted and this one has no value.
MeasuredValue value_of(const Claim& claim, const MeasuredPoint& point,
                       const std::string& policy) {
  const auto& run = point.by_policy.at(policy);
  const auto value = run.find(claim.metric);
  if (value == run.end() && claim.rule.over == Over::kWeighted) {
    return MeasuredValue(0, 0);
  }
  if (value == run.end()) {
    refuse(claim, fmt::format("{} has no value of {} at {}", policy, claim.metric,
                              point_text(point.cell)));
  }
  return value->second;
}

double change(const Claim& claim, double base, double value) {
  const bool higher =
      counts_a_job(claim) || metric_record(claim.metric).better == Better::kHigher;
  const double gain = higher ? value - base : base - value;
  if (claim.rule.as == As::kPoints) return 100 * gain;
  if (base == 0) refuse(claim, fmt::format("{} of the base is 0", claim.metric));
  return 100 * gain / base;
}

// The replications of the base at the point's place, seed by seed.
std::vector<const MeasuredPoint*> bases_of(const PointSettings& cell,
                                           const std::vector<MeasuredPoint>& sweep) {
  std::vector<const MeasuredPoint*> found;
  for (const auto& point : sweep) {
    if (agrees(cell, point.cell)) found.push_back(&point);
  }
  return found;
}

class Points {
 public:
  Points(const Claim& claim, const std::string& base, const Sweeps& sweeps)
      : claim_(claim), base_(base), sweeps_(sweeps) {}

  std::vector<ClaimPoint> all() {
    for (const auto& policy : claim_.policies) {
      for (std::size_t i = 0; i < claim_.sweeps.size(); ++i) add(policy, i);
    }
    return std::move(points_);
  }

 private:
  void add(const std::string& policy, std::size_t sweep) {
    const auto& points = sweeps_.at(claim_.sweeps[sweep]);
    const auto& bases = sweeps_.at(claim_.base_sweeps[sweep]);
    for (std::size_t from = 0; from < points.size();) {
      std::size_t to = from;
      while (to < points.size() && points[to].cell == points[from].cell) ++to;
      if (is_wanted(claim_, points[from].cell)) {
        add_cell(policy, sweep,
                 {points.begin() + static_cast<std::ptrdiff_t>(from),
                  points.begin() + static_cast<std::ptrdiff_t>(to)},
                 bases);
      }
      from = to;
    }
  }

  void add_cell(const std::string& policy, std::size_t sweep,
                std::span<const MeasuredPoint> replications,
                const std::vector<MeasuredPoint>& base_sweep) {
    const auto& cell = replications.front().cell;
    if (is_left_out(policy, replications)) return;
    ClaimPoint point;
    const fs::path file(claim_.sweeps[sweep]);
    point.series = fmt::format("{}, {}", policy, file.stem().string());
    point.name = fmt::format("{}, {}", point.series, point_text(cell));
    point.at = place_on_axes(cell);
    point.sweep = sweep;
    point.is_full = is_full(policy, replications);
    if (base_.empty()) {
      for (const auto& replication : replications) {
        const auto measured = value_of(claim_, replication, policy);
        point.by_seed.push_back(measured.value);
        point.weights.push_back(measured.n);
      }
    } else {
      add_changes(policy, replications, bases_of(cell, base_sweep), point);
    }
    points_.push_back(std::move(point));
  }

  // A point without a value under some seed is neither the largest nor the smallest.
  [[nodiscard]] bool is_left_out(const std::string& policy,
                                 std::span<const MeasuredPoint> points) const {
    const auto over = claim_.rule.over;
    if (over != Over::kLargest && over != Over::kSmallest) return false;
    return base_.empty() && std::any_of(points.begin(), points.end(), [&](auto& point) {
             return point.by_policy.at(policy).count(claim_.metric) == 0;
           });
  }

  // The values of the axes, but of those of which one value is wanted.
  [[nodiscard]] std::string place_on_axes(const PointSettings& cell) const {
    std::vector<std::string> values;
    for (const auto& [key, value] : cell) {
      const auto wanted = claim_.where.find(key);
      if (wanted == claim_.where.end() || wanted->second.size() > 1) {
        values.push_back(value);
      }
    }
    return fmt::format("{}", fmt::join(values, ", "));
  }

  static bool is_full(const std::string& policy,
                      std::span<const MeasuredPoint> points) {
    return std::any_of(points.begin(), points.end(), [&](const auto& point) {
      return point.full_queues.count(policy) != 0;
    });
  }

  void add_changes(const std::string& policy,
                   std::span<const MeasuredPoint> replications,
                   const std::vector<const MeasuredPoint*>& bases, ClaimPoint& point) {
    if (bases.size() < replications.size()) {
      refuse(claim_, fmt::format("the base was not measured at {}",
                                 point_text(replications.front().cell)));
    }
    for (std::size_t i = 0; i < replications.size(); ++i) {
      const auto base = value_of(claim_, *bases[i], base_);
      const auto own = value_of(claim_, replications[i], policy);
      const bool has_both =
          claim_.rule.over != Over::kWeighted || (base.n > 0 && own.n > 0);
      point.by_seed.push_back(has_both ? change(claim_, base.value, own.value) : 0);
      point.weights.push_back(has_both ? own.n : 0);
    }
  }

  const Claim& claim_;
  const std::string& base_;
  const Sweeps& sweeps_;
  std::vector<ClaimPoint> points_;
};

// A slow decision on a busy machine is no reason to stop a long sweep.
constexpr bindings::Limits kLimits{.time_seconds = 600};

Measured measured(const Summary& summary) {
  Measured values;
  for (const auto& metric : summary.metrics) {
    if (!metric.value) continue;
    values.emplace(metric.name,
                   MeasuredValue{*metric.value, static_cast<double>(metric.n)});
  }
  const auto jobs = static_cast<double>(summary.jobs.finished);
  if (jobs == 0) return values;
  const auto& counts = summary.counts;
  values["kills_a_job"] = {static_cast<double>(counts.kills) / jobs, jobs};
  values["migrations_a_job"] = {static_cast<double>(counts.migrations) / jobs, jobs};
  values["resumes_a_job"] = {static_cast<double>(counts.resumes) / jobs, jobs};
  values["swaps_a_job"] = {static_cast<double>(counts.swaps) / jobs, jobs};
  return values;
}

MeasuredPoint measured(const PointOutcome& point, const PointSettings& cell) {
  if (point.state == PointState::kNotBegun) throw Interrupted{};
  MeasuredPoint result{cell, {}, {}};
  for (const auto& policy : point.policies) {
    if (!policy.run) {
      throw Error(static_cast<ErrorCode>(policy.failure.code),
                  fmt::format("{}: {}", point.name, policy.failure.text));
    }
    const auto& summary = policy.run->summary;
    result.by_policy.emplace(policy.label, measured(summary));
    if (summary.longest_queue_stretch > summary.submit_span / 2) {
      result.full_queues.insert(policy.label);
    }
  }
  return result;
}

std::string like_word(std::string_view word, const std::set<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return berth::did_you_mean(word, views);
}

void keep_only(ClaimsFile& file, const std::vector<std::string>& ids) {
  std::set<std::string> known;
  for (const auto& claim : file.claims) known.insert(claim.id);
  for (const auto& id : ids) {
    if (known.count(id) != 0) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--claim: there is no claim '{}'{}",
                                               printable(id), like_word(id, known)));
  }
  std::erase_if(file.claims, [&](const Claim& claim) {
    return std::find(ids.begin(), ids.end(), claim.id) == ids.end();
  });
}

Scenario with_windows(Scenario scenario) {
  Budget budget;
  resolve_windows(scenario, budget);
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

// How many jobs a trace has.
using JobsOf = std::function<std::int64_t(const std::string&)>;

// The jobs of a run by which a dry run judges the time of one.
constexpr std::int64_t kTrialJobs = 5000;

}  // namespace

// One sweep, planned and not yet run.
struct ClaimsStudy::Sweep {
  Sweep(std::string file, const fs::path& path, const PolicyLibrary& library,
        const StudyOptions& options)
      : name(std::move(file)),
        scenario(with_windows(
            with_inputs(load_scenario(path.string()), options_for(name, options).out))),
        plan(scenario, library, {options.limits, {}}, Layout::kSweep, options.audit) {}

  void check_labels(const Claim& claim, const char* key,
                    const std::vector<std::string>& labels,
                    std::vector<std::string>& problems) const {
    std::set<std::string> known;
    for (std::size_t i = 0; i < plan.grid().size(); ++i) {
      for (const auto& run : plan.runs(i)) known.insert(run.label);
    }
    for (const auto& label : labels) {
      if (known.count(label) != 0) continue;
      problems.push_back(fmt::format("{}: {}: no policy {} runs in {}{}",
                                     claim.place_of(key), key, printable(label),
                                     printable(name), like_word(label, known)));
    }
  }
  void check_where(const Claim& claim, std::vector<std::string>& problems) const {
    std::map<std::string, std::set<std::string>> axes;  // but the seed
    for (std::size_t i = 0; i < plan.grid().size(); ++i) {
      for (const auto& [key, value] : plan.grid().cell_settings(i)) {
        axes[key].insert(value);
      }
    }
    const auto add = [&](const std::string& what) {
      problems.push_back(fmt::format("{}: where: {} has no {}", claim.place_of("where"),
                                     printable(name), what));
    };
    for (const auto& [key, values] : claim.where) {
      const auto axis = axes.find(key);
      if (axis == axes.end()) {
        add(fmt::format("axis {}", printable(key)));
        continue;
      }
      for (const auto& value : values) {
        if (axis->second.count(value) != 0) continue;
        add(fmt::format("point with {} = {}", key, printable(value)));
      }
    }
  }
  // REQUIRES: the sweep has all axes of `where`.
  void check_growth(const Claim& claim, std::vector<std::string>& problems) const {
    if (claim.rule.over != Over::kGrowth) return;
    std::set<PointSettings> wanted;
    for (std::size_t i = 0; i < plan.grid().size(); ++i) {
      const auto cell = plan.grid().cell_settings(i);
      if (is_wanted(claim, cell)) wanted.insert(cell);
    }
    if (wanted.size() > 1) return;
    problems.push_back(
        fmt::format("{}: over: \"growth\" needs two points, and {} has one; \"sweeps\" "
                    "compares sweeps",
                    claim.place_of("over"), printable(name)));
  }
  // The class of a metric such as "mean_wait@short".
  void check_class(const Claim& claim, std::vector<std::string>& problems) const {
    const auto at = claim.metric.find('@');
    if (at == std::string::npos) return;
    const auto of_class = std::string_view(claim.metric).substr(at + 1);
    if (scenario.run.metrics.classes.knows(of_class)) return;
    problems.push_back(fmt::format("{}: metric: {} has no class {}",
                                   claim.place_of("metric"), printable(name),
                                   printable(of_class)));
  }
  [[nodiscard]] std::vector<MeasuredPoint> measure(const StudyOptions& options) {
    const auto& grid = plan.grid();
    // By cell and replication; variants of the policies stand side by side in one.
    std::map<std::pair<std::size_t, std::size_t>, MeasuredPoint> by_place;
    for (const auto& point : run_study(plan, options).points) {
      const auto where = grid.where(point.number);
      auto& place = by_place[{where.cell, where.replication}];
      auto one = measured(point, grid.cell_settings(point.number));
      place.cell = std::move(one.cell);
      place.by_policy.merge(one.by_policy);
      place.full_queues.merge(one.full_queues);
    }
    std::vector<MeasuredPoint> points;
    points.reserve(by_place.size());
    for (auto& [place, point] : by_place) points.push_back(std::move(point));
    return points;
  }
  // Leaves the first jobs of a point; how many times as many it had.
  static double shorten(Scenario& point, const JobsOf& jobs_of) {
    auto& keys = point.workload;
    const auto* model = find_workload_model(keys.model);
    const auto jobs = model != nullptr ? keys.jobs.value_or(model->jobs)
                                       : keys.first.value_or(jobs_of(keys.trace));
    const auto tried = std::min(jobs, kTrialJobs);
    (model != nullptr ? keys.jobs : keys.first) = tried;
    return static_cast<double>(jobs) / static_cast<double>(tried);
  }
  // Seconds that one run takes, by the first jobs of one point, or by its instances.
  // `jobs_of` tells how many a trace has.
  [[nodiscard]] double seconds_a_run(const PolicyLibrary& library, StudyOptions options,
                                     const JobsOf& jobs_of) const {
    const auto& grid = plan.grid();
    auto point = grid.point(grid.size() - 1).scenario;
    const double scale = point.is_of_cases() ? 1 : shorten(point, jobs_of);
    options.layout = Layout::kRun;
    options.workers = 1;
    options.out.reset();
    options.progress = nullptr;
    const auto began = std::chrono::steady_clock::now();
    (void)run_study(point, library, options);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    return scale * took.count() / static_cast<double>(plan.labels().size());
  }

  std::string name;
  Scenario scenario;
  StudyPlan plan;
};

ClaimVerdict JudgedClaim::verdict() const {
  if (results.empty()) return ClaimVerdict::kNotJudged;
  auto best = ClaimVerdict::kNotJudged;
  auto worst = ClaimVerdict::kReproduced;
  for (const auto& result : results) {
    best = std::min(best, result.verdict);
    worst = std::max(worst, result.verdict);
  }
  // Opposite is what is so against every base.
  const bool is_mixed = worst == ClaimVerdict::kOpposite && best != worst;
  return is_mixed ? ClaimVerdict::kNotReproduced : worst;
}

ClaimsStudy::ClaimsStudy(const fs::path& folder, const PolicyLibrary& library,
                         const std::vector<std::string>& only,
                         const StudyOptions& options)
    : library_(library), options_(options) {
  const auto path = (folder / "claims.toml").string();
  file_ = read_claims(path, read_text(path));
  options_.limits = kLimits;
  if (!only.empty()) keep_only(file_, only);
  for (const auto& name : sweeps_of(file_)) {
    sweeps_.push_back(std::make_unique<Sweep>(name, folder / name, library, options_));
  }
  std::vector<std::string> problems;
  for (const auto& claim : file_.claims) {
    if (claim.given.empty()) check(claim, problems);
  }
  if (!problems.empty()) {
    throw Error(ErrorCode::kInput, fmt::format("{}", fmt::join(problems, "\n")));
  }
}

ClaimsStudy::~ClaimsStudy() = default;

void ClaimsStudy::check(const Claim& claim, std::vector<std::string>& problems) const {
  for (std::size_t i = 0; i < claim.sweeps.size(); ++i) {
    const auto& sweep = this->sweep(claim.sweeps[i]);
    sweep.check_labels(claim, "policies", claim.policies, problems);
    this->sweep(claim.base_sweeps[i])
        .check_labels(claim, "base", claim.bases, problems);
    const auto before = problems.size();
    sweep.check_where(claim, problems);
    if (problems.size() == before) sweep.check_growth(claim, problems);
    sweep.check_class(claim, problems);
  }
}

const ClaimsStudy::Sweep& ClaimsStudy::sweep(const std::string& name) const {
  const auto at = std::find_if(sweeps_.begin(), sweeps_.end(),
                               [&](const auto& sweep) { return sweep->name == name; });
  BERTH_ASSERT(at != sweeps_.end());
  return **at;
}

std::string ClaimsStudy::dry_run() const {
  std::string text;
  double all = 0;
  std::map<std::string, std::int64_t> known;
  const auto jobs_of = [&](const std::string& trace) {
    const auto [at, is_new] = known.try_emplace(trace);
    if (is_new) {
      Budget budget;
      at->second = static_cast<std::int64_t>(read_trace(trace, {}, budget).jobs.size());
    }
    return at->second;
  };
  for (const auto& sweep : sweeps_) {
    const auto& plan = sweep->plan;
    const auto runs = plan.grid().size() * plan.labels().size();
    const auto seconds =
        static_cast<double>(runs) * sweep->seconds_a_run(library_, options_, jobs_of);
    all += seconds;
    text += fmt::format("{}: {}, {}, {}: {}, {}\n", sweep->name,
                        counted(plan.grid().cells(), "point"),
                        counted(plan.grid().replications(), "seed"),
                        counted(plan.labels().size(), "policy", "policies"),
                        counted(runs, "run"), rough_time(seconds));
  }
  const auto workers = static_cast<double>(std::max<std::size_t>(1, options_.workers));
  return text + fmt::format("in all {} on {} {}\n", rough_time(all / workers), workers,
                            workers == 1 ? "core" : "cores");
}

ClaimsOutcome ClaimsStudy::run() {
  Sweeps measured;
  for (const auto& sweep : sweeps_) {
    measured[sweep->name] = sweep->measure(options_for(sweep->name, options_));
  }
  ClaimsOutcome outcome{file_, {}};
  for (const auto& claim : file_.claims) {
    JudgedClaim judged{claim, {}};
    auto bases = claim.bases;
    if (bases.empty() && claim.given.empty()) bases.emplace_back();
    for (const auto& base : bases) {
      judged.results.push_back(judge(claim.rule, points_of(claim, base, measured)));
    }
    outcome.claims.push_back(std::move(judged));
  }
  return outcome;
}

std::vector<ClaimPoint> points_of(const Claim& claim, const std::string& base,
                                  const Sweeps& by_sweep) {
  return Points(claim, base, by_sweep).all();
}

}  // namespace berth::study
