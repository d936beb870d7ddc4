#pragma once
// Which jobs waited for which, from links.csv (engine/output/links_csv.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/jobs/job_links.hpp"
#include "report/columns.hpp"
#include "report/jobs_file.hpp"

namespace berth::report {

// Between places in JobsOfFile::jobs, by child.  Throws Error{kInput},
// "file:line:column: column: what is wrong", for a missing column, an unknown kind and
// a job that is not in `jobs`.
[[nodiscard]] std::vector<JobLink> read_links_of(const std::string& file,
                                                 const JobsOfFile& jobs,
                                                 Budget& budget);

// As columns, for the page: {"kinds": names, "columns": {"child", "parent", "kind"}}.
[[nodiscard]] Json link_columns(const std::vector<JobLink>& links, Blocks& blocks);

}  // namespace berth::report
