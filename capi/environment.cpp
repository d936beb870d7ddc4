#include "capi/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "capi/run.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::capi {

namespace {

// As many as the queue of any real machine holds; the mask alone takes a byte for each.
constexpr std::int32_t kMostShown = 65'536;

const berth_env& checked(const berth_env& bound) {
  if (bound.jobs < 1 || bound.jobs > kMostShown) {
    wrong_use(
        fmt::format("jobs: {} is not from 1 to {} jobs shown", bound.jobs, kMostShown));
  }
  if (bound.step_limit < 0) wrong_use("step_limit is negative");
  if (bound.reserved != 0) wrong_use("reserved is not 0");
  const bool has_arrays = bound.seen != nullptr && bound.mask != nullptr &&
                          bound.ids != nullptr && bound.outcome != nullptr &&
                          bound.ended != nullptr;
  if (!has_arrays) wrong_use("an array of the environment is NULL");
  return bound;
}

}  // namespace

Environment::Environment(const berth_env& bound)
    : arrays_(checked(bound)),
      rules_(learn::rules_of(text_of(bound.choose, "choose"),
                             text_of(bound.backfill, "backfill"))),
      observation_(text_of(bound.features, "features"),
                   text_of(bound.machine, "machine")),
      decisions_(rules_, static_cast<std::size_t>(bound.jobs)),
      reward_(learn::rewarded_metric(text_of(bound.reward, "reward")),
              learn::credit_of(text_of(bound.credit, "credit"))) {
  // Those of the caller need not live as long.
  arrays_.features = arrays_.machine = arrays_.choose = nullptr;
  arrays_.backfill = arrays_.reward = arrays_.credit = nullptr;
}

const char* Environment::traits() const {
  return rules_.choose == learn::Choose::kAny ? "{}"
                                              : "{ passes = \"when_a_job_fits\" }";
}

std::int32_t Environment::reset(Run& run, std::uint64_t seed) {
  phase_ = Phase::kNew;  // until it has begun
  seed_ = seed;
  steps_ = 0;
  is_truncated_ = false;
  decisions_.begin();
  const auto jobs = run.measured_jobs();
  if (jobs == 0) wrong_use("the scenario has no jobs");
  reward_.begin(run.bound(), static_cast<std::uint32_t>(run.warm_jobs()),
                static_cast<std::int64_t>(jobs));
  run.begin(seed, &reward_);
  return settle(run, false);
}

void Environment::require_action(std::int32_t action) const {
  const auto mask = decisions_.mask();
  const bool is_one = action >= 0 && static_cast<std::size_t>(action) < mask.size();
  if (!is_one) {
    wrong_use(fmt::format("action {}: there are 0 to {}, of which {} waits", action,
                          mask.size() - 1, mask.size() - 1));
  }
  if (mask[static_cast<std::size_t>(action)] == 0) {
    wrong_use(fmt::format("action {} is masked: {}", action,
                          action == arrays_.jobs ? "waiting would come to nothing"
                          : static_cast<std::size_t>(action) < decisions_.jobs().size()
                              ? "the job may not start now"
                              : "no job is shown there"));
  }
}

std::int32_t Environment::step(Run& run, std::int32_t action) {
  if (phase_ != Phase::kUnderWay) {
    wrong_use(phase_ == Phase::kNew
                  ? "no episode has begun: berth_reset begins one"
                  : "the episode is over: berth_reset begins another");
  }
  require_action(action);
  ++steps_;
  const bool is_open = run.within_pass([&](sim::Simulation& simulation) {
    return decisions_.take(simulation, static_cast<std::size_t>(action));
  });
  return settle(run, is_open);
}

bool Environment::step_or_renew(Run& run, std::int32_t action, bool renews) {
  if (phase_ != Phase::kOver) {
    (void)step(run, action);
    return true;
  }
  if (renews) (void)reset(run, mix_bits(seed_));
  return renews;
}

// Goes on to the next decision, and shows it.
std::int32_t Environment::settle(Run& run, bool is_open) {
  const auto find = [&](sim::Simulation& simulation) {
    return decisions_.find(simulation);
  };
  bool is_found = is_open && run.within_pass(find);
  bool is_there = true;
  while (!is_found && (is_there = run.go_to_pass())) is_found = run.within_pass(find);
  if (!is_found) decisions_.clear();
  is_truncated_ = is_found && arrays_.step_limit > 0 && steps_ >= arrays_.step_limit;
  const bool is_last = !is_found || is_truncated_;
  phase_ = is_last ? Phase::kOver : Phase::kUnderWay;
  write(run, reward_.take(!is_found, is_last));
  return is_last ? 0 : static_cast<std::int32_t>(decisions_.jobs().size());
}

void Environment::write(Run& run, double reward) {
  const auto& simulation = run.simulation();
  const auto jobs = decisions_.jobs();
  const auto rows = static_cast<std::size_t>(arrays_.jobs);
  const auto& world = simulation.world();
  observation_.write(
      world, {jobs, decisions_.fits(), simulation.queue(0).length()}, rows,
      {arrays_.seen, rows * observation_.job_width() + observation_.machine_width()});
  std::copy(decisions_.mask().begin(), decisions_.mask().end(), arrays_.mask);
  auto* end = std::transform(jobs.begin(), jobs.end(), arrays_.ids,
                             [&](JobId job) { return world.jobs().job(job).id; });
  std::fill(end, arrays_.ids + rows, std::int64_t{-1});
  arrays_.outcome[0] = reward;
  arrays_.outcome[1] = to_seconds(world.now());
  arrays_.ended[0] = phase_ == Phase::kOver && !is_truncated_ ? 1 : 0;
  arrays_.ended[1] = is_truncated_ ? 1 : 0;
}

}  // namespace berth::capi

using namespace berth::capi;  // NOLINT(google-build-using-namespace): the C interface

namespace {

Environment& bound(berth_run& run) {
  if (!run.environment) wrong_use("no environment is bound: berth_bind binds one");
  return *run.environment;
}

}  // namespace

int32_t berth_bind(berth_run* run, const berth_env* env) {
  return with_run(run, [&](berth_run& it) -> std::int32_t {
    berth_env known{};
    read_struct(env, &known, sizeof(known), "env");
    Environment made(known);
    if (made.rules().plans()) it.run.require_plans();
    it.run.hand_over(made.traits());
    it.environment.emplace(std::move(made));
    return BERTH_OK;
  });
}

int32_t berth_reset(berth_run* run, uint64_t seed) {
  return with_run(run, [&](berth_run& it) -> std::int32_t {
    if (it.environment || !it.run.has_windows()) return bound(it).reset(it.run, seed);
    it.run.begin(seed, nullptr);
    return 0;
  });
}

int32_t berth_step(berth_run* run, int32_t action) {
  return with_run(run, [&](berth_run& it) { return bound(it).step(it.run, action); });
}

// NOLINTNEXTLINE(readability-function-size): the parameters are those of berth.h
int32_t berth_step_many(berth_run* const* runs, int32_t count, const int32_t* actions,
                        uint32_t flags, int32_t* failed) {
  if (failed != nullptr) *failed = -1;
  const bool is_right =
      count >= 0 && (count == 0 || (runs != nullptr && actions != nullptr));
  if (!is_right || (flags & ~BERTH_AUTO_RESET) != 0) return BERTH_USAGE;
  std::int32_t went_on = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto code = with_run(runs[i], [&](berth_run& it) -> std::int32_t {
      return bound(it).step_or_renew(it.run, actions[i], flags != 0) ? 1 : 0;
    });
    if (code < 0) {
      if (failed != nullptr) *failed = i;
      return code;
    }
    went_on += code;
  }
  return went_on;
}
