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

struct JobcompKey {
  std::string_view name;
  std::optional<SlurmField> field{};  // that it is
  bool is_needed = false;
};

constexpr std::array<JobcompKey, 27> kJobcompKeys{{{"JobId", kJobIdRaw, true},
                                                   {"UserId", kUser},
                                                   {"GroupId", kGroup},
                                                   {"Name", kJobName},
                                                   {"JobState", kState, true},
                                                   {"Partition", kPartition},
                                                   {"TimeLimit", kTimelimitRaw},
                                                   {"StartTime", kStart, true},
                                                   {"EndTime", kEnd, true},
                                                   {"NodeList", kNodeList, true},
                                                   {"NodeCnt", kNNodes},
                                                   {"ProcCnt", kAllocCpus},
                                                   {"WorkDir"},
                                                   {"ReservationName"},
                                                   {"Tres", kReqTres},
                                                   {"Account", kAccount},
                                                   {"QOS", kQos},
                                                   {"WcKey"},
                                                   {"Cluster"},
                                                   {"SubmitTime", kSubmit, true},
                                                   {"EligibleTime", kEligible},
                                                   {"ArrayJobId"},
                                                   {"ArrayTaskId"},
                                                   {"HetJobId"},
                                                   {"HetJobOffset"},
                                                   {"DerivedExitCode"},
                                                   {"ExitCode"}}};

consteval std::size_t key_named(std::string_view name) {
  std::size_t key = 0;
  while (kJobcompKeys[key].name != name) ++key;
  return key;
}

bool is_jobcomp(std::string_view head) { return head.starts_with("JobId="); }

// The key that begins at a place of the line, behind a blank or at its beginning; the
// number of keys: none.
std::size_t key_at(std::string_view line, std::size_t at) {
  const auto rest = line.substr(at);
  // Bounded: the keys.
  for (std::size_t key = 0; key < kJobcompKeys.size(); ++key) {
    const auto name = kJobcompKeys[key].name;
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
    if (key_at(line, 0) != 0) {
      refuse_log(options_.name, {lines_.number(), 1}, "the line has no JobId=");
    }
    std::size_t open = 0;
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
      const auto from = begin + kJobcompKeys[open].name.size() + 1;
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
                               kJobcompKeys[key].name, kJobcompKeys[open].name));
      }
      close(blank);
      open = key;
      begin = blank + 1;
    }
    const auto end = line.find_last_not_of(' ') + 1;
    close(std::max(end, begin + kJobcompKeys[open].name.size() + 1));
    require();
  }

  void require() const {
    // Bounded: the keys.
    for (std::size_t key = 0; key < kJobcompKeys.size(); ++key) {
      if (!kJobcompKeys[key].is_needed || cells_[key].is_there) continue;
      refuse_log(options_.name, {lines_.number(), 1},
                 fmt::format("the line has no {}=", kJobcompKeys[key].name));
    }
  }

  void add() {
    SlurmCells cells;
    cells.line = lines_.number();
    cells.pending_is_requeued = true;
    // Bounded: the keys.
    for (std::size_t key = 0; key < kJobcompKeys.size(); ++key) {
      if (const auto field = kJobcompKeys[key].field) cells[*field] = cells_[key];
    }
    // "mail(8)": the name and its number.
    for (const auto field : {kUser, kGroup}) {
      cells[field].text = cells[field].text.substr(0, cells[field].text.rfind('('));
    }
    cells[kJobId] = cells[kJobIdRaw];
    put_id(cells, key_named("ArrayJobId"), '_', key_named("ArrayTaskId"));
    put_id(cells, key_named("HetJobId"), '+', key_named("HetJobOffset"));
    slurm_.add(cells);
  }

  void put_id(SlurmCells& cells, std::size_t first, char between, std::size_t second) {
    if (!cells_[first].is_there || !cells_[second].is_there) return;
    id_ = fmt::format("{}{}{}", cells_[first].text, between, cells_[second].text);
    cells[kJobId].text = id_;
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
