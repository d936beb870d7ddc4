#include "engine/audit/stretch_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace berth::audit {

namespace {

constexpr Rule kMissing{{}, "missing"};
constexpr Rule kState{{}, "state"};
constexpr Rule kOrder{{}, "order"};
constexpr Rule kFrozen{{}, "frozen"};
constexpr Rule kLength{{}, "length"};
constexpr Rule kUnstarted{{}, "unstarted"};

// What a job has done since its last restart.
struct Sums {
  Duration full = 0;  // at full speed
  double part = 0;    // ticks of work at any other
  Duration ran = 0;   // in which a walltime counts
};

// The stretches of one job in the order of time.
using Stretches = std::span<const Stay* const>;

class StretchChecker {
 public:
  StretchChecker(std::span<const Job> jobs, const StretchedSchedule& schedule,
                 const StretchRules& rules)
      : jobs_(jobs), rules_(rules), has_rows_(schedule.rows.has_value()) {
    rows_.resize(jobs.size());
    if (has_rows_) {
      for (const auto& row : *schedule.rows) rows_[index(row.job)] = &row;
    }
    sorted_.reserve(schedule.stretches.size());
    for (const auto& stay : schedule.stretches) sorted_.push_back(&stay);
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const auto* a, const auto* b) {
      return std::tie(a->job, a->from) < std::tie(b->job, b->from);
    });
  }

  ScheduleReport run() {
    std::size_t at = 0;
    for (std::uint32_t number = 0; number < jobs_.size(); ++number) {
      const auto first = at;
      while (at < sorted_.size() && index(sorted_[at]->job) == number) ++at;
      judge(JobId{number}, std::span(sorted_).subspan(first, at - first));
    }
    if (!is_any_left_ && !rules_.lacks_hosts) judge_unstarted();
    return std::move(report_);
  }

 private:
  void judge(JobId id, Stretches all) {
    const auto& job = jobs_[index(id)];
    const auto* row = rows_[index(id)];
    const bool is_there = !all.empty() || (row != nullptr && !must_have_run(*row));
    report_.note(kMissing, is_there || may_lack(id), job.submit, job.id, [&] {
      return row == nullptr ? "it is not in the schedule"
                            : "it ran, and has no stretch";
    });
    if (row != nullptr) judge_row(*row, job, all);
    if (all.empty()) return;
    if (has_rows_) {
      report_.note(kState, row != nullptr && row->start, all.front()->from, job.id,
                   [] { return "it has stretches, and no start in the rows of jobs"; });
    }
    judge_order(job, all);
    judge_work(job, row, all);
  }

  static bool must_have_run(const Scheduled& row) {
    return row.start && (!row.end || *row.end > *row.start);
  }

  // Whether the job may be absent: it does not fit, or, where no rows of jobs say more,
  // ran for no time.
  [[nodiscard]] bool may_lack(JobId id) const {
    if (rows_[index(id)] != nullptr) return false;
    const auto& job = jobs_[index(id)];
    const bool runs = job.length > 0 && (!rules_.kills || job.walltime > 0);
    return (!has_rows_ && !runs) || rules_.never_fits(id);
  }

  void judge_row(const Scheduled& row, const Job& job, Stretches all) {
    auto wrong = wrong_state(row);
    const Time at = row.start.value_or(job.submit);
    report_.note(kState, wrong.empty(), at, job.id, [&] { return wrong; });
    if (!row.start) return;
    if (!row.end) is_any_left_ = true;
    report_.note(kOrder, at >= job.submit, at, job.id, [&] {
      return fmt::format("it starts before its submit time {}",
                         seconds_text(job.submit));
    });
    if (all.empty()) {
      if (!row.end || *row.end != at) return;
      const bool killed = row.state == Stated::kKilled;
      return judge_sums(job, {}, killed, at);
    }
    const bool agree =
        all.front()->from == at && (!row.end || all.back()->to == row.end);
    report_.note(kOrder, agree, at, job.id,
                 [] { return "its stretches are not from its start to its end"; });
  }

  void judge_order(const Job& job, Stretches all) {
    const auto* first = all.front();
    report_.note(kOrder, first->from >= job.submit, first->from, job.id,
                 [] { return "it starts before it was submitted"; });
    for (std::size_t i = 0; i < all.size(); ++i) {
      judge_stretch(job, *all[i]);
      if (i > 0) judge_pair(job, *all[i - 1], *all[i]);
    }
  }

  void judge_stretch(const Job& job, const Stay& stay) {
    report_.note(kOrder, !stay.to || *stay.to >= stay.from, stay.from, job.id,
                 [] { return "a stretch of it ends before it begins"; });
    const bool runs = stay.doing == Doing::kRunning;
    const auto speed = runs ? rules_.speed(stay) : std::optional(0.0);
    const double most = runs ? std::max(1.0, speed.value_or(1.0)) : 0.0;
    const bool fits = stay.yield >= 0 && stay.yield <= most;
    report_.note(kState, fits, stay.from, job.id, [&] {
      return runs ? "its yield is not from 0 to 1"
                  : "it has a yield while it does not run";
    });
    if (!speed || !runs) return;
    report_.note(kState, stay.yield == *speed, stay.from, job.id, [&] {
      return *speed == 1 ? std::string(
                               "its yield is not 1 on a machine on which jobs run at "
                               "full speed")
                         : fmt::format("its yield is {}, and that of its place is {}",
                                       stay.yield, *speed);
    });
  }

  // Whether what the job did up to the second stay is lost.
  [[nodiscard]] bool loses(const Stay& before, const Stay& after) const {
    return rules_.has_attempts && begins_anew(before, after);
  }

  void judge_pair(const Job& job, const Stay& before, const Stay& after) {
    if (loses(before, after)) {
      report_.note(kOrder, before.to && *before.to <= after.from, after.from, job.id,
                   [] { return "it is in two stretches at a time"; });
      return;
    }
    report_.note(kOrder, before.to == after.from, after.from, job.id, [&] {
      return before.to && *before.to < after.from
                 ? "nothing is told of it between two of its stretches"
                 : "it is in two stretches at a time";
    });
    const bool is_judged = rules_.migration_cost && after.doing == Doing::kRunning &&
                           before.doing != Doing::kRunning;
    if (!is_judged) return;
    const Duration froze =
        before.doing == Doing::kFrozen && before.to ? *before.to - before.from : 0;
    report_.note(kFrozen, froze == *rules_.migration_cost, after.from, job.id, [&] {
      return fmt::format("it was frozen for {} before it went on instead of {}",
                         seconds_text(froze), seconds_text(*rules_.migration_cost));
    });
  }

  void judge_work(const Job& job, const Scheduled* row, Stretches all) {
    const auto* last = all.back();
    const bool goes_on = !last->to || (row != nullptr && !row->end);
    if (goes_on) {
      is_any_left_ = true;
      return;
    }
    const bool lost = row != nullptr && row->restarts > 0;
    const auto sums = sums_of(all, lost);
    const bool is_told = row != nullptr && row->state != Stated::kNothing;
    const bool may_be_short = is_told && row->state == Stated::kHostFailed;
    if (may_be_short && sums.full <= job.length) return;
    const bool killed = is_told ? row->state == Stated::kKilled
                                : rules_.kills && job.length > limit_of(job);
    judge_sums(job, sums, killed, all.front()->from);
  }

  static Duration limit_of(const Job& job) {
    return std::max(Duration{0}, job.walltime);
  }

  // With a restart, what was done in the background before it is lost.
  [[nodiscard]] Sums sums_of(Stretches all, bool lost) const {
    Sums sums;
    const Stay* before = nullptr;
    for (const auto* stay : all) {
      if (before != nullptr && loses(*before, *stay)) sums = {};
      before = stay;
      if (stay->doing != Doing::kRunning || !stay->to) continue;
      const bool below = stay->tier == Tier::kBackground;
      if (below && lost) continue;
      const Duration span = *stay->to - stay->from;
      if (stay->yield == 1) {
        sums.full += span;
      } else {
        sums.part += stay->yield * static_cast<double>(span);
      }
      if (!below) sums.ran += span;
    }
    return sums;
  }

  // What the walltime limits.
  [[nodiscard]] Duration limited(const Sums& sums) const {
    return rules_.limits_work ? sums.full + std::llround(sums.part) : sums.ran;
  }

  void judge_sums(const Job& job, const Sums& sums, bool killed, Time at) {
    const auto length = static_cast<double>(std::max(kSecond, job.length));
    const double rounding = sums.part == 0 ? 0.0 : 1e-6 * length + 1.0;
    const double most = static_cast<double>(rules_.tolerance) + rounding;
    const double off = static_cast<double>(sums.full - job.length) + sums.part;
    const Duration ran = limited(sums);
    const Duration slack = rules_.limits_work ? std::llround(most) : rules_.tolerance;
    if (!killed) {
      report_.note(kLength, std::abs(off) <= most, at, job.id, [&] {
        return fmt::format("its work is that of {} instead of {}",
                           seconds_text(sums.full + std::llround(sums.part)),
                           seconds_text(job.length));
      });
      if (!rules_.kills) return;
      report_.note(kLength, ran <= limit_of(job) + slack, at, job.id, [&] {
        return fmt::format("it runs for {}, and the machine kills it at {}",
                           seconds_text(ran), seconds_text(limit_of(job)));
      });
      return;
    }
    const Duration late = ran - limit_of(job);
    report_.note(kLength, std::abs(late) <= slack, at, job.id, [&] {
      return fmt::format("it was killed after {} instead of {}", seconds_text(ran),
                         seconds_text(limit_of(job)));
    });
    report_.note(kState, off <= most, at, job.id,
                 [] { return "it was killed after its work was done"; });
  }

  // What could never be told for sure where a job still holds something.
  void judge_unstarted() {
    for (std::uint32_t number = 0; number < jobs_.size(); ++number) {
      const auto* row = rows_[number];
      const bool waits =
          row != nullptr && !row->start && row->state != Stated::kRejected;
      if (!waits) continue;
      const auto& job = jobs_[number];
      report_.note(kUnstarted, rules_.never_fits(JobId{number}), job.submit, job.id,
                   [] { return "it never starts, and in the end no job runs"; });
    }
  }

  std::span<const Job> jobs_;
  const StretchRules& rules_;
  bool has_rows_;
  bool is_any_left_ = false;            // a job that never ends
  std::vector<const Scheduled*> rows_;  // by job; null: it has none
  std::vector<const Stay*> sorted_;
  ScheduleReport report_;
};

}  // namespace

ScheduleReport check_stretches(std::span<const Job> jobs,
                               const StretchedSchedule& schedule,
                               const StretchRules& rules) {
  return StretchChecker(jobs, schedule, rules).run();
}

}  // namespace berth::audit
