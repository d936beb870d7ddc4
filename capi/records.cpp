// What there is to be named, and the study of a scenario.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "bindings/numbered_calls.hpp"
#include "capi/failures.hpp"
#include "capi/scenario.hpp"
#include "engine/base/json.hpp"
#include "engine/learn/features.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/metrics/job_metric.hpp"
#include "study/common/version.hpp"
#include "study/inputs/windows.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::capi {

namespace {

Json primitives() {
  auto list = Json::array();
  std::int64_t number = 0;
  for (const auto& [family, primitive] : bindings::numbered_primitives()) {
    list.append(
        {{"number", number++},
         {"reach", family->reach},
         {"type", family->type},
         {"name", primitive->name},
         {"form", primitive->form() == bindings::Form::kField ? "field" : "method"},
         {"params", primitive->params},
         {"returns", primitive->returns},
         {"brief", primitive->brief},
         {"example", primitive->example}});
  }
  return list;
}

Json features() {
  auto list = Json::array();
  const auto add = [&](const char* of, const auto& records) {
    for (const auto& feature : records) {
      list.append({{"of", of},
                   {"name", feature.name},
                   {"formula", feature.formula},
                   {"brief", feature.brief}});
    }
  };
  add("job", learn::job_features());
  add("machine", learn::machine_features());
  return list;
}

Json metrics() {
  auto list = Json::array();
  for (const auto& metric : metric_records()) {
    list.append({{"name", metric.name},
                 {"unit", metric.unit},
                 {"better", word(metric.better)},
                 {"brief", metric.brief}});
  }
  return list;
}

Json columns() {
  auto list = Json::array();
  list.append({{"name", "id"}, {"unit", ""}, {"brief", "number in the trace"}});
  list.append({{"name", "start"}, {"unit", "s"}, {"brief", "first start"}});
  list.append({{"name", "end"}, {"unit", "s"}, {"brief", "end"}});
  for (const auto& metric : job_metrics()) {
    list.append(
        {{"name", metric.name}, {"unit", metric.unit}, {"brief", metric.brief}});
  }
  return list;
}

Json keys() {
  auto list = Json::array();
  for (const auto& setting : study::settings()) {
    list.append({{"key", setting.key()}, {"help", setting.help}});
  }
  return list;
}

std::string records_text() {
  const Json json{{"abi", BERTH_ABI},
                  {"version", study::version()},
                  {"primitives", primitives()},
                  {"features", features()},
                  {"metrics", metrics()},
                  {"columns", columns()},
                  {"keys", keys()}};
  return json.compact();
}

// What the caller asks for, as berth_study_options are known here.
berth_study_options read_options(const berth_study_options* given) {
  berth_study_options options{};
  if (given == nullptr) return options;
  if (given->struct_bytes != sizeof(options)) {
    wrong_use("options: struct_bytes is not sizeof(berth_study_options)");
  }
  options = *given;
  if (options.threads < 0) wrong_use("options: a negative number of threads");
  return options;
}

study::Scenario scenario_of(std::string_view toml, const char* folder,
                            const berth_study_options& options) {
  auto scenario =
      study::read_scenario_in(folder == nullptr ? "" : folder, "scenario.toml", toml);
  for (auto at = options.sets; at != nullptr && *at != nullptr; ++at) {
    study::override_setting(scenario, *at);
  }
  study::load_own_metrics(scenario, usual_limits());
  Budget budget;
  study::resolve_windows(scenario, budget);
  return scenario;
}

// Throws the worst failure of a study.
void refuse_failed(const study::StudyOutcome& outcome) {
  const auto code = outcome.code();
  if (code == study::kDone) return;
  if (code == study::kInterruptedCode) throw Interrupted{};
  for (const auto& point : outcome.points) {
    for (const auto& policy : point.policies) {
      if (policy.failure.code != code) continue;
      throw Error(static_cast<ErrorCode>(code), policy.failure.text);
    }
  }
}

std::string study_of(const study::Scenario& scenario,
                     const berth_study_options& options) {
  study::StudyOptions made;
  made.layout = scenario.sweep.empty() ? Layout::kRun : Layout::kSweep;
  made.keep = made.layout == Layout::kRun ? study::Keep::kAll : study::Keep::kSummary;
  made.summaries = true;
  made.limits = usual_limits();
  made.workers = options.threads > 0
                     ? static_cast<std::size_t>(options.threads)
                     : std::max(1U, std::thread::hardware_concurrency());
  if (options.out != nullptr) made.out = options.out;
  std::atomic<bool> is_stopped{false};
  made.interrupted = [&] { return is_stopped.load(); };
  const auto caller = std::this_thread::get_id();
  if (options.progress != nullptr) {
    made.progress = [&](std::string_view, std::size_t done, std::size_t of) {
      if (std::this_thread::get_id() != caller) return;
      const auto answer =
          options.progress(options.context, static_cast<std::int64_t>(done),
                           static_cast<std::int64_t>(of));
      if (answer != 0) is_stopped = true;
    };
  }
  const auto outcome =
      study::run_study(scenario, study::PolicyLibrary::standard(), made);
  refuse_failed(outcome);
  return study::json_array(outcome);
}

}  // namespace
}  // namespace berth::capi

using namespace berth::capi;  // NOLINT(google-build-using-namespace): the C interface

uint32_t berth_abi() { return BERTH_ABI; }

const char* berth_version() {
  static const std::string kText(berth::study::version());
  return kText.c_str();
}

const char* berth_records() {
  static const std::string kText = records_text();
  return kText.c_str();
}

int32_t berth_primitive(const char* name) {
  if (name == nullptr) return BERTH_USAGE;
  const std::string_view wanted(name);
  const auto all = berth::bindings::numbered_primitives();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto reach = all[i].family->reach;
    const bool is_it = wanted.starts_with(reach) && wanted.size() > reach.size() &&
                       wanted[reach.size()] == '.' &&
                       wanted.substr(reach.size() + 1) == all[i].primitive->name;
    if (is_it) return static_cast<std::int32_t>(i);
  }
  return BERTH_USAGE;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are those of berth.h
int32_t berth_study(const char* toml, size_t bytes, const char* folder,
                    const berth_study_options* options, char** json,
                    berth_error* error) {
  return caught(
      [&]() -> std::int32_t {
        if (json == nullptr) wrong_use("json is NULL");
        *json = nullptr;
        if (toml == nullptr) wrong_use("toml is NULL");
        const auto read = read_options(options);
        const auto text = study_of(scenario_of({toml, bytes}, folder, read), read);
        auto* made = static_cast<char*>(std::malloc(text.size() + 1));
        if (made == nullptr) throw std::bad_alloc();
        std::memcpy(made, text.c_str(), text.size() + 1);
        *json = made;
        return BERTH_OK;
      },
      error);
}

void berth_free(char* json) { std::free(json); }
