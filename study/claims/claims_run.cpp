#include "study/claims/claims_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/metrics/metric_record.hpp"
#include "study/common/file_source.hpp"
#include "study/scenario/scenario_reader.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

using Sweeps = std::map<std::string, std::vector<MeasuredPoint>>;

[[noreturn]] void refuse(const Claim& claim, std::string_view what) {
  throw Error(ErrorCode::kInput,
              fmt::format("claim {}: {}", printable(claim.id), what));
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
  MeasuredPoint result{cell, {}};
  for (const auto& policy : point.policies) {
    if (!policy.run) {
      throw Error(static_cast<ErrorCode>(policy.failure.code),
                  fmt::format("{}: {}", point.name, policy.failure.text));
    }
    result.by_policy.emplace(policy.label, measured(policy.run->summary));
  }
  return result;
}

std::vector<MeasuredPoint> measure_sweep(const Scenario& scenario,
                                         const PolicyLibrary& library,
                                         const StudyOptions& options) {
  const SweepGrid grid(scenario);
  const auto outcome = run_study(scenario, library, options);
  std::vector<MeasuredPoint> points;
  points.reserve(outcome.points.size());
  for (const auto& point : outcome.points) {
    points.push_back(measured(point, grid.cell(point.number / grid.replications())));
  }
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
  text += fmt::format(" ({} points, {} seeds)", result.points, result.seeds);
  if (!result.point.empty()) text += fmt::format(" at {}", result.point);
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

}  // namespace

ClaimsOutcome run_claims(const fs::path& folder, const PolicyLibrary& library,
                         const StudyOptions& options) {
  const auto path = (folder / "claims.toml").string();
  ClaimsOutcome outcome{read_claims(path, read_text(path)), {}};
  Sweeps sweeps;
  for (const auto& name : sweeps_of(outcome.file)) {
    sweeps[name] = measure_sweep(load_scenario((folder / name).string()), library,
                                 how_to_measure(name, options));
  }
  for (const auto& claim : outcome.file.claims) {
    const auto points =
        claim.given.empty() ? points_of(claim, sweeps) : std::vector<ClaimPoint>{};
    outcome.claims.push_back({claim, judge(claim.rule, points)});
  }
  return outcome;
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
