#pragma once
// workload.arrays: which jobs are members of an array, and how many of them may run at
// once (docs/model.md#arrays).

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/jobs/limits.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// The arrays of a trace as it is read, before jobs are left out or repeated.
struct TraceArrays {
  struct NamedArray {
    std::optional<std::int64_t> limit;     // of running members; nullopt: none
    std::vector<std::uint32_t> members{};  // places in the trace
  };
  std::map<std::string, NamedArray, std::less<>> by_name;
};

// Those of the file, plain or gzip: array, job_id, limit.  nullopt: the keys name none.
// Throws Error{kInput} for what is wrong with the file, "file:line:column: what".
[[nodiscard]] std::optional<TraceArrays> trace_arrays(const LinkKeys& keys,
                                                      const Workload& workload,
                                                      Budget& budget);

// The same of a source, plain.  `name`: for messages.
[[nodiscard]] TraceArrays read_arrays(ByteSource& source, const std::string& name,
                                      const Workload& workload, Budget& budget);

// Makes those of the jobs that are left; the copies of members that one round makes are
// an array of their own.  Null: no array has a limit.
// REQUIRES: the workload has kept its places.
[[nodiscard]] std::shared_ptr<const LimitedArrays> arrays_of_jobs(
    const TraceArrays& of, const Workload& workload, Budget& budget);

}  // namespace berth::study
