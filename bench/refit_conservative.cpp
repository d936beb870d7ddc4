#include "bench/refit_conservative.hpp"

#include <algorithm>

namespace berth::bench {

RefitConservative::RefitConservative(std::int64_t processors, std::size_t jobs)
    : profile_(0, processors), start_(jobs, kNever), until_(jobs, 0) {
  traits_.label = "refit_conservative";
}

void RefitConservative::schedule(sim::Simulation& simulation) {
  const Time now = simulation.world().now();
  if (now > profile_.start()) profile_.advance(now);
  read(simulation);
  update(simulation);
  start_due(simulation);
}

void RefitConservative::on_end(sim::Simulation& simulation, JobId job) {
  const Time now = simulation.world().now();
  if (now > profile_.start()) profile_.advance(now);
  const auto& entry = simulation.world().jobs()[job];
  profile_.release(simulation.world().jobs().job(job).size, now,
                   std::max(now, until_[index(job)]));
  ended_early_ = ended_early_ || entry.planned_end > now;
}

void RefitConservative::read(const sim::Simulation& simulation) {
  waiting_.clear();
  const auto& queue = simulation.queue(0);
  for (auto at = queue.head(); at; at = queue.next(&*at)) {
    waiting_.push_back({at->job, simulation.world().jobs().job(at->job).size,
                        simulation.world().planned(at->job).left});
  }
  const Time now = simulation.world().now();
  late_.clear();
  for (const auto& release : simulation.world().running().releases(now)) {
    if (release.planned_end <= now) late_.push_back(release);
  }
}

void RefitConservative::update(sim::Simulation& simulation) {
  const Time now = simulation.world().now();
  const bool ended_early = std::exchange(ended_early_, false);
  const bool missed =
      std::any_of(waiting_.begin(), waiting_.end(),
                  [&](const Waiting& it) { return reserved(it.job) < now; });
  if (!extend(now) || missed) {
    rebuild(simulation);
  } else if (ended_early) {
    compress(now);
  } else {
    place_new(now);
  }
}

bool RefitConservative::extend(Time now) {
  for (const auto& release : late_) {
    auto& until = until_[index(release.job)];
    const Time from = std::max(now, until);
    if (release.at <= from) continue;
    if (profile_.least(from, release.at) < release.size) return false;
    profile_.claim(release.size, from, release.at);
    until = release.at;
  }
  return true;
}

void RefitConservative::rebuild(const sim::Simulation& simulation) {
  const Time now = simulation.world().now();
  profile_ = VectorProfile(now, profile_.capacity());
  for (const auto& each : simulation.world().running().releases(now)) {
    until_[index(each.job)] = each.at;
    profile_.claim(each.size, now, each.at);
  }
  for (const auto& waiting : waiting_) {
    reserved(waiting.job) = kNever;
    place(waiting, now);
  }
}

void RefitConservative::compress(Time now) {
  for (const auto& waiting : waiting_) {
    const Time held = reserved(waiting.job);
    if (held != kNever) {
      profile_.release(waiting.size, held, after(held, waiting.planned));
    }
    place(waiting, now);
  }
}

void RefitConservative::place_new(Time now) {
  for (const auto& waiting : waiting_) {
    if (reserved(waiting.job) == kNever) place(waiting, now);
  }
}

void RefitConservative::place(const Waiting& waiting, Time now) {
  const auto start = profile_.earliest(waiting.size, waiting.planned, now);
  reserved(waiting.job) = start.value_or(kNever);
  if (start) profile_.claim(waiting.size, *start, after(*start, waiting.planned));
}

// Those due have their claims already; the next one wakes the policy.
void RefitConservative::start_due(sim::Simulation& simulation) {
  const Time now = simulation.world().now();
  Time next = kNever;
  for (const auto& waiting : waiting_) {
    const Time at = reserved(waiting.job);
    if (at > now) {
      next = std::min(next, at);
    } else if (simulation.actions().start(waiting.job)) {
      until_[index(waiting.job)] = after(now, waiting.planned);
    }
  }
  simulation.actions().wake_at(next == kNever ? std::nullopt : std::optional(next));
}

}  // namespace berth::bench
