#include "report/drawn_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

// Bounded in this file: the parts, for which draw_parts() charges.

namespace berth::report {

namespace {

constexpr std::int64_t kMostRowsEach = 20;

// From one number, and before another: of a part that a job has.
struct Taken {
  std::int64_t from;
  std::int64_t to;
  Time until;
};

class DrawnParts {
 public:
  DrawnParts(JobsOfFile& of, Budget& budget) : of_(of), budget_(budget) {
    budget_.charge_sort(of_.parts.size() + of_.jobs.size());
    for (const auto& part : of_.parts) rows_.try_emplace({part.host, part.part}, 0);
    std::size_t next = 0;
    for (auto& [key, number] : rows_) number = next++;
    order_.resize(of_.jobs.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) {
      return of_.jobs[a].start < of_.jobs[b].start;
    });
  }

  DrawnRows draw() {
    whole_ = whole();
    std::int64_t unit = whole_;
    for (const auto& part : of_.parts) unit = std::gcd(unit, part.share);
    each_ = std::min(kMostRowsEach, whole_ / unit);
    place();
    DrawnRows made;
    made.each = static_cast<std::int32_t>(each_);
    for (const auto& [key, number] : rows_) {
      made.names.push_back(fmt::format("{}:{}", key.first, key.second));
    }
    of_.processors = static_cast<std::int32_t>(std::ssize(rows_) * each_);
    return made;
  }

 private:
  using Rows = std::map<std::pair<std::int32_t, std::int32_t>, std::size_t>;

  [[nodiscard]] std::span<const DrawnPart> parts_of(const ScheduledJob& job) const {
    return std::span(of_.parts).subspan(job.first_part, job.parts);
  }

  // The most that shares take of one part at a time.
  [[nodiscard]] std::int64_t whole() {
    std::vector<std::vector<std::pair<Time, std::int64_t>>> changes(rows_.size());
    for (const auto& job : of_.jobs) {
      if (job.has_ended() && job.finish == job.start) continue;
      for (const auto& part : parts_of(job)) {
        auto& own = changes[rows_.at({part.host, part.part})];
        own.emplace_back(job.start, part.share);
        if (job.has_ended()) own.emplace_back(job.finish, -part.share);
      }
    }
    std::int64_t most = 1;
    for (auto& own : changes) {
      std::sort(own.begin(), own.end());
      std::int64_t now = 0;
      for (const auto& [at, change] : own) most = std::max(most, now += change);
    }
    return most;
  }

  void place() {
    std::vector<std::vector<Interval>> of_jobs(of_.jobs.size());
    std::vector<std::vector<Taken>> taken(rows_.size());
    const auto is_over_by = [](Time at) {
      return [at](const Taken& each) { return each.until <= at; };
    };
    for (const auto number : order_) {
      const auto& job = of_.jobs[number];
      for (const auto& part : parts_of(job)) {
        const auto row = rows_.at({part.host, part.part});
        std::erase_if(taken[row], is_over_by(job.start));
        budget_.charge_each(1 + taken[row].size());
        take(job, part.share > 0 ? part.share : whole_, row, taken[row],
             of_jobs[number]);
      }
    }
    of_.intervals.clear();
    for (std::size_t i = 0; i < of_.jobs.size(); ++i) {
      auto& job = of_.jobs[i];
      job.first_interval = static_cast<std::uint32_t>(of_.intervals.size());
      join(of_jobs[i]);
      job.intervals =
          static_cast<std::uint32_t>(of_.intervals.size()) - job.first_interval;
    }
  }

  // The lowest numbers of the part that nobody has, as many as the share.
  void take(const ScheduledJob& job, std::int64_t share, std::size_t row,
            std::vector<Taken>& taken, std::vector<Interval>& to) const {
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return a.from < b.from; });
    std::vector<Taken> made;
    std::int64_t at = 0;
    const auto until = job.has_ended() ? job.finish : kNever;
    const auto fill = [&](std::int64_t end) {
      const auto piece = std::min(share, end - at);
      if (piece <= 0) return;
      made.push_back({at, at + piece, until});
      share -= piece;
    };
    for (const auto& each : taken) {
      fill(each.from);
      at = std::max(at, each.to);
    }
    fill(whole_);
    for (const auto& piece : made) {
      const auto base = static_cast<std::int64_t>(row) * each_;
      const auto first = base + piece.from * each_ / whole_;
      const auto last = std::max(first, base + piece.to * each_ / whole_ - 1);
      to.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)});
      taken.push_back(piece);
    }
  }

  // Ascending, those that touch as one.
  void join(std::vector<Interval>& own) {
    std::sort(own.begin(), own.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    const auto begin = of_.intervals.size();
    for (const auto& each : own) {
      const bool touches =
          of_.intervals.size() > begin && of_.intervals.back().last + 1 >= each.first;
      if (touches) {
        auto& last = of_.intervals.back().last;
        last = std::max(last, each.last);
      } else {
        of_.intervals.push_back(each);
      }
    }
  }

  JobsOfFile& of_;
  Budget& budget_;
  Rows rows_;
  std::vector<std::size_t> order_;  // jobs by start
  std::int64_t whole_ = 1;
  std::int64_t each_ = 1;
};

}  // namespace

std::optional<DrawnRows> draw_parts(JobsOfFile& of, Budget& budget) {
  if (of.parts.empty()) return std::nullopt;
  return DrawnParts(of, budget).draw();
}

Json lanes_of(const DrawnRows& rows) {
  return {{"names", Json(rows.names)}, {"each", rows.each}};
}

}  // namespace berth::report
