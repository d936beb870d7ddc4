// Bytes as a list of hosts: what Slurm says of its nodes, a table or a platform.
//
// Promises: pieces of any length read the same; a machine has at least one processor on
// each of its hosts and no more than ten million; its TOML is the same machine again;
// what is refused is refused in one printable line with its place.

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>

#include "study/hosts/host_formats.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

struct Reading {
  std::optional<study::HostMachine> machine;
  std::string error;  // if there is none
};

Reading read(std::string_view bytes, const study::HostOptions& options,
             std::size_t step) {
  test::MemorySource source{std::string(bytes), step};
  Reading reading;
  try {
    const auto list = study::read_hosts(source, "x", test::unlimited());
    reading.machine = study::machine_of(list, options, test::unlimited());
  } catch (const Error& error) {
    fuzz::check_message(error);
    reading.error = error.what();
    expect(reading.error.starts_with("x:"), "a message names the file", reading.error);
  }
  return reading;
}

void check_groups(const study::HostMachine& machine) {
  std::set<std::string> names;
  for (const auto& group : machine.groups) {
    expect(group.count >= 1 && group.processors >= 1, "a group has hosts", group.name);
    expect(group.memory >= 0, "memory is an amount", group.name);
    expect(names.insert(group.name).second, "groups have names of their own",
           group.name);
    for (const auto& kind : group.resources) {
      expect(kind.second > 0, "kinds are there", kind.first);
    }
  }
}

// The TOML is the machine again, unless a kind has a name that no setting has or there
// are more amounts than a scenario may name.
void check_text(const study::HostMachine& machine) {
  const auto text = study::machine_text(machine);
  study::Scenario scenario;
  try {
    scenario = study::read_scenario("x.toml", text);
  } catch (const Error&) {
    bool has_kinds = false;
    for (const auto& group : machine.groups) {
      has_kinds = has_kinds || !group.resources.empty();
    }
    expect(has_kinds, "a machine without kinds is a scenario", text);
    return;
  }
  study::HostMachine again;
  again.groups = scenario.machine.resources.hosts;
  again.processors = scenario.processors;
  again.partitions = machine.partitions;
  expect(study::machine_text(again) == text, "the text is the machine", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const int choice = bytes.byte();
  const study::HostOptions options{
      (choice & 1) != 0 ? study::HostStates::kUp : study::HostStates::kAll,
      (choice & 2) != 0};
  const auto text = bytes.rest();
  const auto whole = read(text, options, std::string::npos);
  const auto parts = read(text, options, 1 + text.size() % 13);
  expect(whole.error == parts.error, "pieces of any length read the same", parts.error);
  if (!whole.machine) return 0;
  check_groups(*whole.machine);
  expect(study::machine_text(*whole.machine) == study::machine_text(*parts.machine),
         "pieces of any length read the same");
  check_text(*whole.machine);
  return 0;
}
