#pragma once
// A run as an environment: what an agent sees, may do, and gets for it.

#include <cstdint>

#include "capi/berth.h"
#include "engine/learn/decisions.hpp"
#include "engine/learn/features.hpp"
#include "engine/learn/mean_reward.hpp"

namespace berth::capi {

class Run;

class Environment {
 public:
  // Throws Error{kUsage}.  The arrays outlive the environment.
  explicit Environment(const berth_env& bound);

  // The passes that its decisions need, as traits of a policy.
  [[nodiscard]] const char* traits() const;
  [[nodiscard]] const learn::Rules& rules() const { return rules_; }

  // As berth_reset() and berth_step(), of a run that is bound to it.
  [[nodiscard]] std::int32_t reset(Run& run, std::uint64_t seed);
  [[nodiscard]] std::int32_t step(Run& run, std::int32_t action);
  // As of berth_step_many(): an episode that is over begins anew, where `renews`.
  // Whether the run went on.
  [[nodiscard]] bool step_or_renew(Run& run, std::int32_t action, bool renews);

 private:
  enum class Phase : std::uint8_t { kNew, kUnderWay, kOver };

  void require_action(std::int32_t action) const;
  [[nodiscard]] std::int32_t settle(Run& run, bool is_open);
  void write(Run& run, double reward);

  berth_env arrays_;
  learn::Rules rules_;
  learn::Observation observation_;
  learn::Decisions decisions_;
  learn::MeanReward reward_;
  Phase phase_ = Phase::kNew;
  bool is_truncated_ = false;
  std::uint64_t seed_ = 0;  // of the episode
  std::int64_t steps_ = 0;  // of it, so far
};

}  // namespace berth::capi
