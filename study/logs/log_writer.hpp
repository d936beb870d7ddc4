#pragma once
// Writes jobs in the formats that other programs read.
//
// Determinism  the same log gives the same bytes; reading what was written and writing
// it
//              again gives the same bytes, too

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/output/sink.hpp"
#include "engine/workload/formats/log.hpp"

namespace berth::study {

// The columns of the job table; those of kinds of resource come behind them.
inline constexpr std::string_view kJobTableColumns =
    "job_id,submit,size,length,walltime,memory,user,group,executable,queue,partition,"
    "status,wait,nodes,source_id";

// What a format cannot hold of a log, and how often it is there.
struct NotHeld {
  std::string what;
  std::int64_t count = 0;
};

struct LogTarget {
  std::string_view name;    // of --to
  std::string_view suffix;  // of a file in it; empty: it is named by --to alone
  std::string_view what;
  std::vector<NotHeld> (*not_held)(const JobLog& log);
  bool needs_size;  // of the machine
  // REQUIRES: each job has its record, and the size is known if it is needed.
  void (*write)(const JobLog& log, Sink& sink, Budget& budget);
};

[[nodiscard]] const std::vector<LogTarget>& log_targets();

// The columns of the job table, and its rows: "job_id,submit,...".
void write_job_table(const JobLog& log, Sink& sink, Budget& budget);

// "kind,number,name": the numbers that names, and ids that are no numbers, have.
[[nodiscard]] std::string legend_text(const JobLog& log);

// "class,line,column,id,text": every line that was repaired or left out.
[[nodiscard]] std::string repairs_text(const Workload& workload);

// Jobs from 1 in their order, users to partitions from 1 by first appearance, the first
// submit at 0; no start time, ids and names of the source.
void anonymise(JobLog& log, Budget& budget);

}  // namespace berth::study
