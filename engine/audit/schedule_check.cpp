#include "engine/audit/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "engine/audit/life_check.hpp"

namespace berth::audit {

namespace {

// At one instant: ends, then jobs without length, which need processors beside the jobs
// that run through the instant, then the other starts.  Instants at which a job comes
// in are judged, too.
enum class Step : std::uint8_t { kEnd, kSubmit, kInstant, kStart };

struct Moment {
  Time at;
  Step step;
  JobId job;
  std::uint32_t row;
  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.at, a.step, a.job) < std::tie(b.at, b.step, b.job);
  }
};

class Checker {
 public:
  Checker(std::span<const Job> jobs, std::span<const Scheduled> schedule,
          const ScheduleRules& rules)
      : jobs_(jobs),
        schedule_(schedule),
        rules_(rules),
        idle_(0, rules.processors - 1) {}

  ScheduleReport run() {
    check_missing();
    for (const auto& row : schedule_) {
      check_state(row);
      if (row.start) check_row(row);
    }
    for (const auto& moment : moments()) {
      if (moment.at != now_) close_instant();
      now_ = moment.at;
      apply(moment);
    }
    close_instant();
    check_left_over();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool never_fits(JobId id) const {
    return rules_.never_fits ? rules_.never_fits(id)
                             : jobs_[index(id)].size > rules_.processors;
  }
  // How long so much work takes the job where it ran.
  [[nodiscard]] Duration time_of(JobId id, Duration work) const {
    if (rules_.speeds.empty()) return work;
    return std::llround(static_cast<double>(work) / rules_.speeds[index(id)]);
  }
  [[nodiscard]] Duration limit_of(JobId id) const {
    const auto walltime = std::max(Duration{0}, jobs_[index(id)].walltime);
    return rules_.limits_work ? time_of(id, walltime) : walltime;
  }

  void check_missing() {
    if (rules_.has_own_jobs) return;
    std::vector<bool> present(jobs_.size());
    for (const auto& row : schedule_) present[index(row.job)] = true;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const bool fine = present[i] || never_fits(JobId{static_cast<std::uint32_t>(i)});
      note("missing", fine, jobs_[i].submit, jobs_[i].id,
           [] { return std::string("it is not in the schedule"); });
    }
  }

  void check_state(const Scheduled& row) {
    if (row.state == Stated::kNothing) return;
    const auto& job = jobs_[index(row.job)];
    auto wrong = wrong_state(row);
    if (wrong.empty() && !rules_.has_own_jobs) wrong = wrong_length(row);
    note("state", wrong.empty(), row.start.value_or(job.submit), job.id,
         [&] { return wrong; });
  }

  // Jobs run at the speed of their place here, so the length tells how they end.
  std::string wrong_length(const Scheduled& row) const {
    const auto length = time_of(row.job, jobs_[index(row.job)].length);
    const auto limit = limit_of(row.job);
    if (row.state == Stated::kKilled && length <= limit) {
      return fmt::format("it was killed at its walltime of {}, and its length is {}",
                         seconds_text(limit), seconds_text(length));
    }
    if (row.state != Stated::kCompleted || !rules_.kills) return {};
    if (length <= limit) return {};
    return fmt::format("it completed, and the machine kills it at its walltime of {}",
                       seconds_text(limit));
  }

  [[nodiscard]] std::string never_starts(std::int64_t idle) const {
    if (rules_.never_fits) return "it never starts, and in the end no job runs";
    return fmt::format("it never starts, and {} of {} processors are idle for ever",
                       idle, rules_.processors);
  }

  // What never started is judged when everything has ended.
  void check_left_over() {
    if (rules_.lacks_hosts) return;
    for (const auto& row : schedule_) {
      const auto& job = jobs_[index(row.job)];
      if (row.start || row.state == Stated::kRejected) continue;
      if (never_fits(row.job)) continue;
      // What it would fit beside is told by numbers of processors, or by nothing.
      if (rules_.never_fits && in_use_ > 0) continue;
      const auto idle = rules_.processors - in_use_;
      const auto since = std::max(job.submit, now_ == kNever ? job.submit : now_);
      note("unstarted", job.size > idle, since, job.id,
           [&] { return never_starts(idle); });
    }
  }

  void check_row(const Scheduled& row) {
    const auto& job = jobs_[index(row.job)];
    const Time start = *row.start;
    note("capacity", job.size <= rules_.processors, start, job.id, [&] {
      return fmt::format("it needs {} processors, there are {}", job.size,
                         rules_.processors);
    });
    note("order", start >= job.submit - rules_.submit_tolerance, start, job.id, [&] {
      return fmt::format("it starts before its submit time {}",
                         seconds_text(job.submit));
    });
    if (!row.end) return;
    note("order", *row.end >= start, start, job.id, [&] {
      return fmt::format("it ends at {}, before it starts", seconds_text(*row.end));
    });
    check_length(row, job);
    if (!row.processors) return;
    note("capacity", row.processors->count() == job.size, start, job.id, [&] {
      return fmt::format("it has {} processors and asked for {}",
                         row.processors->count(), job.size);
    });
  }

  void check_length(const Scheduled& row, const Job& job) {
    if (rules_.has_own_jobs) return;
    const Time start = *row.start;
    const Duration length = time_of(row.job, job.length);
    const Duration limit = limit_of(row.job);
    const bool killed =
        row.state == Stated::kKilled ||
        (row.state == Stated::kNothing && rules_.kills && length > limit);
    const Duration wanted = killed ? limit : length;
    const Duration off = *row.end - start - wanted;
    const bool may_be_short =
        row.state == Stated::kStopped || row.state == Stated::kHostFailed;
    note("length",
         off <= rules_.tolerance && (may_be_short || -off <= rules_.tolerance), start,
         job.id, [&] {
           return fmt::format("it runs for {} instead of {}",
                              seconds_text(*row.end - start), seconds_text(wanted));
         });
  }

  // Jobs without length hold nothing after their instant.
  static bool holds(const Scheduled& row) {
    return row.start && (!row.end || *row.end > *row.start);
  }

  std::vector<Moment> moments() const {
    std::vector<Moment> out;
    out.reserve(schedule_.size() * 3);
    for (std::uint32_t i = 0; i < schedule_.size(); ++i) {
      const auto& row = schedule_[i];
      const auto& job = jobs_[index(row.job)];
      // A rejected job that runs takes processors like any other.
      const bool is_out = row.state == Stated::kRejected && !row.start;
      if (is_out || job.size > rules_.processors) continue;
      const Time in = std::min(job.submit, row.start.value_or(job.submit));
      out.push_back({in, Step::kSubmit, row.job, i});
      if (!row.start) continue;
      const bool stays = holds(row);
      out.push_back({*row.start, stays ? Step::kStart : Step::kInstant, row.job, i});
      if (stays && row.end) out.push_back({*row.end, Step::kEnd, row.job, i});
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void apply(const Moment& moment) {
    const auto& row = schedule_[moment.row];
    const auto& job = jobs_[index(moment.job)];
    switch (moment.step) {
      case Step::kSubmit: return;
      case Step::kInstant: check_room(job); [[fallthrough]];
      case Step::kStart: start(row, job); return;
      case Step::kEnd: end(row, job); return;
    }
  }

  void check_room(const Job& job) {
    note("capacity", in_use_ + job.size <= rules_.processors, now_, job.id, [&] {
      return fmt::format("its {} processors are not free, {} of {} are in use",
                         job.size, in_use_, rules_.processors);
    });
  }

  void start(const Scheduled& row, const Job& job) {
    if (!holds(row)) return;
    in_use_ += job.size;
    place(row, job);
    crowded_ = crowded_ || in_use_ > rules_.processors;
  }

  void end(const Scheduled& row, const Job& job) {
    in_use_ -= job.size;
    const auto at = placed_.find(index(row.job));
    if (at == placed_.end()) return;
    idle_.insert(at->second);
    placed_.erase(at);
  }

  void place(const Scheduled& row, const Job& job) {
    if (!row.processors) return;
    const bool idle = idle_.contains(*row.processors);
    note("capacity", idle, now_, job.id, [&] {
      return fmt::format("one of its processors {} is busy or does not exist",
                         row.processors->text());
    });
    if (!idle) return;
    idle_.erase(*row.processors);
    placed_[index(row.job)] = *row.processors;
  }

  // Judges an instant, all changes of which are made.
  void close_instant() {
    if (now_ == kNever) return;
    if (std::exchange(crowded_, false) || in_use_ > rules_.processors) {
      note("capacity", false, now_, std::nullopt, [&] {
        return fmt::format("{} processors in use, there are {}", in_use_,
                           rules_.processors);
      });
    } else {
      ++report_.checked["capacity"];
    }
  }

  template <class What>
  void note(const char* rule, bool holds, Time at, std::optional<std::int64_t> job,
            const What& what) {
    report_.note({{}, rule}, holds, at, job, what);
  }

  std::span<const Job> jobs_;
  std::span<const Scheduled> schedule_;
  ScheduleRules rules_;
  ScheduleReport report_;
  IntervalSet idle_;
  std::map<std::uint32_t, IntervalSet> placed_;
  std::int64_t in_use_ = 0;
  bool crowded_ = false;
  Time now_ = kNever;
};

}  // namespace

std::string wrong_state(const Scheduled& row) {
  switch (row.state) {
    case Stated::kNothing:
    case Stated::kStopped: break;
    case Stated::kRejected:
      if (row.start) return "it is rejected and starts";
      break;
    case Stated::kUnfinished:
      if (row.end) return "it is not finished and ends";
      break;
    case Stated::kHostFailed:
    case Stated::kKilled:
    case Stated::kCompleted:
      if (!row.start || !row.end) return "it completed without a start and an end";
  }
  return {};
}

void ScheduleReport::add(ScheduleReport&& other) {
  for (const auto& [rule, count] : other.checked) checked[rule] += count;
  for (const auto& [rule, count] : other.broken) broken[rule] += count;
  excuses.add(other.excuses);
  std::move(other.violations.begin(), other.violations.end(),
            std::back_inserter(violations));
}

ScheduleReport check_schedule(std::span<const Job> jobs,
                              std::span<const Scheduled> schedule,
                              const ScheduleRules& rules) {
  auto found = Checker(jobs, schedule, rules).run();
  if (!rules.easy) return found;
  const LifeRules life{rules.processors, true, rules.min_planned};
  found.add(check_life(jobs, schedule, held_by_rows(jobs, schedule, life), life));
  return found;
}

}  // namespace berth::audit
