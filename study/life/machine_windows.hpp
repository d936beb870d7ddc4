#pragma once
// machine.windows: times that are kept for maintenance, or for some users, from a file.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/workload/byte_source.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// Why the machine of this scenario cannot have windows; empty: it can, or has none.
[[nodiscard]] std::string wrong_windows(const Scenario& scenario);

struct RoomOfWindows {
  std::int32_t processors;
  std::vector<Interval> hosts;  // the processors of each; empty: a pool
};
// The windows of a source, plain, as those of a file.  `name`: for messages.
[[nodiscard]] std::vector<MachineWindow> read_machine_windows(ByteSource& source,
                                                              const std::string& name,
                                                              const RoomOfWindows& room,
                                                              Budget& budget);

// The windows of the file, plain or gzip, in its order: name, from, to, processors (of
// a machine with hosts hosts) and, if they are there, announced, users and at_start
// (wait or hit).  Null: the key names no file.  `processors`: of the machine.  Throws
// Error{kInput} for what is wrong with the file, "file:line:column: what".
[[nodiscard]] std::shared_ptr<const std::vector<MachineWindow>> machine_windows(
    const Scenario& scenario, std::int32_t processors, Budget& budget);

}  // namespace berth::study
