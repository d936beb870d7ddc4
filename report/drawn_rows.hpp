#pragma once
// Rows of a Gantt chart for parts of hosts, such as devices: as many for each part as
// its shares need to stand side by side.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "report/jobs_file.hpp"

namespace berth::report {

struct DrawnRows {
  std::vector<std::string> names;  // "12:3": part 3 of host 12, by host and part
  std::int32_t each = 1;           // rows of each of them, 1 to 20
};

// Puts rows in the place of the processors of all jobs; nullopt: no job has parts, and
// nothing changes.  Parts that no job ever had have no row, and jobs without parts no
// place.
//
// A part is as high as the most that was taken of one at a time; shares stand where the
// first gaps are, in several pieces if one is too small.
// Cost         O(n log n) in parts of jobs
[[nodiscard]] std::optional<DrawnRows> draw_parts(JobsOfFile& of, Budget& budget);

// {"names": [...], "each": n}, for the page.
[[nodiscard]] Json lanes_of(const DrawnRows& rows);
inline constexpr std::string_view kTiersCaption =
    " Of each processor's row the upper half is the foreground, the lower half the "
    "background; hatched: frozen; a thin line: suspended.";
inline constexpr std::string_view kRowsCaption =
    " Where hosts have parts, such as devices, each part that a job ever had is a row, "
    "12:3 the fourth of host 12; shares of one stand side by side.";

}  // namespace berth::report
