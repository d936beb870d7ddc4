#include "capi/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "capi/failures.hpp"
#include "engine/base/spelling.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::capi {

namespace {

using bindings::PlainValue;
using Type = PlainValue::Type;

study::PolicyChoice choice_of(const char* policy) {
  auto choice = study::parse_policy_choice(policy);
  if (!choice) wrong_use("policy: " + choice.reason());
  return std::move(choice.value());
}

// A policy of this scenario.
std::unique_ptr<study::LoadedPolicy> load(const study::Scenario& scenario,
                                          const study::PolicyLibrary& library,
                                          const char* policy,
                                          const study::LoadingOptions& options) {
  auto with = scenario;
  with.policies = {choice_of(policy)};
  auto loaded = std::move(study::load_policies(with, library, options).front());
  if (loaded->failure.code != study::kDone) {
    throw Error(static_cast<ErrorCode>(loaded->failure.code), loaded->failure.text);
  }
  return loaded;
}

// A policy that leaves every decision to the caller.
std::unique_ptr<study::LoadedPolicy> load_caller(
    const OpenScenario& opened, const std::optional<std::string>& traits,
    const study::LoadingOptions& options) {
  auto text = fmt::format("local traits = {}\n", traits.value_or("{}"));
  text += "traits.schedule = function() end\nreturn traits\n";
  return study::load_text(opened.scenario, opened.library,
                          {"caller", "traits", std::move(text)}, options);
}

study::Scenario with_seed(study::Scenario scenario, std::uint64_t seed) {
  if (seed != 0) scenario.seed = static_cast<std::int64_t>(seed);
  return scenario;
}

PlainValue plain(const berth_value& value) {
  PlainValue made;
  switch (value.type) {
    case BERTH_NIL: break;
    case BERTH_BOOLEAN:
    case BERTH_INTEGER:
    case BERTH_TABLE: made.whole = value.as.integer; break;
    case BERTH_NUMBER: made.number = value.as.number; break;
    case BERTH_TEXT:
      if (value.bytes < 0) wrong_use("arguments: a text of negative length");
      if (value.as.text == nullptr && value.bytes > 0) {
        wrong_use("arguments: a text is NULL");
      }
      made.text = {value.as.text, static_cast<std::size_t>(value.bytes)};
      break;
    case BERTH_HANDLE:
    case BERTH_SELECTION: made.handle = value.as.handle; break;
    default: wrong_use("arguments: a value of no type");
  }
  made.type = static_cast<Type>(value.type);
  return made;
}

static_assert(static_cast<int>(Type::kNil) == BERTH_NIL &&
              static_cast<int>(Type::kText) == BERTH_TEXT &&
              static_cast<int>(Type::kHandle) == BERTH_HANDLE &&
              static_cast<int>(Type::kTable) == BERTH_TABLE &&
              bindings::kTheQueue == BERTH_THE_QUEUE);

}  // namespace

Run::Run(std::shared_ptr<const OpenScenario> opened, RunOptions options)
    : opened_(std::move(opened)),
      options_(std::move(options)),
      prepared_(with_seed(opened_->scenario, options_.seed), opened_->workload) {
  prepared_.expected = opened_->expected;
  loading_.limits = options_.limits;
  study_.limits = loading_.limits;
  study_.layout = Layout::kRun;
  study_.audit = options_.is_audited ? study::Audit::kOn : study::Audit::kOff;
  begin(options_.seed, nullptr);
}

void Run::require_plans() {
  const auto why = simulation().world().hosts().traits().cannot_plan;
  if (!why.empty()) wrong_use("no reservation on this machine: " + std::string(why));
}

void Run::hand_over(std::string traits) {
  if (options_.policy || (options_.traits && !is_bound_)) {
    wrong_use("an environment decides by itself: policy = NULL, traits = NULL");
  }
  options_.traits = std::move(traits);
  is_bound_ = true;
}

void Run::begin(std::uint64_t seed, sim::Observer* beside) {
  stepped_.reset();
  others_.clear();
  news_.clear();
  ended_.reset();
  unjudged_.reset();
  is_over_ = false;
  try {
    make(seed, beside);
  } catch (...) {
    dead_ = study::failure_now();  // there is no run any more
    throw;
  }
}

void Run::make(std::uint64_t seed, sim::Observer* beside) {
  if (options_.windows.jobs > 0) keep_window(prepared_, options_.windows.at(seed));
  policy_ = options_.policy ? load(prepared_.scenario, opened_->library,
                                   options_.policy->c_str(), loading_)
                            : load_caller(*opened_, options_.traits, loading_);
  if (policy_->policy) policy_->policy->keep_users();
  stepped_ = std::make_unique<study::SteppedRun>(prepared_, *policy_, study_, news_);
  if (beside != nullptr) simulation().audience().observe(*beside);
  if (options_.windows.warm > 0) warm_up();
}

// Another policy decides before the first job that is measured is submitted.
void Run::warm_up() {
  auto& policy = other_policy(options_.windows.warm_policy.c_str());
  const Time first = prepared_.point.jobs[options_.windows.warm].submit;
  (void)go_on([&] {
    while (simulation().to_pass(first - 1)) {
      policy.schedule(simulation());
      simulation().close_pass();
    }
    return true;
  });
}

std::size_t Run::measured_jobs() const {
  return options_.windows.jobs > 0 ? options_.windows.jobs
                                   : opened_->workload->loaded.workload.jobs.size();
}

void Run::refuse_dead() const {
  if (dead_) throw Error(static_cast<ErrorCode>(dead_->code), dead_->text);
}

void Run::keep(const berth_error& error) { failure_ = error; }

bool Run::is_open() {
  const auto& decision = simulation().world().decision();
  return !is_over_ && decision.phase == sim::Phase::kDecision;
}

void Run::refuse_bound() const {
  if (is_bound_)
    wrong_use("an environment decides in this run: berth_reset, berth_step");
}

void Run::require_open() {
  refuse_bound();
  if (!is_open()) wrong_use("no pass is open: berth_next opens one");
}

void Run::check_audit() {
  const auto* broken = stepped_->run().failure();
  if (broken != nullptr) throw audit::AuditFailure(*broken);
}

bool Run::go_on(const std::function<bool()>& step) {
  try {
    const bool goes_on = step();
    check_audit();
    return goes_on;
  } catch (...) {
    const auto failure = study::failure_now();
    const bool is_limit = failure.code != static_cast<int>(ErrorCode::kPolicy);
    if (is_limit || !is_open()) dead_ = failure;
    throw;
  }
}

void Run::close_pass() {
  if (is_open()) simulation().close_pass();
  news_.clear();
}

// Nothing can happen any more.
void Run::end() {
  simulation().finish();
  is_over_ = true;
}

// What is wrong with the run as a whole is told by its result, but a broken rule here.
void Run::judge() {
  if (!is_over_ || ended_ || unjudged_) return;
  try {
    auto result = stepped_->conclude();
    if (result.audit_failure) throw audit::AuditFailure(*result.audit_failure);
    ended_ = std::move(result);
  } catch (const Error& error) {
    unjudged_ = study::failure_now();
    if (error.code() == ErrorCode::kPolicy) return;
    dead_ = unjudged_;
    throw;
  }
}

bool Run::go_to_pass() {
  const bool is_there = go_on([&] {
    close_pass();
    return simulation().to_pass(kNever);
  });
  if (!is_there) end();
  if (!is_there && options_.is_audited) judge();
  return is_there;
}

std::int32_t Run::next() {
  refuse_bound();
  if (is_over_) return 0;
  const bool is_there = go_to_pass();
  if (!is_there) judge();
  return is_there ? 1 : 0;
}

std::int32_t Run::advance(double until) {
  refuse_bound();
  if (std::isnan(until)) wrong_use("until is no number");
  if (is_over_) return 0;
  const auto ticks = std::isinf(until) && until > 0 ? std::optional(kNever)
                                                    : ticks_from_seconds(until);
  if (!ticks) wrong_use("until is no time");
  const bool goes_on = go_on([&] {
    close_pass();
    return simulation().advance(*ticks);
  });
  if (!goes_on) end();
  judge();
  return goes_on ? 1 : 0;
}

// Another policy decides by the orders of the run's own, so it may have none.
sim::Policy& Run::other_policy(const char* name) {
  auto& entry = others_[name];
  if (entry == nullptr) {
    auto loaded = load(prepared_.scenario, opened_->library, name, loading_);
    const auto& traits = loaded->decider().traits();
    const bool is_plain = traits.orders.empty() && traits.default_order == 0 &&
                          !traits.has_on_submit && !traits.has_on_end &&
                          loaded->policy != nullptr;
    if (!is_plain) {
      wrong_use(
          fmt::format("{}: it has orders or hooks of its own: give it as the "
                      "policy of a run",
                      loaded->label));
    }
    loaded->policy->begin(simulation());
    entry = std::move(loaded);
  }
  return *entry->policy;
}

void Run::delegate(const char* name) {
  require_open();
  auto& policy = name == nullptr ? policy_->decider() : other_policy(name);
  (void)go_on([&] {
    policy.schedule(simulation());
    return true;
  });
}

bindings::NumberedCalls& Run::calls() {
  require_open();
  if (policy_->policy == nullptr) {
    wrong_use("the policy recorded has no script through which to call");
  }
  return policy_->policy->calls(simulation());
}

std::span<const PlainValue> Run::call(std::int32_t primitive,
                                      std::span<const berth_value> arguments) {
  auto& to = calls();
  const auto known = bindings::numbered_primitives().size();
  if (primitive < 0 || static_cast<std::size_t>(primitive) >= known) {
    wrong_use(fmt::format("there is no primitive {}", primitive));
  }
  arguments_.clear();
  arguments_.reserve(arguments.size());
  for (const auto& value : arguments) arguments_.push_back(plain(value));
  std::span<const PlainValue> results;
  (void)go_on([&] {
    results = to.call(static_cast<std::size_t>(primitive), arguments_);
    return true;
  });
  return results;
}

std::span<const PlainValue> Run::walk(std::uint64_t selection) {
  auto& to = calls();
  std::span<const PlainValue> results;
  (void)go_on([&] {
    results = to.walk(selection);
    return true;
  });
  const bool is_over = results.empty() || results.front().type == Type::kNil;
  return is_over ? std::span<const PlainValue>() : results;
}

std::span<const JobId> Run::jobs(std::int32_t set) {
  require_open();
  const auto& world = simulation().world();
  jobs_.clear();
  switch (set) {
    case BERTH_SUBMITTED: return news_.submitted;
    case BERTH_ENDED: return news_.ended;
    case BERTH_QUEUE:
      jobs_.reserve(simulation().queue(world.traits().default_order).length());
      simulation()
          .queue(world.traits().default_order)
          .for_each(
              [&](const JobQueue::Member& each) { jobs_.push_back(each.place.job); });
      return jobs_;
    case BERTH_RUNNING: find_running(); return jobs_;
    default: wrong_use("there is no such set of jobs");
  }
}

// In the order of cluster:running().
void Run::find_running() {
  const auto found = call(berth_primitive("cluster.running"), {});
  const auto selection = found.front().handle;
  for (auto next = walk(selection); !next.empty(); next = walk(selection)) {
    jobs_.push_back(
        JobId{static_cast<std::uint32_t>(next.front().handle / bindings::kKinds)});
  }
}

void Run::read_fields(std::span<const JobId> jobs, std::span<const std::int32_t> fields,
                      double* out, std::size_t stride) {
  const auto all = bindings::numbered_primitives();
  std::vector<std::size_t> numbers;
  numbers.reserve(fields.size());
  for (const auto field : fields) {
    const bool is_one = field >= 0 && static_cast<std::size_t>(field) < all.size() &&
                        all[static_cast<std::size_t>(field)].family->reach == "job" &&
                        all[static_cast<std::size_t>(field)].primitive->form() ==
                            bindings::Form::kField;
    if (!is_one) wrong_use(fmt::format("{} is the number of no field of jobs", field));
    numbers.push_back(static_cast<std::size_t>(field));
  }
  auto& to = calls();
  (void)go_on([&] {
    to.read_fields(jobs, numbers, out, stride);
    return true;
  });
}

std::string Run::result() {
  judge();
  if (unjudged_) throw Error(static_cast<ErrorCode>(unjudged_->code), unjudged_->text);
  return ended_ ? ended_->summary_json : stepped_->summary_so_far();
}

std::uint64_t Run::hash() const {
  return stepped_ == nullptr ? 0 : stepped_->run().metrics().schedule_hash();
}

const Outcomes& Run::outcomes() const {
  return ended_ ? ended_->outcomes : stepped_->run().metrics().outcomes();
}

std::vector<double> Run::column(std::string_view name) {
  judge();
  if (!options_.keeps_jobs) wrong_use("columns are kept for runs with BERTH_KEEP_JOBS");
  if (unjudged_) throw Error(static_cast<ErrorCode>(unjudged_->code), unjudged_->text);
  const auto& outcomes = this->outcomes();
  const auto metrics = job_metrics();
  const auto metric = std::find_if(metrics.begin(), metrics.end(),
                                   [&](const auto& each) { return each.name == name; });
  const bool is_time = name == "start" || name == "end";
  if (metric == metrics.end() && !is_time && name != "id") {
    wrong_use("there is no such column of jobs that ended");
  }
  std::vector<double> values;
  values.reserve(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto outcome = outcomes[i];
    const bool has_ended =
        outcome.state == JobState::kFinished || outcome.state == JobState::kFailed;
    if (!has_ended) continue;
    const auto& job = outcomes.workload()[index(outcome.job)];
    if (is_time) {
      const auto span = name == "start" ? outcome.wait : outcome.response;
      values.push_back(to_seconds(job.submit + span));
    } else if (metric == metrics.end()) {
      values.push_back(static_cast<double>(job.id));
    } else {
      const auto value = metric->value(outcome, prepared_.point.run.metrics.bound);
      const double scale = metric->in_ticks() ? static_cast<double>(kSecond) : 1.0;
      values.push_back(value ? *value / scale
                             : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return values;
}

std::size_t jobs_left(const berth_run& run) { return run.run.outcomes().size(); }

}  // namespace berth::capi

using namespace berth::capi;  // NOLINT(google-build-using-namespace): the C interface

namespace {

// Writes the first `capacity` values; how many there are.
std::int32_t write_values(std::span<const berth::bindings::PlainValue> values,
                          berth_value* out, std::int32_t capacity) {
  const auto room = out == nullptr ? 0 : std::max(0, capacity);
  const auto count = std::min(values.size(), static_cast<std::size_t>(room));
  for (std::size_t i = 0; i < count; ++i) {
    const auto& value = values[i];
    auto& to = out[i];
    to = berth_value{};
    to.type = static_cast<std::int32_t>(value.type);
    switch (to.type) {
      case BERTH_NUMBER: to.as.number = value.number; break;
      case BERTH_TEXT:
        to.as.text = value.text.data();
        to.bytes = static_cast<std::int32_t>(value.text.size());
        break;
      case BERTH_HANDLE:
      case BERTH_SELECTION: to.as.handle = value.handle; break;
      default: to.as.integer = value.whole;
    }
  }
  return static_cast<std::int32_t>(values.size());
}

}  // namespace

int32_t berth_open(berth_scenario* scenario, const berth_options* options,
                   berth_run** out, berth_error* error) {
  return caught(
      [&]() -> std::int32_t {
        if (out == nullptr) wrong_use("out is NULL");
        *out = nullptr;
        if (scenario == nullptr) wrong_use("scenario is NULL");
        auto read = read_options(options, *scenario->opened);
        *out = new berth_run{{scenario->opened, std::move(read)}};
        return BERTH_OK;
      },
      error);
}

int32_t berth_next(berth_run* run) {
  return with_run(run, [](berth_run& it) { return it.run.next(); });
}

int32_t berth_advance(berth_run* run, double until) {
  return with_run(run, [&](berth_run& it) { return it.run.advance(until); });
}

int32_t berth_delegate(berth_run* run, const char* policy) {
  return with_run(run, [&](berth_run& it) -> std::int32_t {
    it.run.delegate(policy);
    return BERTH_OK;
  });
}

// NOLINTNEXTLINE(readability-function-size): the parameters are those of berth.h
int32_t berth_call(berth_run* run, int32_t primitive, const berth_value* arguments,
                   int32_t count, berth_value* results, int32_t capacity) {
  return with_run(run, [&](berth_run& it) {
    if (count < 0 || (count > 0 && arguments == nullptr)) {
      wrong_use("arguments are NULL, or their number is negative");
    }
    const std::span given(arguments, static_cast<std::size_t>(count));
    return write_values(it.run.call(primitive, given), results, capacity);
  });
}

int32_t berth_walk(berth_run* run, uint64_t selection, berth_value* results,
                   int32_t capacity) {
  return with_run(run, [&](berth_run& it) {
    return write_values(it.run.walk(selection), results, capacity);
  });
}

// NOLINTNEXTLINE(readability-function-size): the parameters are those of berth.h
int64_t berth_jobs(berth_run* run, int32_t set, const int32_t* fields, int32_t count,
                   uint64_t* handles, double* out, int64_t capacity) {
  return with_run(run, [&](berth_run& it) -> std::int64_t {
    if (count < 0 || (count > 0 && fields == nullptr)) {
      wrong_use("fields are NULL, or their number is negative");
    }
    const auto jobs = it.run.jobs(set);
    const auto all = static_cast<std::int64_t>(jobs.size());
    if (all > capacity) return all;
    if (out != nullptr) {
      it.run.read_fields(jobs, {fields, static_cast<std::size_t>(count)}, out,
                         static_cast<std::size_t>(capacity));
    }
    for (std::size_t i = 0; handles != nullptr && i < jobs.size(); ++i) {
      handles[i] = berth::index(jobs[i]) * berth::bindings::kKinds;
    }
    return all;
  });
}

int64_t berth_result(berth_run* run, char* json, int64_t capacity) {
  return with_run(run, [&](berth_run& it) -> std::int64_t {
    const auto text = it.run.result();
    const auto bytes = static_cast<std::int64_t>(text.size());
    if (json != nullptr && bytes < capacity) {
      std::memcpy(json, text.c_str(), text.size() + 1);
    }
    return bytes;
  });
}

int64_t berth_column(berth_run* run, const char* name, double* out, int64_t capacity) {
  return with_run(run, [&](berth_run& it) -> std::int64_t {
    const auto values = it.run.column(text_of(name, "name"));
    const auto count = static_cast<std::int64_t>(values.size());
    if (out != nullptr && count <= capacity) {
      std::copy(values.begin(), values.end(), out);
    }
    return count;
  });
}

uint64_t berth_hash(const berth_run* run) {
  return run == nullptr ? 0 : run->run.hash();
}

int32_t berth_failure(const berth_run* run, berth_error* error) {
  if (run == nullptr) return BERTH_USAGE;
  const auto& failure = run->run.failure();
  if (error != nullptr) *error = failure.value_or(berth_error{});
  return failure ? failure->code : BERTH_OK;
}

void berth_close(berth_run* run) { delete run; }
