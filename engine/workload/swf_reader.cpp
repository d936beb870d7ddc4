#include "engine/workload/swf_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/workload/line_reader.hpp"
#include "engine/workload/swf_line.hpp"

namespace berth {

namespace {

enum Class : std::uint8_t {
  kPartialExecution,
  kNoSubmitTime,
  kNoProcessorCount,
  kNoRunTime,
  kUnsorted,
  kSizeFromAllocated,
  kNoWalltime,
  kPrecedingJob,
  kThinkTimeAlone,
  kNoMachineSize,
};

struct ClassRecord {
  std::string_view name;
  std::map<std::string, Finding> Workload::*list;
};

constexpr std::array<ClassRecord, 10> kClasses{{
    {"partial_execution", &Workload::left_out},
    {"no_submit_time", &Workload::left_out},
    {"no_processor_count", &Workload::left_out},
    {"no_run_time", &Workload::left_out},
    {"unsorted", &Workload::repairs},
    {"size_from_allocated", &Workload::repairs},
    {"no_walltime", &Workload::repairs},
    {"preceding_job", &Workload::repairs},
    {"think_time_alone", &Workload::repairs},
    {"no_machine_size", &Workload::repairs},
}};

struct IdUse {
  std::int64_t id;
  std::int64_t line;

  friend bool operator<(const IdUse& a, const IdUse& b) {
    return std::tie(a.id, a.line) < std::tie(b.id, b.line);
  }
};

// The column of job numbers from this line on; in most files it never changes.
struct IdColumn {
  std::int64_t line;
  std::uint16_t column;
};

// A job line behind a lone carriage return would be lost in the comment.
void refuse_inner_return(std::string_view text, const SwfPlace& place) {
  const auto at = text.find('\r');
  if (at == text.npos || text.find_first_not_of("\r \t", at) == text.npos) return;
  throw Error(ErrorCode::kInput,
              fmt::format("{}a carriage return within a comment: lines end in LF or "
                          "in CR LF",
                          place_text(place, static_cast<int>(at) + 1)));
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

class SwfReader {
 public:
  SwfReader(const SwfOptions& options, Budget& budget)
      : options_(options), budget_(budget) {
    workload_.name = base_name(options.name);
    workload_.source = options.name;
  }

  void read_line(std::string_view text, const SwfPlace& place) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos) return;
    if (text[first] == ';') {
      refuse_inner_return(text, place);
      header_.read_line(text, place);
    } else {
      read_job(parse_swf_line(text, place), place);
    }
  }

  [[nodiscard]] Workload finish() {
    if (!ids_ascend_) refuse_repeated_ids();
    workload_.processors = header_.processors();
    workload_.unix_start = header_.unix_start();
    if (!workload_.processors) note(kNoMachineSize, 0);
    // Bounded: the classes of findings.
    for (std::size_t i = 0; i < kClasses.size(); ++i) {
      if (findings_[i].count == 0) continue;
      (workload_.*kClasses[i].list)[std::string(kClasses[i].name)] =
          std::move(findings_[i]);
    }
    put_in_order(workload_, budget_);
    return std::move(workload_);
  }

 private:
  void read_job(const SwfLine& line, const SwfPlace& place) {
    ++workload_.jobs_read;
    if (line.is_part()) return leave_out_part(line, place);
    look_at_order(line, place);
    if (is_left_out(line, place)) {
      left_out_.push_back({line.id, place.line});
      if (options_.keep_left_out) workload_.not_jobs.push_back(line.id);
      return;
    }
    note_repairs(line, place);
    workload_.jobs.push_back(job_of(line));
    workload_.lines.push_back(place.line);
    if (options_.keep_recorded) workload_.recorded.push_back(line.recorded);
  }

  // Its number is that of the job, which has a line of its own.
  void leave_out_part(const SwfLine& line, const SwfPlace& place) {
    leave_out(kPartialExecution, "status: a part of a job that was swapped out", place,
              line.status_column);
    if (options_.keep_left_out) workload_.not_jobs.push_back(line.id);
  }

  void look_at_order(const SwfLine& line, const SwfPlace& place) {
    ids_ascend_ = ids_ascend_ && line.id > last_id_;
    if (line.submit != kUnknown) {
      if (line.submit < last_submit_) note(kUnsorted, place.line);
      last_submit_ = line.submit;
    }
    last_id_ = line.id;
    if (id_columns_.empty() || id_columns_.back().column != line.id_column) {
      id_columns_.push_back({place.line, line.id_column});
    }
  }

  bool is_left_out(const SwfLine& line, const SwfPlace& place) {
    if (line.submit == kUnknown) {
      leave_out(kNoSubmitTime, "submit time: no submit time", place,
                line.submit_column);
      return true;
    }
    if (size_of(line) <= 0) {
      leave_out(kNoProcessorCount, "requested processors: no processor count", place,
                line.requested_column);
      return true;
    }
    if (line.length < 0) {
      leave_out(kNoRunTime, "run time: no run time", place, line.length_column);
      return true;
    }
    return false;
  }

  void leave_out(Class which, std::string_view what, const SwfPlace& place,
                 int column) {
    if (options_.strict) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}{} (an error because reading is strict)",
                              place_text(place, column), what));
    }
    note(which, place.line);
  }

  void note_repairs(const SwfLine& line, const SwfPlace& place) {
    if (line.requested <= 0) note(kSizeFromAllocated, place.line);
    if (line.walltime <= 0) note(kNoWalltime, place.line);
    if (!options_.keep_preceding) {
      if (line.follows_another()) note(kPrecedingJob, place.line);
    } else if (line.parent > 0) {
      workload_.preceding.push_back(preceding_of(line, place));
    } else if (line.think > 0) {
      note(kThinkTimeAlone, place.line);
    }
  }

  void note(Class which, std::int64_t line) {
    Finding& finding = findings_[which];
    if (finding.count++ == 0) finding.first_line = line;
    if (options_.keep_lines && line > 0) finding.lines.push_back(line);
  }

  static Preceding preceding_of(const SwfLine& line, const SwfPlace& place) {
    const auto think = line.think < 0 ? kUnknown : ticks_from_seconds(line.think);
    const bool is_number = line.parent <= static_cast<double>(kLargestId) &&
                           line.parent == std::floor(line.parent);
    if (is_number && think) {
      return {line.id, static_cast<std::int64_t>(line.parent), *think};
    }
    throw Error(ErrorCode::kInput,
                fmt::format("{}{}", place_text(place, 0),
                            is_number ? "think time: out of range"
                                      : "preceding job: this is not the number of a "
                                        "job"));
  }

  static std::int32_t size_of(const SwfLine& line) {
    return line.requested > 0 ? line.requested : line.recorded.allocated;
  }

  static Job job_of(const SwfLine& line) {
    Job job;
    job.id = line.id;
    job.submit = line.submit;
    job.length = line.length;
    job.walltime_given = line.walltime > 0;
    job.walltime = job.walltime_given ? line.walltime : line.length;
    job.set_memory(line.memory_kib);
    job.size = size_of(line);
    job.user = line.user;
    job.group = line.group;
    job.executable = line.executable;
    job.queue_class = line.queue_class;
    job.partition = line.partition;
    return job;
  }

  // Reports the second use that is first in the file.
  void refuse_repeated_ids() {
    auto uses = std::move(left_out_);
    uses.reserve(uses.size() + workload_.jobs.size());
    budget_.charge_each(2 * (uses.size() + workload_.jobs.size()));
    std::size_t place = 0;
    for (const auto& job : workload_.jobs) {
      uses.push_back({job.id, workload_.lines[place++]});
    }
    budget_.charge_sort(uses.size());
    std::sort(uses.begin(), uses.end());
    std::optional<IdUse> before;
    std::optional<IdUse> repeated;
    IdUse last{-1, 0};
    for (const auto& use : uses) {
      if (use.id == last.id && (!repeated || use.line < repeated->line)) {
        repeated = use;
        before = last;
      }
      last = use;
    }
    if (repeated) refuse(*repeated, *before);
  }

  [[noreturn]] void refuse(const IdUse& again, const IdUse& before) const {
    const SwfPlace place{options_.name, again.line};
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}job number {} was already used at line {}",
                    place_text(place, id_column(again.line)), again.id, before.line));
  }

  // REQUIRES: a job line.
  [[nodiscard]] int id_column(std::int64_t line) const {
    const auto behind = std::upper_bound(
        id_columns_.begin(), id_columns_.end(), line,
        [](std::int64_t wanted, const IdColumn& it) { return wanted < it.line; });
    return std::prev(behind)->column;
  }

  const SwfOptions& options_;
  Budget& budget_;
  Workload workload_;
  SwfHeader header_;
  std::array<Finding, kClasses.size()> findings_;
  std::vector<IdColumn> id_columns_;  // one entry for each change
  std::vector<IdUse> left_out_;
  Time last_submit_ = 0;
  std::int64_t last_id_ = -1;
  bool ids_ascend_ = true;
};

}  // namespace

Workload read_swf(ByteSource& source, const SwfOptions& options, Budget& budget) {
  SwfReader reader(options, budget);
  LineReader lines(source, options.name, budget);
  // Bounded: the lines, for which their reader charges.
  while (const auto text = lines.next()) {
    const SwfPlace place{options.name, lines.number(), lines.cut_short()};
    reader.read_line(*text, place);
  }
  return reader.finish();
}

}  // namespace berth
