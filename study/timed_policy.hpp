#pragma once
// A policy that passes everything on and knows how long it took.

#include <cstdint>

#include "engine/sim/policy.hpp"

namespace berth::study {

class TimedPolicy final : public sim::Policy {
 public:
  // The other policy outlives this one.
  explicit TimedPolicy(sim::Policy& inner) : inner_(inner) {}

  [[nodiscard]] const sim::PolicyTraits& traits() const override {
    return inner_.traits();
  }
  void schedule(sim::Simulation& simulation) override;
  void on_submit(sim::Simulation& simulation, JobId job) override {
    inner_.on_submit(simulation, job);
  }
  void on_end(sim::Simulation& simulation, JobId job) override {
    inner_.on_end(simulation, job);
  }
  [[nodiscard]] double key(sim::Simulation& simulation, std::size_t order,
                           JobId job) override {
    return inner_.key(simulation, order, job);
  }
  [[nodiscard]] std::int64_t drawn() const override { return inner_.drawn(); }

  // Time of the passes by the wall, in seconds.
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double longest() const { return longest_; }
  [[nodiscard]] std::int64_t passes() const { return passes_; }

 private:
  sim::Policy& inner_;
  double total_ = 0;
  double longest_ = 0;
  std::int64_t passes_ = 0;
};

// Processor time of this thread so far, in seconds.
[[nodiscard]] double thread_seconds();

}  // namespace berth::study
