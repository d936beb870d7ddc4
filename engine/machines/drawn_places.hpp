#pragma once
// Places that are finer than numbers of processors or hosts: parts of hosts, of which
// each may be shared.  A chart of a schedule draws a row for each of them, a picture of
// a moment a row of them for each host.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

class Placement;

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

// All parts of a machine, and those that a job has.
struct DrawnHosts {
  struct DrawnHost {
    std::string name;
    std::int32_t parts = 0;
  };
  std::string_view name;         // of the parts, together: "devices"
  std::vector<DrawnHost> hosts;  // by number
  std::int64_t whole = 1;        // a part, in the unit of the shares
  // Appends the parts of a placement that the machine made.
  void (*add)(const Placement& placement, std::vector<DrawnPart>& to) = nullptr;
};

// Of all machines.
[[nodiscard]] std::span<const DrawnColumn> drawn_columns();

}  // namespace berth
