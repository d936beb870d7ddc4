#pragma once
// Where the jobs of a finished schedule were when: the rows of stretches.csv, or those
// of jobs.csv where no job changes its place or its speed.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/tier.hpp"
#include "engine/base/time.hpp"

namespace berth::audit {

// What a job does in a span of time.
enum class Doing : std::uint8_t { kRunning, kFrozen, kSuspended };

// A span of time in which nothing about a job changes.
struct Stay {
  JobId job;
  Time from = 0;
  std::optional<Time> to{};  // nullopt: it never leaves
  Doing doing = Doing::kRunning;
  double yield = 1;  // work per tick while it runs
  std::optional<Tier> tier{};
  std::vector<Interval> places{};  // empty while suspended
  // What the columns of the machine say of it, in their order; empty: nothing, or there
  // are none.
  std::vector<std::string> of_machine{};
};

// Whether a job that is in one stay and then in the other lost all that it had in
// between, and began anew.  REQUIRES: a machine that moves no running job.
[[nodiscard]] inline bool begins_anew(const Stay& before, const Stay& after) {
  const bool suspends =
      before.doing == Doing::kSuspended || after.doing == Doing::kSuspended;
  const bool unfreezes = before.doing == Doing::kFrozen && before.to == after.from &&
                         before.places == after.places;
  return !suspends && !unfreezes;
}

// A further column of the machine's placements, in jobs.csv and stretches.csv.
struct PlaceColumn {
  std::string_view name;
  bool is_needed = true;  // else a schedule may leave it out
  // What is wrong with a text that is not empty; empty: nothing.  Null: nothing ever
  // is.
  std::string (*wrong)(std::string_view text) = nullptr;
};

// The placement that a row tells of; nullopt if it names none of this machine.
using PlaceReader = std::function<std::optional<Placement>(const Stay&)>;

// Whether a number of the row is beyond a machine of so many processors.
[[nodiscard]] inline bool is_beyond(const Stay& stay, std::int32_t processors) {
  for (const auto& part : stay.places) {
    if (part.last >= processors) return true;
  }
  return false;
}

// The places as one set.  REQUIRES: none is there twice.
[[nodiscard]] inline IntervalSet set_of(const Stay& stay) {
  IntervalSet set;
  for (const auto& part : stay.places) set.insert(part);
  return set;
}

// Each number of the places, one named twice twice.  REQUIRES: not is_beyond() the
// machine, so that they are not many.
[[nodiscard]] inline std::vector<std::int32_t> numbers_of(const Stay& stay) {
  std::vector<std::int32_t> numbers;
  for (const auto& part : stay.places) {
    for (auto at = part.first; at <= part.last; ++at) numbers.push_back(at);
  }
  return numbers;
}

}  // namespace berth::audit
