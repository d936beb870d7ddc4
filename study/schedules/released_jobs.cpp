#include "study/schedules/released_jobs.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "engine/audit/release_check.hpp"
#include "engine/audit/rules.hpp"
#include "engine/base/error.hpp"

namespace berth::study {

namespace {

using audit::Scheduled;
using audit::Stated;

[[noreturn]] void lacks(const char* what) { throw Error(ErrorCode::kUsage, what); }

bool ends_well(const Scheduled& row) {
  return row.state == Stated::kCompleted || row.state == Stated::kNothing;
}

class Releasing {
 public:
  Releasing(std::span<const Job> jobs, const JobLinks& links, const Schedule& rows,
            const std::function<bool(JobId)>& is_rejected_at_once)
      : jobs_(jobs),
        links_(links),
        rows_(rows),
        is_rejected_at_once_(is_rejected_at_once),
        order_(jobs.size()),
        check_({links, jobs, order_}),
        row_of_(jobs.size(), kNoRow) {
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      row_of_[index(rows.rows[i].job)] = i;
    }
  }

  ReleasedJobs run() {
    // Parents first, so that what became of them is known.
    for (const auto job : parents_first()) judge(job);
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      const bool is_held = row_of_[job] == kNoRow && links_.waits_for(job) > 0;
      if (!is_held) {
        made_.order.push_back(job);
        continue;
      }
      note(check_.stays_out(job), jobs_[job].submit, job);
    }
    std::sort(made_.order.begin(), made_.order.end(), [this](auto a, auto b) {
      const Time left = release(a);
      const Time right = release(b);
      return left != right ? left < right : jobs_[a].id < jobs_[b].id;
    });
    made_.jobs.reserve(made_.order.size());
    made_.is_refused.reserve(made_.order.size());
    for (const auto job : made_.order) {
      made_.jobs.push_back(jobs_[job]);
      made_.jobs.back().submit = release(job);
      made_.is_refused.push_back(check_.is_refused(JobId{job}));
    }
    return std::move(made_);
  }

 private:
  static constexpr auto kNoRow = static_cast<std::size_t>(-1);

  [[nodiscard]] Time release(std::uint32_t job) const {
    const auto row = row_of_[job];
    const Time told = row == kNoRow ? kNever : rows_.told[row].submit;
    return told == kNever ? jobs_[job].submit : told;
  }

  [[nodiscard]] std::vector<std::uint32_t> parents_first() const {
    std::vector<std::uint32_t> waits(jobs_.size());
    std::vector<std::uint32_t> order;
    order.reserve(jobs_.size());
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      waits[job] = links_.waits_for(job);
      if (waits[job] == 0) order.push_back(job);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const auto& link : links_.of_parent(order[i])) {
        if (--waits[link.child] == 0) order.push_back(link.child);
      }
    }
    BERTH_ASSERT(order.size() == jobs_.size());  // there is no cycle
    return order;
  }

  void judge(std::uint32_t job) {
    const auto number = row_of_[job];
    if (number == kNoRow) return;
    const auto& row = rows_.rows[number];
    const JobId id{job};
    const bool is_linked = links_.waits_for(job) > 0;
    if (is_linked && rows_.told[number].submit == kNever) {
      lacks(
          "--schedule: jobs wait for others, and it has no submission_time of one that "
          "does, which tells when it was released");
    }
    const Time at = release(job);
    // Of jobs without links the rule of the order judges the start.
    const auto release_verdict = check_.submit(id, at);
    if (is_linked) note(release_verdict, at, job);
    if (row.start) {
      note(check_.start(id, *row.start), *row.start, job);
    } else if (row.state != Stated::kRejected && check_.is_refused(id)) {
      note(audit::Fault{audit::kDependencies,
                        "a link of it can never be satisfied, and it is not rejected"},
           at, job);
    }
    if (row.end) {
      check_.end(id, *row.end, ends_well(row));
    } else if (row.state == Stated::kRejected && !row.start) {
      (void)check_.reject(id, rejected_at(job), check_.is_refused(id));
    }
  }

  // A child that waits for nothing else is released, or rejected, then.
  [[nodiscard]] Time rejected_at(std::uint32_t job) const {
    const Time in = release(job);
    if (check_.is_refused(JobId{job}) || is_rejected_at_once_(JobId{job})) return in;
    Time first = kNever;
    for (const auto& link : links_.of_parent(job)) {
      if (link.kind() == LinkKind::kWith || row_of_[link.child] == kNoRow) continue;
      const auto delay = link.kind() == LinkKind::kAfterOk ? 0 : link.delay();
      first = std::min(first, release(link.child) - delay);
    }
    return first == kNever ? in : std::max(in, first);
  }

  void note(const audit::Verdict& verdict, Time at, std::uint32_t job) {
    made_.found.note(audit::kDependencies, !verdict, at, jobs_[job].id,
                     [&] { return verdict->what; });
  }

  std::span<const Job> jobs_;
  const JobLinks& links_;
  const Schedule& rows_;
  const std::function<bool(JobId)>& is_rejected_at_once_;
  std::vector<std::uint32_t> order_;  // of the workload
  audit::ReleaseCheck check_;
  std::vector<std::size_t> row_of_;
  ReleasedJobs made_;
};

}  // namespace

ReleasedJobs take_releases(std::span<const Job> jobs, const JobLinks& links,
                           GivenSchedule& given,
                           const std::function<bool(JobId)>& is_rejected_at_once) {
  if (!given.jobs) {
    lacks(
        "--schedule: stretches do not tell when jobs that wait for others were "
        "released; give jobs.csv, too");
  }
  auto made = Releasing(jobs, links, *given.jobs, is_rejected_at_once).run();
  constexpr auto kHeld = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> number(jobs.size(), kHeld);
  for (std::uint32_t i = 0; i < made.order.size(); ++i) number[made.order[i]] = i;
  const auto renumber = [&](JobId& id) { id = JobId{number[index(id)]}; };
  for (auto& row : given.jobs->rows) renumber(row.job);
  for (auto& stay : given.jobs->stays) renumber(stay.job);
  if (!given.stretches) return made;
  auto& stays = given.stretches->stays;
  const auto is_held = [&](const audit::Stay& stay) {
    return number[index(stay.job)] == kHeld;
  };
  const auto held = std::find_if(stays.begin(), stays.end(), is_held);
  if (held != stays.end()) {
    throw Error(ErrorCode::kInput, "--stretches: job " +
                                       std::to_string(jobs[index(held->job)].id) +
                                       " ran, and has no row in jobs.csv");
  }
  for (auto& stay : stays) renumber(stay.job);
  return made;
}

}  // namespace berth::study
