#pragma once
// Places in schedules that are finer than numbers of processors or hosts: parts of
// hosts, of which each may be shared.  A chart draws a row for each of them.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace berth {

struct DrawnPart {
  std::int32_t host = 0;
  std::int32_t part = 0;   // of the host
  std::int64_t share = 0;  // how much of it, in a unit of the machine's; 0: all
};

// A column of jobs.csv that tells them.
struct DrawnColumn {
  std::string_view name;
  // Appends the parts of a text, one that is there twice twice; false: it tells none.
  bool (*read)(std::string_view text, std::vector<DrawnPart>& to);
};

// Of all machines.
[[nodiscard]] std::span<const DrawnColumn> drawn_columns();

}  // namespace berth
