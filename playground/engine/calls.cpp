// What the Worker of a page calls: one scenario at a time, and the last run on it, by
// the C interface.  Files lie in memory, where the page puts them.
//
// Times are seconds.  A text that is returned lives until the next call.

#include <emscripten.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "capi/berth.h"
#include "capi/scenario.hpp"
#include "engine/base/json.hpp"

namespace {

struct CloseScenario {
  void operator()(berth_scenario* scenario) const { berth_scenario_close(scenario); }
};
struct CloseRun {
  void operator()(berth_run* run) const { berth_close(run); }
};

// Both live as long as the Worker, which ends without telling.
std::unique_ptr<berth_scenario, CloseScenario> scenario;
std::unique_ptr<berth_run, CloseRun> run;
std::string answer;
std::vector<double> column;

const char* tell(const berth::Json& json) {
  answer = json.compact();
  return answer.c_str();
}

const char* tell_failure(const berth_error& error) {
  return tell({{"code", -error.code},
               {"text", error.text},
               {"file", error.file},
               {"line", error.line},
               {"column", error.column}});
}

const char* tell_last_failure() {
  berth_error error{};
  (void)berth_failure(run.get(), &error);
  return tell_failure(error);
}

std::string summary() {
  const auto bytes = berth_result(run.get(), nullptr, 0);
  if (bytes < 0) return {};
  std::string text(static_cast<std::size_t>(bytes) + 1, '\0');
  (void)berth_result(run.get(), text.data(), bytes + 1);
  text.pop_back();
  return text;
}

// The values that `fill(to, capacity)` writes; empty if it fails.
template <class Fill>
const double* values(const Fill& fill) {
  const auto count = fill(nullptr, std::int64_t{0});
  column.assign(static_cast<std::size_t>(count < 0 ? 0 : count), 0);
  if (!column.empty()) (void)fill(column.data(), count);
  return column.data();
}

// How far the next step goes, and when the last job is submitted.
struct Step {
  double until = 0;
  double width = 1;
  double last = 0;
} step;

Step step_of(int steps) {
  const auto* submits = values([](double* to, std::int64_t capacity) {
    return berth_scenario_column(scenario.get(), "submit", to, capacity);
  });
  if (column.empty()) return {INFINITY, 1, 0};
  const double first = submits[0];
  const double last = submits[column.size() - 1];
  const double width = std::max(1.0, (last - first) / std::max(1, steps));
  return {first + width, width, last};
}

}  // namespace

extern "C" {

// Reads a scenario: {"code": 0, "jobs": 500, "processors": 128}, or code (as the
// program exits with it), text, file, line and column of what is wrong.
EMSCRIPTEN_KEEPALIVE const char* page_open(const char* toml, int bytes) {
  run.reset();
  scenario.reset();
  berth_error error{};
  berth_scenario* opened = nullptr;
  const auto code = berth_scenario_open(toml, static_cast<std::size_t>(bytes), nullptr,
                                        &opened, &error);
  if (code < 0) return tell_failure(error);
  scenario.reset(opened);
  const auto& jobs = opened->opened->workload->loaded;
  return tell({{"code", 0},
               {"jobs", jobs.workload.jobs.size()},
               {"processors", jobs.processors}});
}

// Begins a run of a policy, audited, that is made in about so many steps: {"code": 0,
// "left": true}, or what page_open() tells of a failure.
EMSCRIPTEN_KEEPALIVE const char* page_begin(const char* policy, int steps) {
  run.reset();
  berth_options options{};
  options.struct_bytes = sizeof(options);
  options.flags = BERTH_AUDITED | BERTH_KEEP_JOBS;
  options.policy = policy;
  berth_error error{};
  berth_run* opened = nullptr;
  if (berth_open(scenario.get(), &options, &opened, &error) < 0) {
    return tell_failure(error);
  }
  run.reset(opened);
  step = step_of(steps);
  return tell({{"code", 0}, {"left", true}});
}

// Goes on: {"code": 0, "left": whether there is more, "ended": how many jobs have left,
// "now"}, or what page_open() tells of a failure.
EMSCRIPTEN_KEEPALIVE const char* page_step() {
  const auto left = berth_advance(run.get(), step.until);
  if (left < 0) return tell_last_failure();
  const auto now = step.until;
  step.until += step.width;
  step.width *= step.until > step.last ? 2 : 1;  // behind the last submit
  return tell({{"code", 0},
               {"left", left == 1},
               {"ended", berth::capi::jobs_left(*run)},
               {"now", now}});
}

// Of a run that is over: {"code": 0, "summary": the text of summary.json}, or what
// page_open() tells of a failure.
EMSCRIPTEN_KEEPALIVE const char* page_result() {
  const auto text = summary();
  return text.empty() ? tell_last_failure() : tell({{"code", 0}, {"summary", text}});
}

// Of the jobs of the scenario, by (submit, id): "id", "submit", "size", "walltime",
// "length" or "user".
EMSCRIPTEN_KEEPALIVE const double* page_jobs(const char* name) {
  return values([&](double* to, std::int64_t capacity) {
    return berth_scenario_column(scenario.get(), name, to, capacity);
  });
}

// Of the jobs that ended: "id", "start", "end" or a metric of jobs.
EMSCRIPTEN_KEEPALIVE const double* page_ended(const char* name) {
  return values([&](double* to, std::int64_t capacity) {
    return berth_column(run.get(), name, to, capacity);
  });
}

// How many values the last column had.
EMSCRIPTEN_KEEPALIVE int page_count() { return static_cast<int>(column.size()); }

}  // extern "C"
