#include "engine/machines/fractional/task_hosts.hpp"

#include <fmt/format.h>

#include <iterator>

namespace berth {

void TaskHosts::text(const IntervalSet&, std::string& to) const {
  fmt::format_to(std::back_inserter(to), "{}", fmt::join(hosts, " "));
}

}  // namespace berth
