#include "engine/machines/exclusive/exclusive_law.hpp"

#include <variant>

namespace berth::audit {

namespace {

constexpr std::array kOfStart{kWholePlacement, kCapacity};

}  // namespace

LawTerms ExclusiveLaw::countable() {
  return {.of_start = kOfStart, .is_countable = true};
}

ExclusiveLaw::ExclusiveLaw(const sim::Machine& machine, std::span<const Job> jobs,
                           const LawTerms& terms, FitLaw* fit)
    : Law(terms, fit),
      jobs_(jobs),
      processors_(machine.processors),
      idle_(0, machine.processors - 1) {}

Verdict ExclusiveLaw::start(JobId job, const Placement* placement, bool) {
  // A job of the system has a host, whatever its size.
  const bool is_of_system = index(job) >= jobs_.size();
  const bool is_whole = placement != nullptr && !placement->has_form() &&
                        (is_of_system || placement->parts() == jobs_[index(job)].size);
  if (!is_whole) {
    return Fault{kWholePlacement,
                 "it does not hold as many processors as it asked for"};
  }
  const auto& processors = placement->processors();
  if (!idle_.contains(processors)) {
    return Fault{kCapacity,
                 "it was given a processor that serves another job or does not exist"};
  }
  idle_.erase(processors);
  held_.insert(job, {processors});
  return std::nullopt;
}

void ExclusiveLaw::leave(JobId job) { idle_.insert(held_.take(job).processors); }

void ExclusiveLaw::freeze(JobId job, bool frozen) { held_.at(job).frozen = frozen; }

double ExclusiveLaw::rate(JobId job) const {
  return held_.find(job)->frozen ? 0.0 : 1.0;
}

}  // namespace berth::audit
