#pragma once
// Rule R2, the promise of conservative backfilling: the reservation of a job never
// moves later, and it starts no later than the first one.
//
// While a running job has overrun its walltime nobody is judged, and what is reserved
// then is the new promise.
//
// Source       Mu'alem and Feitelson 2001; spec README 2, backfilling 5.2.

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth::audit {

class ReservationPromise {
 public:
  // The promise that the new start breaks; nullopt: it keeps it.
  [[nodiscard]] std::optional<Time> reserve(JobId job, std::optional<Time> start,
                                            bool overrun) {
    if (!start) return promises_.erase(index(job)), std::nullopt;
    const auto [at, is_new] = promises_.try_emplace(index(job), *start);
    const Time before = at->second;
    at->second = *start;
    if (is_new || overrun) return std::nullopt;
    ++judged_;
    return *start > before ? std::optional(before) : std::nullopt;
  }

  // The promise that a start now breaks.
  [[nodiscard]] std::optional<Time> start(JobId job, Time now, bool overrun) {
    const auto at = promises_.find(index(job));
    if (at == promises_.end()) return std::nullopt;
    const Time promised = at->second;
    promises_.erase(at);
    if (overrun) return std::nullopt;
    ++judged_;
    return now > promised ? std::optional(promised) : std::nullopt;
  }

  // A job stopped later than its walltime said: what was promised before is void.
  void forgive() { promises_.clear(); }
  // Promises judged so far.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  std::unordered_map<std::uint32_t, Time> promises_;  // looked up only
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
