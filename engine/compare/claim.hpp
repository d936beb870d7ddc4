#pragma once
// What a paper says, judged by what was measured.
//
// A claim compares one policy with another at some points of a sweep: the improvement
// of a metric in per cent, at each point and seed.  Over the points it takes the mean,
// the largest or the smallest; over the seeds, with equal draws on both sides, a t
// interval.
//
// Verdict      reproduced: the value lies where the paper has it, and the interval lies
//              on the claimed side and not across 0;
//              direction only: the interval lies on the claimed side, or the claim may
//              not be judged higher (it says why);
//              not reproduced: anything else.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/confidence.hpp"

namespace berth {

enum class Over : std::uint8_t { kMean, kLargest, kSmallest };

enum class ClaimVerdict : std::uint8_t {
  kReproduced,
  kDirectionOnly,
  kNotReproduced,
  kNotJudged,  // a fact that the model is built from, or a value that is missing
};
[[nodiscard]] std::string_view text_of(ClaimVerdict verdict);

struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool has(double value) const { return least <= value && value <= most; }
};

struct ClaimRule {
  Over over = Over::kMean;
  Bounds reproduced;                              // of the value
  Bounds direction;                               // of the whole interval
  ClaimVerdict best = ClaimVerdict::kReproduced;  // what it can be at most
  double confidence = 0.9;
};

// One point: what was measured there under each seed.
struct ClaimPoint {
  std::string name;             // "workload.load=0.7"
  std::vector<double> by_seed;  // improvements in per cent, in the order of the seeds
  bool is_full = false;  // the queue holds jobs for most of the time: no steady state
};

struct ClaimResult {
  ClaimVerdict verdict = ClaimVerdict::kNotJudged;
  std::optional<double> value;       // per cent
  std::optional<double> half_width;  // nullopt: fewer than two seeds
  std::string point;                 // where it is largest or smallest
  std::size_t points = 0;
  std::size_t seeds = 0;
  std::size_t full_points = 0;  // see ClaimPoint
};

// Nothing is judged without points, or where points have not the same seeds.
[[nodiscard]] ClaimResult judge(const ClaimRule& rule,
                                std::span<const ClaimPoint> points);

}  // namespace berth
