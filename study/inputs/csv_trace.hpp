#pragma once
// Jobs from a CSV trace, with what they need in the same line.
//
// Format       The first line names the columns; each other line is a job.  Fields are
//              job_id, name, submit, length, walltime, size, user, group, queue,
//              partition, and those of workload.needs on this machine;
//              [workload.columns] says which columns they rest on.  Columns of no field
//              are passed over.
// Defaults     job_id and submit: the number of the row, from 1; size: 1; walltime: the
//              length; the others: unknown

#include <string>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/base/mapped_table.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"
#include "study/inputs/job_cells.hpp"

namespace berth::study {

// Whether a trace of this name is one, by its ending.
[[nodiscard]] bool is_csv_trace(std::string_view path);

struct CsvTrace {
  Workload workload;
  JobValues values;  // of the form; the column "name" has the names
};

struct CsvTraceKeys {
  FieldFormulas columns{};
  bool needs_length = true;  // else it may be missing
};

// Throws Error{kInput} "file:line:column: what".  `needs`: the form of workload.needs.
[[nodiscard]] CsvTrace read_csv_trace(ByteSource& source, const std::string& name,
                                      const CsvTraceKeys& keys, JobFileForm needs,
                                      Budget& budget);

}  // namespace berth::study
