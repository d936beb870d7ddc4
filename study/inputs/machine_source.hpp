#pragma once
// From the [machine] keys of a scenario to the machine of its runs.

#include <any>
#include <cstdint>
#include <optional>
#include <string_view>

#include "study/scenario/scenario.hpp"

namespace berth::study {

// Throws Error{kInput}: what is wrong with the scenario, behind the name of its file.
[[noreturn]] void refuse(const Scenario& scenario, std::string_view what);

// The settings of the scenario's sharing model, with the files that they name read;
// empty if it has none.
[[nodiscard]] std::any model_settings(const Scenario& scenario);

// Those of its hosts, or that follow from the settings of its sharing model; nullopt:
// it may have any number.  Throws Error{kInput} for what is wrong with the machine.
[[nodiscard]] std::optional<std::int32_t> processors_of_machine(
    const Scenario& scenario);

}  // namespace berth::study
