#pragma once
// Reads a network that is a tree from the text of a CSV file.

#include <string>
#include <string_view>

#include "engine/machines/network/tree/topology.hpp"

namespace berth {

// The first line names the columns node, parent, capacity and slots, in any order; one
// line a node follows.  The root has no parent and no capacity, a server has slots, a
// switch none (empty, or 0).  Capacities are in Mb/s.  `name` is that of the file.
//
// Throws Error{kInput} with file:line:column for a missing column, a field that is not
// a number in its range, a node twice, a parent that is not there, no root or two, a
// cycle, a switch with slots, a server with children, a switch without servers, and
// more levels than Topology::kMostLevels.
[[nodiscard]] Topology tree_from_text(std::string_view text, const std::string& name);

}  // namespace berth
