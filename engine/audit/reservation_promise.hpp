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
#include <utility>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth::audit {

class ReservationPromise {
 public:
  // The promise that the new start breaks; nullopt: it keeps it.
  [[nodiscard]] std::optional<Time> reserve(JobId job, std::optional<Time> start,
                                            bool overrun) {
    if (!start) return promises_.erase(index(job)), std::nullopt;
    const Held made{*start, pardons_};
    const auto [at, is_new] = promises_.try_emplace(index(job), made);
    const Held before = std::exchange(at->second, made);
    if (is_new || overrun || before.pardons != pardons_) return std::nullopt;
    ++judged_;
    return *start > before.start ? std::optional(before.start) : std::nullopt;
  }

  // The promise that a start now breaks.
  [[nodiscard]] std::optional<Time> start(JobId job, Time now, bool overrun) {
    const auto at = promises_.find(index(job));
    if (at == promises_.end()) return std::nullopt;
    const Held promised = at->second;
    promises_.erase(at);
    if (overrun || promised.pardons != pardons_) return std::nullopt;
    ++judged_;
    return now > promised.start ? std::optional(promised.start) : std::nullopt;
  }

  // A job stopped later than its walltime said: what was promised before is void.
  void forgive() { ++pardons_; }
  // Promises judged so far.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct Held {
    Time start;
    std::int64_t pardons;  // there had been when it was made
  };
  std::unordered_map<std::uint32_t, Held> promises_;  // looked up only
  std::int64_t pardons_ = 0;
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
