#pragma once
// What jobs wait for, as a scenario says: workload.dependencies and workload.feedback.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/jobs/job_links.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"
#include "study/links/job_arrays.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// The links of a trace as it is read, before jobs are left out or repeated: between
// places of the trace (Workload::of_trace).
struct TraceLinks {
  std::vector<JobLink> links;
  std::vector<bool> closed;       // by place
  std::vector<bool> ends_badly;   // by place; empty: none does
  std::vector<std::int64_t> ids;  // by place
  Finding missing;                // parents that the trace does not have
};

// Why jobs cannot wait for others in this scenario, besides what is wrong with their
// links; empty: they can.
[[nodiscard]] std::string wrong_links(const Scenario& scenario, bool has_csv_trace);

// Those of fields 17 and 18, with which the workload was read, or those of a file,
// plain or gzip: job_id, kind, parent, delay; @NAME is a parent for each member of the
// array.  `arrays`: null: there are none.  nullopt: the keys name neither.  Throws
// Error{kInput} for what is wrong with the file, "file:line:column: what", for a job
// that waits for itself, for a cycle, and, where missing_parent is an error, for a
// parent that is not there.
[[nodiscard]] std::optional<TraceLinks> trace_links(const LinkKeys& keys,
                                                    const Workload& workload,
                                                    const TraceArrays* arrays,
                                                    Budget& budget);

// The links of such a file alone.  `name`: for messages.
[[nodiscard]] TraceLinks read_links(ByteSource& source, const std::string& name,
                                    const Workload& workload, const TraceArrays* arrays,
                                    Budget& budget);

// The links of the jobs that are left; a copy of a job waits for the copies of its
// parents.  Null: there are none.  Adds the parents that are not there to the repairs
// of the workload.  REQUIRES: the workload has kept its places.
[[nodiscard]] std::shared_ptr<const JobLinks> links_of_jobs(TraceLinks of,
                                                            Workload& workload,
                                                            const LinkKeys& keys,
                                                            Budget& budget);

// Throws Error{kUsage} if jobs wait for others: what is called `does` cannot be done
// with such a workload.
void refuse_links(const std::shared_ptr<const JobLinks>& links, std::string_view does);

// Links by sessions (docs/model.md#feedback).
struct SessionLinks {
  TraceLinks links;
  std::string told;  // a line for the user: how many jobs each rule linked
};

// REQUIRES: the workload has its records, and has kept its places.  Adds waits that the
// records do not know to the repairs.  Throws Error{kInput} if no job names a user.
[[nodiscard]] SessionLinks links_by_sessions(Workload& workload, const LinkKeys& keys,
                                             Budget& budget);

}  // namespace berth::study
