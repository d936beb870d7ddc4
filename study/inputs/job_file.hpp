#pragma once
// Numbers of jobs from a CSV file beside the workload: what they need, use or ask for.
//
// Format       The first line names job_id and columns of the form, in any order; each
//              other line is of one job.  Empty lines are passed over.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"
#include "study/inputs/job_cells.hpp"

namespace berth::study {

// chunks, processors (of a chunk) and the kinds of the machine, memory in GiB of a
// chunk and kept in KiB (docs/model.md#needs).
[[nodiscard]] JobFileForm needs_form(const Resources& resources);

// Reads the values of the jobs of a workload as it was read or made, before anything is
// left out, repeated or numbered anew.  A line may also be of a job that the reader of
// the trace left out (Workload::not_jobs); it is passed over.
// Throws Error{kInput} "file:line:column: what" for what the form has not, a job that
// the workload has not, and more lines of a job than the form says, or fewer but none.
[[nodiscard]] JobValues read_job_file(ByteSource& source, const std::string& name,
                                      const Workload& workload, const JobFileForm& form,
                                      Budget& budget);

// Joins the values with the columns, whose jobs are those of that workload.
void add(JobColumns& columns, const JobValues& values);

// Throws Error{kInput} at file:1:1 for the first job that is left without the line that
// it must have.  REQUIRES: `of_trace` is that of the jobs to run.
void check_has_lines(const JobValues& values,
                     const std::vector<std::uint32_t>& of_trace);

}  // namespace berth::study
