#pragma once
// A set of jobs to run: from a trace, from a model, or made in a test.
//
// Invariant    jobs are in the order (submit, id); ids are unique; size >= 1, length
//              and walltime >= 0.  A job wider than the machine is part of the
//              workload; the machine rejects it.
// Memory       64 bytes a job, 40 more if the recorded fields of the trace are kept, 4
//              more if the places of the jobs are

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// The largest job number: every integer up to it is exact as a double.
inline constexpr std::int64_t kLargestId = std::int64_t{1} << 53U;

// One class of irregularities that a reader repaired or left out.
struct Finding {
  std::int64_t count = 0;
  std::int64_t first_line = 0;
  std::string first_text{};           // detail of the first, for some classes
  std::vector<std::int64_t> lines{};  // all lines, kept on request only
};

// One line that a reader repaired or left out.
struct LogRepair {
  std::string_view of_class;  // a name that lives as long as the program
  std::int64_t line = 0;
  std::int64_t column = 1;
  std::string id;    // as the source writes it
  std::string text;  // detail, for some classes
};

// What the trace recorded, for analysis; never visible to a policy.
struct Recorded {
  friend bool operator==(const Recorded&, const Recorded&) = default;

  Duration wait = kUnknown;
  std::int32_t allocated = kUnknown;
  double cpu_time = kUnknown;  // seconds, mean over the processors
  std::int64_t used_memory_kib = kUnknown;
  std::int32_t status = kUnknown;
};

// What a line of the trace says of a job that it follows.  Its own number and that of
// the job before it, and the time from the end of that one to its submit.
struct Preceding {
  std::int64_t job = 0;
  std::int64_t parent = 0;
  Duration think = kUnknown;  // kUnknown: none is given
};

// The line number of each job in its trace, by index of the job.
// Structure    runs of jobs on consecutive lines, as in most traces
// Memory       16 bytes a run
// Cost         push_back O(1), operator[] O(log runs)
class TraceLines {
 public:
  TraceLines() = default;
  TraceLines(std::initializer_list<std::int64_t> lines) {
    // Bounded: the lines that the source text lists.
    for (const auto line : lines) push_back(line);
  }
  friend bool operator==(const TraceLines&, const TraceLines&) = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // REQUIRES: index < size().  O(log r).
  [[nodiscard]] std::int64_t operator[](std::size_t index) const;

  void push_back(std::int64_t line);
  void clear() { keep_first(0); }
  // Keeps the first `count` entries.
  void keep_first(std::size_t count);

 private:
  struct Run {
    friend bool operator==(const Run&, const Run&) = default;

    std::size_t first;  // index of its first job
    std::int64_t line;  // line of that job
  };
  [[nodiscard]] const Run& run_of(std::size_t index) const;

  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

struct Workload {
  std::string name;    // base name of the trace file, or name of the model
  std::string source;  // path as the user typed it; for messages, never in results
  std::vector<Job> jobs;
  std::vector<Recorded> recorded;  // empty, or one for each job
  // Gives their memory back, too.
  void drop_recorded() { std::vector<Recorded>().swap(recorded); }
  TraceLines lines;  // empty, or one for each job
  // For each job the index that it, or the job of which it is a copy, had when
  // keep_places() was called; empty: it was not.  Transforms move these, too.
  std::vector<std::uint32_t> of_trace;
  std::vector<std::int64_t> not_jobs;  // numbers of the lines left out, if asked for
  std::vector<Preceding> preceding{};  // if asked for
  std::optional<std::int32_t> processors;  // machine size, if the trace gives it
  std::optional<std::int64_t> unix_start;  // Unix time of time 0, if the trace gives it
  std::int64_t jobs_read = 0;  // job lines of the trace, with those left out

  std::vector<std::string> notes;        // what else there is to say of the reading
  std::vector<LogRepair> repair_list{};  // by (class, line); on request only

  // By class, e.g. "no_processor_count": lines that became no job.
  std::map<std::string, Finding> left_out;
  // By class, e.g. "unsorted": lines that were read after a repair.
  std::map<std::string, Finding> repairs;

  // Jobs without a given walltime; theirs is the length.
  [[nodiscard]] std::int64_t without_walltime() const;

  // Jobs whose length exceeds their walltime.
  [[nodiscard]] std::int64_t outliving_walltime() const;
};

// What there is to say of the jobs as a whole.
struct JobCensus {
  std::int32_t widest = 0;  // processors of a job
  std::int64_t without_walltime = 0;
  std::int64_t without_user = 0;
  std::int64_t with_memory = 0;
  std::int64_t partitions = 0;  // that jobs name
};

// From one pass over the jobs.
[[nodiscard]] JobCensus census_of(const Workload& workload, Budget& budget);

// Remembers the place of each job, for what is known of jobs beside the workload.
// 4 bytes a job.
void keep_places(Workload& workload, Budget& budget);

// Keeps the jobs at these indices, in this order, with their records, lines and places.
// REQUIRES: every index is below jobs.size().
void select_jobs(Workload& workload, const std::vector<std::uint32_t>& indices,
                 Budget& budget);

// Sorts jobs, records, lines and places by (submit, id).  O(n) if they are sorted, else
// O(n log n) and 24 bytes a job while it runs.
void put_in_order(Workload& workload, Budget& budget);

}  // namespace berth
