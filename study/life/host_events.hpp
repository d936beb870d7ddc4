#pragma once
// When hosts go down and come back: machine.events, from a file, and machine.failures,
// which are drawn.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/hosts/host_event_source.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::study {

struct Scenario;

// Which key that lets hosts go down is wrong, and why; empty: none is.  REQUIRES: hosts
// that a file has are read.
[[nodiscard]] std::pair<std::string, std::string> wrong_events(
    const Scenario& scenario);

// Which of the keys about checkpoints is wrong, and why; empty: none is.
[[nodiscard]] std::pair<std::string_view, std::string> wrong_checkpoints(
    const Scenario& scenario);

// A run that draws them keeps them beside jobs.csv, in the form of machine.events.
inline constexpr std::string_view kHostEventsFile = "host_events.csv";

struct HostsOfEvents {
  bool are_processors;  // of a pool, so that the column is called so
  std::int32_t count;
  Duration expected_repair;  // of rows that do not say when a host returns
};
// The events of a file, plain or gzip.  `name`: for messages.  Throws Error{kInput},
// "name:line:column: what".
[[nodiscard]] std::vector<HostEvent> read_host_events(ByteSource& source,
                                                      const std::string& name,
                                                      const HostsOfEvents& of,
                                                      Budget& budget);

// The events of the scenario's file: time, event (down or up), hosts or in a pool
// processors, until.  Rows may be in any order.  Null: the key names no file.
// `processors`: of the machine.  Throws Error{kInput} for what is wrong with the file,
// "file:line:column: what".
[[nodiscard]] std::shared_ptr<const std::vector<HostEvent>> host_events(
    const Scenario& scenario, std::int32_t processors, Budget& budget);

// Whether failures are drawn.
[[nodiscard]] bool draws_failures(const Scenario& scenario);
// What is drawn of the hosts, from the seed of the scenario.  Null: nothing.
// `processors`: of the machine.  REQUIRES: wrong_events() finds nothing.
[[nodiscard]] std::shared_ptr<const DrawnFailures> drawn_failures(
    const Scenario& scenario, std::int32_t processors);

}  // namespace berth::study
