#pragma once
// What a job needs of one kind of resource, in all its chunks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/hosts/kinds.hpp"

namespace berth {

// `kinds`: of the machine.
[[nodiscard]] inline std::int64_t need_in_all(const Needs& needs, JobId job,
                                              const std::vector<ResourceKind>& kinds,
                                              std::size_t kind) {
  const auto need = needs.of(job);
  return need[kind] * (kinds[kind].is_on_hosts ? need.chunks : 1);
}

}  // namespace berth
