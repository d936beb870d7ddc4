#include "study/metrics/own_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "bindings/tools/run_waits.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/explain/explainer.hpp"
#include "engine/machines/metric_list.hpp"
#include "study/common/file_source.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

using bindings::LoadedSource;
using bindings::MetricScript;

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.find_first_of("/\\") == std::string_view::npos &&
         name != ".." && name != ".";
}

// What a metric requires stands beside its file.
MetricScript::Library beside(const std::string& file) {
  const auto folder = fs::path(file).parent_path();
  return [folder](std::string_view name) -> std::optional<LoadedSource> {
    if (!is_plain_name(name)) return std::nullopt;
    const auto base = std::string(name) + ".lua";
    auto text = read_text_below(folder.empty() ? "." : folder.string(),
                                (folder / base).string());
    if (!text) return std::nullopt;
    return {{base, *std::move(text)}};
  };
}

// The same from the texts that were loaded.
MetricScript::Library among(const std::vector<LoadedSource>& sources) {
  return [&sources](std::string_view name) -> std::optional<LoadedSource> {
    const auto base = std::string(name) + ".lua";
    const auto at = std::find_if(sources.begin() + 1, sources.end(),
                                 [&](const auto& each) { return each.name == base; });
    if (at == sources.end()) return std::nullopt;
    return *at;
  };
}

[[noreturn]] void refuse(const OwnMetric& own, std::string_view what) {
  const bool is_typed = own.place.empty() && !own.is_of_claims;
  throw Error(is_typed ? ErrorCode::kUsage : ErrorCode::kInput,
              own.place +
                  (is_typed ? std::string("--metric: ") : std::string("metrics: ")) +
                  std::string(what));
}

MetricScript::Of script_kind_of(const OwnMetric& own) {
  return own.is_of_claims ? MetricScript::Of::kClaims : MetricScript::Of::kFile;
}

void load(OwnMetric& own, const bindings::Limits& limits) {
  const auto base = fs::path(own.file).filename().string();
  const MetricScript script({own.name(), base, read_text(own.file)}, limits,
                            beside(own.file), script_kind_of(own));
  const auto& record = script.record();
  if (!own.name().empty() && own.name() != record.name) {
    refuse(own, fmt::format("{} is the metric '{}', not '{}'; call it so", base,
                            record.name, printable(own.name())));
  }
  own.record = record;
  own.sources = script.sources();
}

bool is_named(const std::vector<OwnMetric>& all, const std::string& file) {
  return std::any_of(all.begin(), all.end(), [&](const auto& own) {
    std::error_code failed;
    return fs::equivalent(own.file, file, failed);
  });
}

void check_names(const std::vector<OwnMetric>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (all[i].name() != all[j].name()) continue;
      refuse(all[i],
             fmt::format("{} and {} are both the metric '{}'",
                         fs::path(all[j].file).filename().string(),
                         fs::path(all[i].file).filename().string(), all[i].name()));
    }
  }
}

// Times of the bins, and of each level the means and maxima, divided by the unit.
std::shared_ptr<const bindings::StepsSource> binned(const TimelineBins& bins,
                                                    std::size_t level,
                                                    double unit = 1) {
  auto made = std::make_shared<bindings::StepsSource>();
  for (std::size_t i = 0; i < bins.bins().size(); ++i) {
    const auto& bin = bins.bins()[i];
    const auto span = static_cast<double>(bins.to(i) - bins.from(i));
    made->times.push_back(bins.from(i));
    made->end = bins.to(i);
    made->values.push_back(static_cast<double>(bin.integral[level]) / span / unit);
    made->most.push_back(static_cast<double>(bin.maximum[level]) / unit);
  }
  return made;
}

using NamedLevels = decltype(bindings::ToolRun::levels);

NamedLevels levels_of(const LevelBins& bins) {
  NamedLevels all{{"queue", binned(bins.common(), 0)},
                  {"idle", binned(bins.common(), 1)},
                  {"used", binned(bins.common(), 2)}};
  for (std::size_t i = 0; i < bins.names().size(); ++i) {
    all.emplace_back(bins.names()[i], binned(bins.of_machine()[i], 0, bins.unit(i)));
  }
  return all;
}

NamedLevels levels_of(const LevelSteps& steps) {
  NamedLevels all;
  const auto times = steps.times();
  const auto names = steps.level_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto made = std::make_shared<bindings::StepsSource>();
    const auto values = steps.values(i);
    made->times.assign(times.begin(), times.end() - (times.empty() ? 0 : 1));
    made->values.reserve(values.size());
    for (const auto value : values) {
      made->values.push_back(static_cast<double>(value) / steps.unit_of(i));
    }
    made->end = times.empty() ? 0 : times.back();
    all.emplace_back(names[i], std::move(made));
  }
  return all;
}

// By job of the workload.
std::vector<double> by_job(const bindings::MetricAnswer& answer,
                           const std::vector<JobId>& rows, std::size_t jobs) {
  std::vector<double> all(jobs, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < rows.size(); ++i) all[index(rows[i])] = answer.each[i];
  return all;
}

}  // namespace

void load_own_metrics(Scenario& scenario, const bindings::Limits& limits) {
  auto& all = scenario.run.own_metrics;
  std::string shown;
  for (const auto part : metric_names(scenario.run.metrics_shown)) {
    std::string name(part);
    if (is_metric_file(part)) {
      OwnMetric own{name};
      load(own, limits);
      name = own.name();
      if (!is_named(all, own.file)) all.push_back(std::move(own));
    }
    shown += (shown.empty() ? "" : ",") + name;
  }
  scenario.run.metrics_shown = shown;
  for (auto& own : all) {
    if (own.sources.empty()) load(own, limits);
  }
  check_names(all);
}

Json own_metrics_json(const std::vector<OwnMetric>& metrics) {
  auto list = Json::array();
  for (const auto& own : metrics) {
    list.append({{"name", own.name()},
                 {"unit", own.record.unit},
                 {"better", word(own.record.better)},
                 {"says", own.record.brief}});
  }
  return list;
}

std::vector<OwnMetric> own_metrics_in(const JsonReader& plan) {
  std::vector<OwnMetric> all;
  if (!plan.has("metrics")) return all;
  for (const auto& one : plan.member("metrics").elements()) {
    OwnMetric own;
    own.record = {one.text("name"),
                  one.text("unit"),
                  {},
                  one.text("says"),
                  better_of(one.text("better"))};
    all.push_back(std::move(own));
  }
  return all;
}

bool is_metric_text(std::string_view text) {
  constexpr std::string_view kReturn = "return metric";
  return text.starts_with(kReturn) ||
         text.find("\n" + std::string(kReturn)) != std::string_view::npos;
}

OwnMeasures::OwnMeasures(const Scenario& scenario, const Point& point,
                         const bindings::Limits& limits, MachineMeasure* measure,
                         Levels levels)
    : scenario_(scenario), point_(point) {
  bool needs_levels = levels == Levels::kWhole;
  for (const auto& own : point.run.own_metrics) {
    BERTH_ASSERT(!own.sources.empty());
    const auto& text = own.sources.front();
    scripts_.push_back(std::make_unique<MetricScript>(
        bindings::PolicyFile{own.name(), text.name, text.text}, limits,
        among(own.sources), script_kind_of(own)));
    const auto& needs = scripts_.back()->needs();
    needs_levels = needs_levels || needs.levels;
    needs_reasons_ = needs_reasons_ || needs.reasons;
  }
  if (scripts_.empty() && !needs_levels) return;
  details_.emplace(point.jobs.size(), measure);
  if (needs_levels) {
    steps_.emplace(measure);
  } else {
    bins_.emplace(measure);
  }
}

OwnMeasures::~OwnMeasures() = default;

sim::Inspector* OwnMeasures::inspector() { return reasons_.get(); }

std::vector<sim::Observer*> OwnMeasures::observers(const sim::Policy& policy) {
  std::vector<sim::Observer*> all;
  if (details_) all.push_back(&*details_);
  if (steps_) all.push_back(&*steps_);
  if (bins_) all.push_back(&*bins_);
  if (needs_reasons_) {
    ExplainWhat what;
    what.all = true;
    reasons_ = std::make_unique<Explainer>(policy, std::move(what));
    all.push_back(reasons_.get());
  }
  return all;
}

bindings::ToolRun OwnMeasures::run_of(const Summary& summary,
                                      const MeasuredRun& finished) const {
  bindings::ToolRun run;
  run.policy = finished.label;
  run.title = scenario_.title;
  run.seed = point_.settings.seed;
  run.summary = &summary;
  run.outcomes = &finished.outcomes;
  run.window = window_of(point_.jobs, point_.run.measure, point_.run.warmup_fraction);
  run.bound = point_.run.metrics.bound;
  run.machine = &point_.machine;
  run.details = &*details_;
  run.checked = finished.checked;
  run.weights = scenario_.shares.users;
  run.expected_ends = finished.expected_ends;
  run.attributes = needs_of_kinds(point_.machine, point_.attributes.get());
  run.levels = steps_ ? levels_of(*steps_) : levels_of(*bins_);
  if (reasons_ != nullptr) {
    auto frames = bindings::run_waits(reasons_->waits());
    run.waits = std::move(frames.waits);
    run.blocks = std::move(frames.blocks);
    run.blockers = std::move(frames.blockers);
  }
  run.setting = [this, resolved = std::optional<Scenario>()](
                    std::string_view key) mutable -> std::optional<SettingValue> {
    const auto* setting = find_setting(key);
    if (setting == nullptr) {
      throw Error(ErrorCode::kUsage, fmt::format("there is no setting '{}'{}",
                                                 printable(key), key_suggestion(key)));
    }
    if (!resolved) resolved = resolved_scenario(scenario_, point_);
    return setting->value(*resolved);
  };
  return run;
}

OwnMeasures::OfJobs OwnMeasures::add_to(Summary& summary,
                                        const MeasuredRun& finished) const {
  OfJobs of_jobs;
  if (scripts_.empty()) return of_jobs;
  const auto run = run_of(summary, finished);
  const auto& classes = point_.run.metrics.classes;
  std::vector<Metric> whole;
  std::vector<Metric> of_classes;
  for (const auto& script : scripts_) {
    const auto& record = script->record();
    auto answer = script->ask(run, nullptr);
    whole.push_back({record.name, answer.value, record.unit, answer.n});
    if (script->is_each()) {
      const bindings::RunObject object(run);
      of_jobs[record.name] = by_job(answer, *object.finished(), point_.jobs.size());
    }
    for (const auto& one : classes) {
      answer = script->ask(run, &one);
      of_classes.push_back({fmt::format("{}@{}", record.name, one.name()), answer.value,
                            record.unit, answer.n});
    }
  }
  summary.add(std::move(whole));
  summary.metrics.insert(summary.metrics.end(), of_classes.begin(), of_classes.end());
  return of_jobs;
}

}  // namespace berth::study
