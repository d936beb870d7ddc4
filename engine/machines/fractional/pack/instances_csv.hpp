#pragma once
// Files of packing instances, CSV with a heading:
//
//   instance,hosts,job,tasks,cpu,memory[,host]
//
// A line a job.  `cpu` and `memory` are shares of a host; `host`: where the tasks of
// the job are now, with blanks between them; empty if the job is new.  Columns may come
// in any order, and so may lines; instances are numbered by the file.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

struct Instance {
  std::int64_t number = 0;
  Problem problem = {};
};

// In the order of their first lines.  `name`: of the file, for messages.  Throws
// Error{kInput} with file:line:column at the first mistake: a column missing, unknown
// or twice; CPU outside (0, 1]; memory below 0 or not finite; tasks or hosts below 1 or
// above 1,000,000; two numbers of hosts in one instance; a job twice; a present host
// that does not exist; as many hosts as tasks not given; present hosts that overfill
// their memory.  An instance that has no packing is no mistake.
[[nodiscard]] std::vector<Instance> read_instances(std::string_view text,
                                                   const std::string& name,
                                                   Budget& budget);

// Numbers as the shortest text that reads back the same.
void write_instances(std::ostream& out, const std::vector<Instance>& instances,
                     Budget& budget);

}  // namespace berth::pack
