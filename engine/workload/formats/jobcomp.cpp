// The lines of Slurm's plugin jobcomp/filetxt: keys in a fixed order, and values that
// may hold blanks.

#include <fmt/format.h>

#include "engine/base/printable.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/slurm_record.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth {

namespace {

using enum SlurmField;

enum JobcompKey : std::size_t {
  kOfId,
  kOfUser,
  kOfGroup,
  kOfName,
  kOfState,
  kOfPartition,
  kOfLimit,
  kOfStart,
  kOfEnd,
  kOfNodes,
  kOfNodeCount,
  kOfProcessors,
  kOfFolder,
  kOfReservation,
  kOfTres,
  kOfAccount,
  kOfQos,
  kOfWcKey,
  kOfCluster,
  kOfSubmit,
  kOfEligible,
  kOfArray,
  kOfMember,
  kOfWhole,
  kOfPart,
  kOfDerived,
  kOfExit,
};
constexpr std::array<std::string_view, 27> kJobcompKeys{
    "JobId",        "UserId",          "GroupId",     "Name",
    "JobState",     "Partition",       "TimeLimit",   "StartTime",
    "EndTime",      "NodeList",        "NodeCnt",     "ProcCnt",
    "WorkDir",      "ReservationName", "Tres",        "Account",
    "QOS",          "WcKey",           "Cluster",     "SubmitTime",
    "EligibleTime", "ArrayJobId",      "ArrayTaskId", "HetJobId",
    "HetJobOffset", "DerivedExitCode", "ExitCode"};

bool is_jobcomp(std::string_view head) { return head.starts_with("JobId="); }

// The key that begins at a place of the line, behind a blank or at its beginning; the
// number of keys: none.
std::size_t key_at(std::string_view line, std::size_t at) {
  const auto rest = line.substr(at);
  // Bounded: the keys.
  for (std::size_t key = 0; key < kJobcompKeys.size(); ++key) {
    const auto name = kJobcompKeys[key];
    if (rest.starts_with(name) && rest.size() > name.size() &&
        rest[name.size()] == '=') {
      return key;
    }
  }
  return kJobcompKeys.size();
}

class JobcompReader {
 public:
  JobcompReader(ByteSource& source, const LogOptions& options, Budget& budget)
      : options_(options),
        lines_(source, options.name, budget),
        builder_(options, LogBuilder::Clock::kCalendar, budget),
        slurm_(options, builder_) {}

  JobLog read() {
    // Bounded: the lines, for which their reader charges.
    while (const auto line = lines_.next()) {
      if (line->empty()) continue;
      split(*line);
      add();
    }
    return slurm_.finish();
  }

 private:
  void split(std::string_view line) {
    cells_ = {};
    if (key_at(line, 0) != kOfId) {
      refuse_log(options_.name, {lines_.number(), 1}, "the line has no JobId=");
    }
    std::size_t open = kOfId;
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
      const auto from = begin + kJobcompKeys[open].size() + 1;
      cells_[open] = {line.substr(from, end - from), begin + 1, true};
    };
    // Bounded: one line.
    for (auto blank = line.find(' '); blank != line.npos;
         blank = line.find(' ', blank + 1)) {
      const auto key = key_at(line, blank + 1);
      if (key == kJobcompKeys.size()) continue;
      if (key <= open) {
        refuse_log(options_.name, {lines_.number(), blank + 2},
                   fmt::format("{}= stands behind {}=: free text, as in the name of a "
                               "job, holds a key; take the line out",
                               kJobcompKeys[key], kJobcompKeys[open]));
      }
      close(blank);
      open = key;
      begin = blank + 1;
    }
    const auto end = line.find_last_not_of(' ') + 1;
    close(std::max(end, begin + kJobcompKeys[open].size() + 1));
    require();
  }

  void require() const {
    // Bounded: the keys that are needed.
    for (const auto key : {kOfState, kOfStart, kOfEnd, kOfNodes, kOfSubmit}) {
      if (cells_[key].is_there) continue;
      refuse_log(options_.name, {lines_.number(), 1},
                 fmt::format("the line has no {}=", kJobcompKeys[key]));
    }
  }

  void add() {
    SlurmCells cells;
    cells.line = lines_.number();
    cells.pending_is_requeued = true;
    const auto put = [&](SlurmField field, JobcompKey key) {
      cells[field] = cells_[key];
    };
    put(kJobIdRaw, kOfId);
    put(kJobId, kOfId);
    put(kUser, kOfUser);
    put(kJobName, kOfName);
    put(kState, kOfState);
    put(kPartition, kOfPartition);
    put(kTimelimitRaw, kOfLimit);
    put(kStart, kOfStart);
    put(kEnd, kOfEnd);
    put(kNodeList, kOfNodes);
    put(kNNodes, kOfNodeCount);
    put(kAllocCpus, kOfProcessors);
    put(kReqTres, kOfTres);
    put(kAccount, kOfAccount);
    put(kGroup, kOfGroup);
    put(kQos, kOfQos);
    put(kSubmit, kOfSubmit);
    put(kEligible, kOfEligible);
    for (const auto field : {kUser, kGroup}) {
      cells[field].text = cells[field].text.substr(0, cells[field].text.rfind('('));
    }
    put_id(cells);
    slurm_.add(cells);
  }

  void put_id(SlurmCells& cells) {
    const auto id = [&](JobcompKey first, char between, JobcompKey second) {
      if (!cells_[first].is_there || !cells_[second].is_there) return;
      id_ = fmt::format("{}{}{}", cells_[first].text, between, cells_[second].text);
      cells[kJobId].text = id_;
    };
    id(kOfArray, '_', kOfMember);
    id(kOfWhole, '+', kOfPart);
  }

  const LogOptions& options_;
  LineReader lines_;
  LogBuilder builder_;
  SlurmReader slurm_;
  std::array<SlurmCell, kJobcompKeys.size()> cells_{};
  std::string id_;
};

JobLog read_jobcomp(ByteSource& source, const LogOptions& options, Budget& budget) {
  return JobcompReader(source, options, budget).read();
}

}  // namespace

extern const FormatRecord kJobcompFormat{"jobcomp", "Slurm: jobcomp/filetxt",
                                         is_jobcomp, read_jobcomp};

}  // namespace berth
