#pragma once
// Levels over time, from timeline.csv, and the bands in which replications lie.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "report/columns.hpp"

namespace berth::report {

// Its columns in order, by bin.
struct Timeline {
  std::vector<std::string> names;  // "queue_mean", ... without from and to
  std::vector<double> from;        // s
  std::vector<double> to;
  std::vector<std::vector<double>> values;  // by name, then bin
  std::size_t replications = 0;             // that its bands are of; 0: it has none
};

// Throws Error{kInput}, "file:line:column: column: what is wrong".
[[nodiscard]] Timeline read_timeline(const std::filesystem::path& file, Budget& budget);

// Adds the columns queue_low, queue_high, used_low and used_high: quantiles of 5 and
// 95 % (type 7) over the means that the timelines in these files have in a bin; a run
// that is over has nothing in its queue and in use.  First all bins, then those that
// the page makes of 8 and of 64 of them.
// Cost         O(n log n) in files for each bin
void add_bands(Timeline& of, std::span<const std::filesystem::path> files,
               Budget& budget);

// In thousandths; the page merges bins.
[[nodiscard]] Json timeline_columns(const Timeline& of, Blocks& blocks);

}  // namespace berth::report
