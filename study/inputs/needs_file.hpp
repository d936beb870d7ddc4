#pragma once
// What jobs need beyond the trace: a CSV file with job_id and any of chunks, processors
// (of a chunk) and the kinds of the machine, memory in GiB of a chunk.  An empty cell,
// or a job that is not named: as the trace says, else 0 (docs/model.md#needs).

#include <string>

#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

class NeedsFile {
 public:
  // Reads it for the jobs of a trace, before any is left out.  Throws Error{kInput}
  // with file, line and column: no such kind or job, a job twice, an amount below 0 or
  // not finite, a fraction of a count, chunks times processors that are not the size.
  NeedsFile(const std::string& path, const Workload& trace, const Resources& resources);
  NeedsFile(ByteSource& source, const std::string& name, const Workload& trace,
            const Resources& resources);

  // Adds the columns "needs.chunks" and "needs.KIND" of the jobs that are left.
  void add_to(JobColumns& columns) const;

 private:
  // By name of the column, and job.
  std::map<std::string, std::map<std::int64_t, std::vector<double>>> values_;
};

}  // namespace berth::study
