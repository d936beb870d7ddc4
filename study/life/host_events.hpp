#pragma once
// machine.events: when hosts go down and come back, from a file.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/hosts/host_events.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// Why hosts cannot go down in this scenario; empty: they can, or none does.
[[nodiscard]] std::string wrong_events(const Scenario& scenario);

// Which of the keys about checkpoints is wrong, and why; empty: none is.
[[nodiscard]] std::pair<std::string_view, std::string> wrong_checkpoints(
    const Scenario& scenario);

// The events of the file, plain or gzip: time, event (down or up), hosts or in a pool
// processors, until.  Rows may be in any order.  Null: the key names no file.
// `processors`: of the machine.  Throws Error{kInput} for what is wrong with the file,
// "file:line:column: what".
[[nodiscard]] std::shared_ptr<const std::vector<HostEvent>> host_events(
    const Scenario& scenario, std::int32_t processors, Budget& budget);

}  // namespace berth::study
