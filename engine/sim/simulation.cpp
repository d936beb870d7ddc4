#include "engine/sim/simulation.hpp"

#include "engine/base/error.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/loop.hpp"
#include "engine/sim/releases.hpp"

namespace berth::sim {

// NOLINTNEXTLINE(readability-function-size): a run is made of so many parts
Simulation::Simulation(const Machine& machine, const Settings& settings,
                       std::span<const Job> jobs, Policy& policy,
                       std::unique_ptr<SharingModel> model, JobReleases* releases)
    : world_(machine, settings, jobs, policy, std::move(model)),
      orders_(world_, policy, *this),
      plans_(world_),
      actions_(world_, orders_, plans_, *this),
      loop_(std::make_unique<Loop>(world_, orders_, plans_, policy, *this, releases)) {
  if (releases != nullptr) audience().observe(*releases);
  if (auto* limits = orders_.limits()) audience().observe(*limits);
}

Simulation::~Simulation() = default;

bool Simulation::shows(JobId job) const {
  const auto* limits = orders_.limits();
  return limits == nullptr || limits->shows(job);
}

bool Simulation::advance(Time until) { return loop_->advance(until); }

bool Simulation::to_pass(Time until) { return loop_->to_pass(until); }

void Simulation::close_pass() { loop_->close_pass(); }

void Simulation::finish() { loop_->finish(); }

}  // namespace berth::sim
