#include "study/results/sweep_merge.hpp"

#include <fmt/format.h>

#include <map>

#include "bindings/tools/job_classes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/json_reading.hpp"
#include "study/common/file_source.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/results/finished_point.hpp"
#include "study/results/study_folder.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostNamed = 5;  // missing points in a message

[[noreturn]] void refuse_plan(const fs::path& part, std::string_view why) {
  throw Error(ErrorCode::kInput,
              fmt::format("{}: sweep.json cannot be read: {}",
                          printable_name(part.string()), printable(why)));
}

// What comparison_of() needs of the scenario.
Scenario scenario_of(const fs::path& part, const std::string& plan) {
  Scenario scenario;
  const JsonReader json((part / "sweep.json").string(), plan);
  for (const auto& axis : json.member("sweep").elements()) {
    scenario.sweep.push_back({axis.text("key"), axis.texts("values")});
  }
  const auto set = [&](std::string_view key, const SettingValue& value,
                       const char* member) {
    const auto wrong = set_setting(scenario, key, value);
    if (!wrong.empty()) json.member(member).fail(wrong);
  };
  scenario.run.own_metrics = own_metrics_in(json);
  if (const auto primary = json.text_or("primary", {}); !primary.empty()) {
    set("run.primary", primary, "primary");
  }
  if (json.has("classes")) {
    for (const auto& one : json.member("classes").elements()) {
      JobClasses::Named named{one.text("name"), one.text("condition")};
      const auto wrong = bindings::wrong_with(named);
      if (!wrong.empty()) one.fail(wrong);
      scenario.run.classes.add(std::move(named));
    }
  }
  set("workload.shake", json.whole_or("shake", 0), "shake");
  if (json.flag_or("resamples_users", false)) {
    set("workload.resample", std::string("users"), "resamples_users");
  }
  std::size_t points = 1;
  for (const auto& axis : scenario.sweep) {
    points *= axis.values.size();
    if (points == 0) refuse_plan(part, axis.key + " has no value");
    if (points > kMostPoints) {
      refuse_plan(part, fmt::format("more than {} points", kMostPoints));
    }
  }
  return scenario;
}

class Merge {
 public:
  explicit Merge(const std::vector<fs::path>& parts) : parts_(parts) {
    for (const auto& part : parts) read_plan(part);
    merged_.scenario = scenario_of(parts.front(), merged_.plan);
  }

  MergedSweep merge(Gaps gaps) {
    const SweepGrid grid(merged_.scenario);
    for (std::size_t i = 0; i < grid.size(); ++i) add_point(grid, i);
    for (auto& point : merged_.outcome.points) fill_up(point);
    if (gaps == Gaps::kRefuse) refuse_gaps();
    if (merged_.outcome.labels.empty()) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: no point has a result",
                              printable_name(parts_.front().string())));
    }
    return std::move(merged_);
  }

 private:
  void read_plan(const fs::path& part) {
    if (!fs::exists(part / "sweep.json")) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{}: is no folder of a sweep: it has no sweep.json",
                              printable_name(part.string())));
    }
    auto plan = read_text((part / "sweep.json").string());
    if (merged_.plan.empty())
      merged_.plan = std::move(plan);
    else if (plan != merged_.plan) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} and {} are parts of different sweeps",
                              printable_name(parts_.front().string()),
                              printable_name(part.string())));
    }
  }

  void add_point(const SweepGrid& grid, std::size_t number) {
    PointOutcome point;
    point.number = number;
    point.name = grid.name(number);
    point.settings = grid.settings(number);
    merged_.folders.emplace_back();
    for (const auto& part : parts_) {
      const auto folder = part / "points" / point.name;
      auto found = read_point(folder, {Keep::kSummary});
      // A complete one is better than one with failures.
      if (found && (merged_.folders.back().empty() || found->is_complete())) {
        merged_.folders.back() = folder;
        take(std::move(*found), point);
      }
    }
    merged_.outcome.points.push_back(std::move(point));
  }

  void take(FinishedPoint found, PointOutcome& point) {
    const auto& labels = merged_.outcome.labels;
    if (!labels.empty() && labels.size() != found.runs.size()) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: has {} policies where other points have {}",
                              point.name, found.runs.size(), labels.size()));
    }
    point.state = PointState::kReused;
    point.policies.clear();
    for (std::size_t i = 0; i < found.runs.size(); ++i) {
      PolicyOutcome run;
      run.label = found.runs[i].label;
      run.failure = found.runs[i].failure;
      if (auto& result = found.results[i]) {
        check_maker(i, point.name, result->made_by);
        run.run = std::move(result->run);
        run.summary_json = std::move(result->summary_json);
      }
      point.policies.push_back(std::move(run));
    }
    if (merged_.outcome.labels.empty()) {
      for (const auto& run : point.policies)
        merged_.outcome.labels.push_back(run.label);
    }
  }

  // One program and one text for a policy everywhere.
  void check_maker(std::size_t policy, const std::string& point,
                   const std::string& made_by) {
    const auto [at, is_new] = makers_.try_emplace(policy, made_by, point);
    if (is_new || at->second.first == made_by) return;
    throw Error(ErrorCode::kInput,
                fmt::format("points {} and {} were made by different versions of berth "
                            "or of a policy; run the older one again",
                            at->second.second, point));
  }

  // Every point has a place for every policy; what has no result is named.
  void fill_up(PointOutcome& point) {
    if (point.policies.empty()) {
      merged_.missing.push_back(point.name);
      for (const auto& label : merged_.outcome.labels) {
        point.policies.push_back({label});
      }
    }
    for (const auto& run : point.policies) {
      if (run.run || point.state == PointState::kNotBegun) continue;
      merged_.missing.push_back(fmt::format("{} {}{}{}", point.name, run.label,
                                            run.failure.text.empty() ? "" : ": ",
                                            run.failure.text));
    }
  }

  void refuse_gaps() const {
    if (merged_.missing.empty()) return;
    std::string text = fmt::format(
        "{} of the {} points or their runs have no result; run them, or "
        "let --mark-missing leave their cells without a mean:",
        merged_.missing.size(), merged_.outcome.points.size());
    for (std::size_t i = 0; i < merged_.missing.size(); ++i) {
      if (i == kMostNamed) {
        text += fmt::format("\n  and {} more", merged_.missing.size() - i);
        break;
      }
      text += "\n  " + printable(merged_.missing[i]);
    }
    const int failed = merged_.failed_code();
    throw Error(failed == kDone ? ErrorCode::kInput : static_cast<ErrorCode>(failed),
                text);
  }

  const std::vector<fs::path>& parts_;
  MergedSweep merged_;
  // By number of the policy: what made its results, at the first point they were seen.
  std::map<std::size_t, std::pair<std::string, std::string>> makers_;
};

void copy_point(const fs::path& from, const StudyFolder& folder,
                const std::string& name) {
  std::error_code failed;
  if (fs::equivalent(from, folder.point(name), failed)) return;
  const auto to = folder.begin(name);
  fs::copy(from, to->path(), fs::copy_options::recursive, failed);
  if (failed) {
    throw Error(ErrorCode::kOutput,
                fmt::format("{}: cannot be copied: {}", printable_name(from.string()),
                            failed.message()));
  }
  to->keep();
}

}  // namespace

int MergedSweep::failed_code() const {
  std::vector<int> codes;
  for (const auto& point : outcome.points) {
    for (const auto& policy : point.policies) codes.push_back(policy.failure.code);
  }
  return worst_code(codes);
}

MergedSweep merge_sweep(const std::vector<fs::path>& parts, Gaps gaps) {
  BERTH_ASSERT(!parts.empty());
  return Merge(parts).merge(gaps);
}

void write_merged(const MergedSweep& merged, const fs::path& out, Existing existing) {
  const StudyFolder folder(out, PointPlace::kInPoints, merged.plan, existing);
  for (std::size_t i = 0; i < merged.folders.size(); ++i) {
    const auto& from = merged.folders[i];
    if (!from.empty()) copy_point(from, folder, merged.outcome.points[i].name);
  }
}

}  // namespace berth::study
