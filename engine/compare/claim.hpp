#pragma once
// What a paper says, judged by what was measured.
//
// A claim is a value at each point of a sweep and for each seed: how much better one
// policy is than another, or a metric of one policy.  `Over` makes one value for each
// seed of the values at the points; over the seeds, with equal draws on both sides,
// there is a t interval.
//
// Verdict      The claim holds where the interval lies on the claimed side and not
//              across 0; its size is right where the value lies where the paper has
//              it, or where the paper gives none:
//              reproduced: it holds, and the size is right;
//              right sign, other size: it holds;
//              opposite: the whole interval lies on the other side of 0;
//              not reproduced: anything else.
//              On a workload that stands in for one that is not published, a claim of
//              the right size is "right size, stand-in workload", and one that does
//              not hold is "not shown on the stand-in".

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

enum class Over : std::uint8_t {
  kMean,      // of the points
  kLargest,   // the point with the largest mean over the seeds
  kSmallest,  // the point with the smallest
  kEach,      // judged point by point: all must hold; the value is the mean
  kGrowth,    // last point of a series less its first; the mean of the series
  kWins,      // per cent of the points at which the value has the claimed sign
  kWeighted,  // mean of the points by what their values are computed from
  kSweeps,    // mean of the points of the last sweep less that of the first
};

// What the value at a point is.
enum class As : std::uint8_t {
  kPercent,  // improvement against the base, in per cent of the base
  kPoints,   // improvement against the base, of a fraction, in percentage points
  kValue,    // the metric itself
};

// From the best to the worst.
enum class ClaimVerdict : std::uint8_t {
  kReproduced,
  kRightSizeOnStandIn,
  kRightSign,
  kNotShownOnStandIn,
  kNotReproduced,
  kOpposite,
  kNotJudged,  // a fact that the model is built from, or a value that is missing
};
[[nodiscard]] std::string_view text_of(ClaimVerdict verdict);
[[nodiscard]] constexpr bool holds(ClaimVerdict verdict) {
  return verdict <= ClaimVerdict::kRightSign;
}

struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool has(double value) const { return least <= value && value <= most; }
};

struct ClaimRule {
  As as = As::kPercent;
  Over over = Over::kMean;
  Bounds reproduced;  // of the value
  // Of the whole interval; of kWins only the sign counts.
  Bounds direction;
  bool on_stand_in = false;  // the workload is not the paper's
  double confidence = 0.9;
};

// One point: what was measured there under each seed.
struct ClaimPoint {
  std::string name;             // "workload.load=0.7"
  std::vector<double> by_seed;  // in the order of the seeds
  std::string series{};         // points of a series follow each other along an axis
  std::string at{};             // where on the axis: "0.7"
  bool is_full = false;  // the queue holds jobs for most of the time: no steady state
  std::vector<double> weights{};  // by seed, for kWeighted; empty: all the same
  std::size_t sweep = 0;          // of those that the claim names
};

struct JudgedPoint {
  std::string series;
  std::string at;
  bool holds = false;
};

struct ClaimResult {
  ClaimVerdict verdict = ClaimVerdict::kNotJudged;
  std::optional<double> value;       // per cent, points or the unit of the metric
  std::optional<double> half_width;  // nullopt: fewer than two seeds
  std::string point;                 // where it is largest or smallest
  std::size_t points = 0;
  std::size_t seeds = 0;
  std::vector<JudgedPoint> each;  // kEach: the points, in their order
  std::size_t full_points = 0;    // see ClaimPoint
};

// Nothing is judged without points, or where points have not the same seeds, nor a
// growth where a series has one point, nor a difference of sweeps where there is one.
// Judged at each point, the verdict is the worst of the points if it holds at all of
// them, opposite if it is at all of them.
[[nodiscard]] ClaimResult judge(const ClaimRule& rule,
                                std::span<const ClaimPoint> points);

}  // namespace berth
