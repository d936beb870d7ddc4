#pragma once
// Hosts as a file tells them, and the machine that they make: groups of like hosts.
//
// Order        groups stand in the order of their first hosts in the file
// Names        a group has the name of its first host, with '_' in place of what a
//              setting's name cannot have

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// A host, or several that differ in their names alone.
struct ListedHost {
  std::string name;
  LogPlace place{};
  std::int64_t count = 1;
  std::int64_t processors = 0;
  std::int64_t memory = 0;  // KiB; 0: it is not told
  NamedAmounts kinds{};     // of each; none is 0
  bool takes_jobs = true;
  std::vector<std::string> partitions{};
};

struct HostList {
  std::string file;  // as the user typed it
  std::vector<ListedHost> hosts{};
  bool is_pool = false;              // hosts that are told by their number alone
  std::vector<std::string> notes{};  // what was not read
};

struct HostMachine {
  std::vector<HostGroup> groups{};           // empty: a pool
  std::optional<std::int32_t> processors{};  // of a pool
  // Names of the partitions by number, from 1; empty: their numbers are their names.
  std::vector<std::string> partitions{};
  std::vector<std::string> said{};
};

struct HostOptions {
  HostStates states = HostStates::kAll;
  bool strict = false;  // hosts in several partitions are an error
};

// Throws Error{kInput} "file:line:column: what" for a name that stands twice, a host
// without processors, more of them than a machine may have, and where no host is left.
[[nodiscard]] HostMachine machine_of(const HostList& list, const HostOptions& options,
                                     Budget& budget);

// The [machine] of a scenario.
[[nodiscard]] std::string machine_text(const HostMachine& machine);

}  // namespace berth::study
