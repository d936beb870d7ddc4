#pragma once
// What the jobs of a run need of each kind of resource, from the fields of the jobs and
// the columns of the side file (docs/model.md#needs).

#include <memory>
#include <span>

#include "engine/base/job_attributes.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

// Columns of a side file: chunks, processors of a chunk, and each kind by its name.
// What a column does not say of a job is as the trace has it, else 0; in a pool a job
// is one chunk.
inline constexpr const char* kChunksColumn = "needs.chunks";
inline constexpr const char* kKindColumns = "needs.";  // and the name of the kind

// `attributes`: of these jobs; may be null.  `order`: of Needs::follow().
[[nodiscard]] std::shared_ptr<Needs> needs_of(
    const sim::Machine& machine, std::span<const Job> jobs,
    const JobAttributes* attributes, std::span<const std::uint32_t> order = {});

}  // namespace berth
