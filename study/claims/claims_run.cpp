#include "study/claims/claims_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/metrics/metric_record.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/windows.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/scenario/scenario_reader.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

using Sweeps = std::map<std::string, std::vector<MeasuredPoint>>;

[[noreturn]] void refuse(const Claim& claim, std::string_view what) {
  throw Error(ErrorCode::kInput,
              fmt::format("{}claim {}: {}", claim.place, printable(claim.id), what));
}

bool is_wanted(const Claim& claim, const PointSettings& cell) {
  for (const auto& wanted : claim.where) {
    const auto at = std::find_if(cell.begin(), cell.end(), [&](const auto& pair) {
      return pair.first == wanted.first;
    });
    if (at == cell.end()) {
      refuse(claim,
             fmt::format("where: the sweep has no axis {}", printable(wanted.first)));
    }
    const auto& values = wanted.second;
    if (std::find(values.begin(), values.end(), at->second) == values.end()) {
      return false;
    }
  }
  return true;
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

double value_of(const Claim& claim, const MeasuredPoint& point,
                const std::string& policy) {
  const auto run = point.by_policy.find(policy);
  if (run == point.by_policy.end()) {
    refuse(claim, fmt::format("no policy {} runs in the sweep", printable(policy)));
  }
  const auto value = run->second.find(claim.metric);
  if (value == run->second.end()) {
    refuse(claim,
           fmt::format("{} has no value of {}", policy, printable(claim.metric)));
  }
  return value->second;
}

double change(const Claim& claim, double base, double value) {
  const bool is_count = claim.metric.ends_with("_a_job");
  const bool higher = is_count || metric_record(claim.metric).better == Better::kHigher;
  if (base == 0) refuse(claim, fmt::format("{} of the base is 0", claim.metric));
  return 100 * (higher ? value - base : base - value) / base;
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
  Points(const Claim& claim, const Sweeps& sweeps) : claim_(claim), sweeps_(sweeps) {}

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
    const auto bases = bases_of(cell, base_sweep);
    if (bases.size() < replications.size()) {
      refuse(claim_, fmt::format("the base was not measured at {}", text_of(cell)));
    }
    ClaimPoint point;
    const fs::path file(claim_.sweeps[sweep]);
    point.name = fmt::format("{}, {}, {}", policy, file.stem().string(), text_of(cell));
    for (std::size_t seed = 0; seed < replications.size(); ++seed) {
      point.is_full = point.is_full || bases[seed]->full_queues.contains(claim_.base) ||
                      replications[seed].full_queues.contains(policy);
      point.by_seed.push_back(change(claim_,
                                     value_of(claim_, *bases[seed], claim_.base),
                                     value_of(claim_, replications[seed], policy)));
    }
    points_.push_back(std::move(point));
  }

  const Claim& claim_;
  const Sweeps& sweeps_;
  std::vector<ClaimPoint> points_;
};

// A slow decision on a busy machine is no reason to stop a long sweep.
constexpr bindings::Limits kLimits{.time_seconds = 600};

Measured measured(const Summary& summary) {
  Measured values;
  for (const auto& metric : summary.metrics) {
    if (metric.value) values.emplace(metric.name, *metric.value);
  }
  const auto jobs = static_cast<double>(summary.jobs.finished);
  if (jobs == 0) return values;
  const auto& counts = summary.counts;
  values["kills_a_job"] = static_cast<double>(counts.kills) / jobs;
  values["migrations_a_job"] = static_cast<double>(counts.migrations) / jobs;
  values["swaps_a_job"] = static_cast<double>(counts.swaps) / jobs;
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

std::vector<MeasuredPoint> measure_sweep(StudyPlan& plan, const StudyOptions& options) {
  const auto& grid = plan.grid();
  const auto outcome = run_study(plan, options);
  // By cell and replication; variants of the policies stand side by side in one.
  std::map<std::pair<std::size_t, std::size_t>, MeasuredPoint> by_place;
  for (const auto& point : outcome.points) {
    const auto where = grid.where(point.number);
    auto& place = by_place[{where.cell, where.replication}];
    auto one = measured(point, grid.cell_settings(point.number));
    place.cell = std::move(one.cell);
    place.by_policy.merge(one.by_policy);
    place.full_queues.merge(one.full_queues);
  }
  std::vector<MeasuredPoint> points;
  for (auto& [place, point] : by_place) points.push_back(std::move(point));
  return points;
}

std::string in_table(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string measured_text(const JudgedClaim& judged) {
  const auto& [claim, result] = judged;
  if (!claim.given.empty()) return claim.given;
  if (!result.value) return "no value";
  auto text = fmt::format("{:+.1f} %", *result.value);
  if (result.half_width) text += fmt::format(" ± {:.1f}", *result.half_width);
  text += fmt::format(" ({} point{}, {} seed{})", result.points,
                      result.points == 1 ? "" : "s", result.seeds,
                      result.seeds == 1 ? "" : "s");
  if (!result.point.empty()) text += fmt::format(" at {}", result.point);
  if (result.full_points > 0) {
    text += fmt::format(
        "; the queue is full for most of the time at {} of {} points: "
        "the value depends on the length of the workload",
        result.full_points, result.points);
  }
  return text;
}

StudyOptions how_to_measure(const std::string& sweep, const StudyOptions& options) {
  auto measure = options;
  measure.limits = kLimits;
  if (options.out) measure.out = *options.out / fs::path(sweep).stem();
  if (options.progress) {
    measure.progress = [&sweep, &options](std::string_view, std::size_t runs,
                                          std::size_t of) {
      options.progress(sweep, runs, of);
    };
  }
  return measure;
}

// The sweeps of the claims, ready to run; names are checked.
class Plans {
 public:
  Plans(const fs::path& folder, const ClaimsFile& file, const PolicyLibrary& library,
        const StudyOptions& options)
      : names_(sweeps_of(file)) {
    for (const auto& name : names_) {
      auto& scenario = scenarios_[name] = load_scenario((folder / name).string());
      resolve_windows(scenario);
      const auto how = how_to_measure(name, options);
      plans_[name] = std::make_unique<StudyPlan>(scenario, library,
                                                 LoadingOptions{how.limits, nullptr},
                                                 how.layout, how.audit);
    }
    for (const auto& claim : file.claims) {
      if (claim.given.empty()) check(claim);
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] StudyPlan& of(const std::string& sweep) { return *plans_.at(sweep); }

 private:
  void check(const Claim& claim) const {
    for (const auto& sweep : claim.sweeps) {
      for (const auto& policy : claim.policies) check_policy(claim, policy, sweep);
      check_where(claim, sweep);
    }
    for (const auto& sweep : claim.base_sweeps) check_policy(claim, claim.base, sweep);
    const auto at = claim.metric.find('@');
    if (at == std::string::npos) return;
    const auto of_class = std::string_view(claim.metric).substr(at + 1);
    for (const auto& sweep : claim.sweeps) {
      if (scenarios_.at(sweep).run.metrics.classes.knows(of_class)) continue;
      refuse(claim, fmt::format("{} has no class '{}'", printable(sweep),
                                printable(of_class)));
    }
  }

  void check_policy(const Claim& claim, const std::string& policy,
                    const std::string& sweep) const {
    const auto& plan = *plans_.at(sweep);
    std::vector<std::string_view> labels;
    for (std::size_t i = 0; i < plan.grid().size(); ++i) {
      for (const auto& run : plan.runs(i)) labels.push_back(run.label);
    }
    if (std::find(labels.begin(), labels.end(), policy) != labels.end()) return;
    refuse(claim, fmt::format("no policy '{}' runs in {}{}", printable(policy),
                              printable(sweep), did_you_mean(policy, labels)));
  }

  void check_where(const Claim& claim, const std::string& sweep) const {
    for (const auto& [key, values] : claim.where) {
      const auto& axes = scenarios_.at(sweep).sweep;
      const auto axis = std::find_if(axes.begin(), axes.end(),
                                     [&](const auto& it) { return it.key == key; });
      if (axis == axes.end()) {
        refuse(claim, fmt::format("where: {} has no axis {}", printable(sweep),
                                  printable(key)));
      }
      for (const auto& value : values) {
        const auto& all = axis->values;
        if (std::find(all.begin(), all.end(), value) != all.end()) continue;
        refuse(claim, fmt::format("where: {} has no {} = {}", printable(sweep),
                                  printable(key), printable(value)));
      }
    }
  }

  std::vector<std::string> names_;
  std::map<std::string, Scenario> scenarios_;
  std::map<std::string, std::unique_ptr<StudyPlan>> plans_;
};

// Of wall clock on one worker, from a tenth of the jobs of the first point.
double seconds_of_point(const SweepGrid& grid, const PolicyLibrary& library,
                        StudyOptions options) {
  constexpr std::int64_t kLeast = 200;
  constexpr std::int64_t kPart = 10;
  auto scenario = grid.point(0).scenario;
  auto& keys = scenario.workload;
  const auto all =
      static_cast<std::int64_t>(load_workload(scenario, {}).workload.jobs.size());
  const auto some = std::min(all, std::max(kLeast, all / kPart));
  if (keys.trace.empty()) {
    keys.jobs = some;
  } else {
    keys.first = some;
  }
  options.out.reset();
  options.workers = 1;
  options.progress = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = run_study(scenario, library, options);
  if (outcome.code() == kInterruptedCode) throw Interrupted{};
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return took.count() * static_cast<double>(all) / static_cast<double>(some);
}

}  // namespace

ClaimsFile load_claims(const fs::path& folder, const std::vector<std::string>& ids) {
  const auto path = (folder / "claims.toml").string();
  auto file = read_claims(path, read_text(path));
  if (!ids.empty()) keep_claims(file, ids);
  return file;
}

ClaimsOutcome run_claims(const fs::path& folder, ClaimsFile file,
                         const PolicyLibrary& library, const StudyOptions& options) {
  ClaimsOutcome outcome{std::move(file), {}};
  Plans plans(folder, outcome.file, library, options);
  Sweeps sweeps;
  for (const auto& name : plans.names()) {
    sweeps[name] = measure_sweep(plans.of(name), how_to_measure(name, options));
  }
  for (const auto& claim : outcome.file.claims) {
    const auto points =
        claim.given.empty() ? points_of(claim, sweeps) : std::vector<ClaimPoint>{};
    outcome.claims.push_back({claim, judge(claim.rule, points)});
  }
  return outcome;
}

ClaimsPlan plan_claims(const fs::path& folder, const ClaimsFile& file,
                       const PolicyLibrary& library, const StudyOptions& options) {
  Plans plans(folder, file, library, options);
  ClaimsPlan plan;
  double seconds = 0;
  for (const auto& name : plans.names()) {
    const auto& grid = plans.of(name).grid();
    const auto runs = grid.size() * plans.of(name).labels().size();
    const double one = seconds_of_point(grid, library, how_to_measure(name, options));
    plan.sweeps.push_back(
        {name, grid.size(), runs, one * static_cast<double>(grid.size())});
    seconds += plan.sweeps.back().seconds;
  }
  plan.seconds =
      seconds / static_cast<double>(std::max<std::size_t>(1, options.workers));
  return plan;
}

std::vector<std::string> unexpected(const ClaimsOutcome& outcome) {
  std::vector<std::string> lines;
  for (const auto& [claim, result] : outcome.claims) {
    if (!claim.expected || *claim.expected == result.verdict) continue;
    lines.push_back(fmt::format("{}claim {}: {}, expected: {}", claim.place,
                                printable(claim.id), text_of(result.verdict),
                                text_of(*claim.expected)));
  }
  return lines;
}

Json claims_json(const ClaimsOutcome& outcome) {
  auto claims = Json::array();
  for (const auto& judged : outcome.claims) {
    const auto& [claim, result] = judged;
    const bool is_given = !claim.given.empty();
    claims.append(
        {{"id", claim.id},
         {"says", claim.says},
         {"given", is_given ? Json(claim.given) : Json()},
         {"metric", claim.metric},
         {"policies", claim.policies},
         {"base", claim.base},
         {"value", result.value},
         {"half_width", result.half_width},
         {"points", result.points},
         {"seeds", result.seeds},
         {"point", result.point},
         {"full_points", result.full_points},
         {"verdict", is_given ? std::string_view("given") : text_of(result.verdict)},
         {"expected", claim.expected ? Json(text_of(*claim.expected)) : Json()},
         {"assumptions", claim.assumptions}});
  }
  return {{"format", 1},
          {"title", outcome.file.title},
          {"paper", outcome.file.paper},
          {"assumptions", outcome.file.assumptions},
          {"claims", claims}};
}

std::vector<ClaimPoint> points_of(const Claim& claim, const Sweeps& by_sweep) {
  return Points(claim, by_sweep).all();
}

std::string claims_table(const ClaimsOutcome& outcome) {
  auto text = fmt::format(
      "| claim | the paper says | berth measures | verdict | assumptions |\n"
      "|---|---|---|---|---|\n");
  for (const auto& judged : outcome.claims) {
    const auto verdict = judged.claim.given.empty()
                             ? std::string(text_of(judged.result.verdict))
                             : std::string("given");
    text += fmt::format(
        "| {} | {} | {} | {} | {} |\n", in_table(judged.claim.id),
        in_table(judged.claim.says), in_table(measured_text(judged)), verdict,
        in_table(fmt::format("{}", fmt::join(judged.claim.assumptions, "; "))));
  }
  if (!outcome.file.assumptions.empty()) {
    text += "\nFor all claims:\n\n";
    for (const auto& assumption : outcome.file.assumptions) {
      text += fmt::format("* {}\n", assumption);
    }
  }
  return text;
}

}  // namespace berth::study
