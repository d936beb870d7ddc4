// sacct --json: the records of sacct as JSON, times as Unix seconds.

#include <fmt/format.h>

#include <deque>

#include "engine/base/printable.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/json_records.hpp"
#include "engine/workload/formats/slurm_record.hpp"

namespace berth {

namespace {

using enum SlurmField;

bool is_sacct_json(std::string_view head) {
  const bool has_jobs =
      has_top_name(head, "jobs") && head.find("\"job_id\"") != head.npos;
  return has_jobs ||
         (has_top_name(head, "errors") && head.find("\"description\"") != head.npos);
}

// A number, which later releases write as {set, infinite, number}; empty: none.
std::string_view number_at(const JsonRecord& record, const std::string& path) {
  if (record.has(path)) return record.text(path);
  const bool is_set =
      record.text(path + ".set") == "true" && record.text(path + ".infinite") != "true";
  return is_set ? record.text(path + ".number") : std::string_view();
}

// The list as sacct -P writes it; memory in MiB.
std::string tres_at(const JsonRecord& record, const std::string& path) {
  std::string text;
  // Bounded: the fields of a record.
  for (int i = 0;; ++i) {
    const auto entry = fmt::format("{}.{}", path, i);
    const auto type = record.text(entry + ".type");
    if (type.empty()) return text;
    const auto count = number_at(record, entry + ".count");
    if (count.empty()) continue;
    const auto name = record.text(entry + ".name");
    text += fmt::format("{}{}{}{}={}", text.empty() ? "" : ",", type,
                        name.empty() ? "" : "/", name, count);
  }
}

class SacctJsonReader final : public JsonListener {
 public:
  SacctJsonReader(const LogOptions& options, Budget& budget)
      : options_(options),
        builder_(options, LogBuilder::Clock::kCalendar, budget),
        slurm_(options, builder_) {}

  void record(std::string_view list, const JsonRecord& record) override {
    if (list == "errors" && error_.empty()) error_ = record.text("description");
    if (list != "jobs") return;
    ++jobs_;
    texts_.clear();
    SlurmCells cells;
    cells.line = record.place.line;
    const auto set = [&](SlurmField field, std::string_view text) {
      cells.set(field, text, record.place.column);
    };
    set_ids(record, set);
    set(kUser, !record.text("user").empty() ? record.text("user")
                                            : record.text("association.user"));
    set(kAccount, record.text("account"));
    set(kPartition, record.text("partition"));
    set(kQos, record.text("qos"));
    set(kJobName, record.text("name"));
    set(kState, record.has("state.current") ? record.text("state.current")
                                            : record.text("state.current.0"));
    set(kSubmit, number_at(record, "time.submission"));
    set(kEligible, number_at(record, "time.eligible"));
    set(kStart, number_at(record, "time.start"));
    set(kEnd, number_at(record, "time.end"));
    set(kElapsedRaw, number_at(record, "time.elapsed"));
    const auto limit = number_at(record, "time.limit");
    set(kTimelimitRaw, limit == "0" ? std::string_view() : limit);
    set(kReqCpus, number_at(record, "required.CPUs"));
    set(kAllocNodes, number_at(record, "allocation_nodes"));
    set(kAllocTres, kept(tres_at(record, "tres.allocated")));
    set(kReqTres, kept(tres_at(record, "tres.requested")));
    set(kNodeList, record.text("nodes"));
    slurm_.add(cells);
  }

  JobLog finish() {
    if (jobs_ == 0) {
      refuse_log(options_.name, {1, 1},
                 error_.empty() ? std::string("there is no job in it")
                                : fmt::format("sacct reports: {}; run it again "
                                              "without SLURM_TIME_FORMAT",
                                              printable(error_)));
    }
    return slurm_.finish();
  }

 private:
  template <class Set>
  void set_ids(const JsonRecord& record, const Set& set) {
    const auto raw = number_at(record, "job_id");
    const auto array = number_at(record, "array.job_id");
    const auto index = number_at(record, "array.task_id");
    const auto waiting = record.text("array.task");
    const auto whole = number_at(record, "het.job_id");
    const auto part = number_at(record, "het.job_offset");
    set(kJobIdRaw, raw);
    if (!array.empty() && array != "0" && !index.empty()) {
      set(kJobId, kept(fmt::format("{}_{}", array, index)));
    } else if (!array.empty() && array != "0" && !waiting.empty()) {
      set(kJobId, kept(fmt::format("{}_[{}]", array, waiting)));
    } else if (!whole.empty() && whole != "0" && !part.empty()) {
      set(kJobId, kept(fmt::format("{}+{}", whole, part)));
    } else {
      set(kJobId, raw);
    }
  }

  std::string_view kept(std::string text) {
    return texts_.emplace_back(std::move(text));
  }

  const LogOptions& options_;
  LogBuilder builder_;
  SlurmReader slurm_;
  std::deque<std::string> texts_;  // of the cells of one record
  std::string error_;
  std::int64_t jobs_ = 0;
};

JobLog read_sacct_json(ByteSource& source, const LogOptions& options, Budget& budget) {
  SacctJsonReader reader(options, budget);
  read_json(source, options.name, reader, budget);
  return reader.finish();
}

}  // namespace

extern const FormatRecord kSacctJsonFormat{"sacct-json", "Slurm: sacct --json",
                                           is_sacct_json, read_sacct_json};

}  // namespace berth
