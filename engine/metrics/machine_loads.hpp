#pragma once
// Capability of measures: how far parts of a machine are in use, for loads.csv.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace berth {

// A part of the machine, such as a link or the slots of a server.
struct LoadedPart {
  std::string group;          // "server links"
  std::string name;           // "server 3"
  std::int64_t capacity = 0;  // in the unit of its load; 0: it does not count
};

class MachineLoads {
 public:
  virtual ~MachineLoads() = default;
  // The same for the whole run, those of a group together.  O(parts).
  [[nodiscard]] virtual std::vector<LoadedPart> loaded_parts() const = 0;
  // By part, what is in use now.  It changes at most when a job starts, is suspended or
  // ends.
  [[nodiscard]] virtual std::span<const std::int64_t> loads() const = 0;
};

}  // namespace berth
