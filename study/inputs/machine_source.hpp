#pragma once
// From the [machine] keys of a scenario to the machine of its runs.

#include <any>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/hosts/host_list.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// Throws Error{kInput}: what is wrong with the scenario, behind the name of its file.
[[noreturn]] void refuse(const Scenario& scenario, std::string_view what);
// At the place of the key, where the file has it.
[[noreturn]] void refuse_key(const Scenario& scenario, std::string_view key,
                             std::string_view what);

// The settings of the scenario's sharing model, with the files that they name read;
// empty if it has none.
[[nodiscard]] std::any model_settings(const Scenario& scenario);

// Reads the hosts of machine.hosts_file, unless the machine has a form of its own for
// it.  Throws Error{kInput} as read_hosts() and machine_of(), and where the scenario
// says of hosts what the file says.
[[nodiscard]] HostMachine hosts_of_file(const Scenario& scenario, bool strict,
                                        Budget& budget);
// Makes them those of the scenario's machine.  No effect where no file is to be read.
void use_hosts(Scenario& scenario, const HostMachine& hosts);
// Both; answers what is to be said.
[[nodiscard]] std::vector<std::string> take_hosts(Scenario& scenario, bool strict,
                                                  Budget& budget);

// Those of its hosts, or that follow from the settings of its sharing model; nullopt:
// it may have any number.  Throws Error{kInput} for what is wrong with the machine.
[[nodiscard]] std::optional<std::int32_t> processors_of_machine(
    const Scenario& scenario);

}  // namespace berth::study
