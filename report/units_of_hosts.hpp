#pragma once
// Kinds of resource that hosts count in few units, such as GPUs, as parts of hosts.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/places.hpp"
#include "engine/machines/drawn_places.hpp"
#include "engine/output/summary_json.hpp"

namespace berth::report {

class UnitsOfHosts {
 public:
  // Kinds of which no host has more than 16; others are no rows.
  explicit UnitsOfHosts(const std::vector<RowsOfHosts>& groups);

  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }
  // Of jobs.csv: what a job needs in all, by kind.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }

  // Appends what a job has that needs so much of a kind, by its number, and holds these
  // processors: as much on a host as of its processors, for the chunks of a job are
  // equal.  O(processors).  REQUIRES: there are hosts; need <= 10^9.
  void add(std::size_t kind, std::int64_t need, std::span<const Interval> held,
           std::vector<DrawnPart>& to) const;

 private:
  // The first of hosts that are alike.
  struct FirstHost {
    std::int64_t host;
    std::int64_t processor;
    std::int32_t each;
  };

  // How many of these processors each host has, by host.
  using Held = std::vector<std::pair<std::int64_t, std::int64_t>>;
  [[nodiscard]] Held by_host(std::span<const Interval> held) const;
  [[nodiscard]] std::int64_t host_of(std::int32_t processor) const;

  std::vector<std::string> kinds_;
  std::vector<std::string> columns_;
  std::vector<FirstHost> firsts_;
};

}  // namespace berth::report
