#pragma once
// A record of Slurm's accounting in any form: its fields as text, and what they
// say of a job.  sacct, its JSON and the plugin jobcomp/filetxt come together here.

#include <array>
#include <string_view>

#include "engine/workload/formats/log_builder.hpp"

namespace berth {

// Named as sacct names its columns (kSlurmFieldNames).
enum class SlurmField : std::uint8_t {
  kJobId,
  kJobIdRaw,
  kUser,
  kAccount,
  kGroup,
  kPartition,
  kQos,
  kJobName,
  kState,
  kSubmit,
  kEligible,
  kStart,
  kEnd,
  kElapsedRaw,
  kElapsed,
  kTimelimitRaw,
  kTimelimit,
  kAllocCpus,
  kNCpus,
  kReqCpus,
  kNNodes,
  kAllocNodes,
  kReqMem,
  kAllocTres,
  kReqTres,
  kNodeList,
  kReason,
};
inline constexpr std::array<std::string_view, 27> kSlurmFieldNames{
    "JobID",   "JobIDRaw",   "User",    "Account",      "Group",     "Partition",
    "QOS",     "JobName",    "State",   "Submit",       "Eligible",  "Start",
    "End",     "ElapsedRaw", "Elapsed", "TimelimitRaw", "Timelimit", "AllocCPUS",
    "NCPUS",   "ReqCPUS",    "NNodes",  "AllocNodes",   "ReqMem",    "AllocTRES",
    "ReqTRES", "NodeList",   "Reason"};

struct SlurmCell {
  std::string_view text{};
  std::size_t column = 1;
  bool is_there = false;  // the log has this field
};

class SlurmCells {
 public:
  std::int64_t line = 0;
  // The state PENDING ends a run that is run again, as jobcomp has it.
  bool pending_is_requeued = false;

  [[nodiscard]] SlurmCell& operator[](SlurmField field) {
    return cells_[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] const SlurmCell& operator[](SlurmField field) const {
    return cells_[static_cast<std::size_t>(field)];
  }
  void set(SlurmField field, std::string_view text, std::size_t column = 1) {
    (*this)[field] = {text, column, true};
  }

 private:
  std::array<SlurmCell, kSlurmFieldNames.size()> cells_{};
};

class SlurmReader {
 public:
  // REQUIRES: all outlive this.
  SlurmReader(const LogOptions& options, LogBuilder& builder)
      : options_(options), builder_(builder) {}

  // Throws Error{kInput} for a field that is no text of its kind.
  void add(const SlurmCells& cells);
  // REQUIRES: all records were added.
  [[nodiscard]] JobLog finish();

 private:
  bool read_id(const SlurmCells& cells, LogRecord& record);
  void read_times(const SlurmCells& cells, LogRecord& record);
  void read_state(const SlurmCells& cells, LogRecord& record);
  void read_amounts(const SlurmCells& cells, LogRecord& record);
  [[nodiscard]] double memory_of(const SlurmCells& cells, const LogRecord& record,
                                 const TresList& chosen, const TresList& other) const;
  [[nodiscard]] std::optional<Time> time(const SlurmCells& cells, SlurmField field);
  [[nodiscard]] std::optional<Duration> duration(const SlurmCells& cells,
                                                 SlurmField field) const;
  [[nodiscard]] std::optional<Duration> limit(const SlurmCells& cells) const;
  [[nodiscard]] std::int64_t whole(const SlurmCells& cells, SlurmField field) const;
  [[nodiscard]] TresList tres(const SlurmCells& cells, SlurmField field) const;
  [[noreturn]] void wrong(const SlurmCells& cells, SlurmField field,
                          std::string_view kind) const;

  const LogOptions& options_;
  LogBuilder& builder_;
  std::int64_t first_submits_lost_ = 0;
};

}  // namespace berth
