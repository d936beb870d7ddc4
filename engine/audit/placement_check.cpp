#include "engine/audit/placement_check.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace berth::audit {

namespace {

struct Change {
  Time at;
  bool begins;
  JobId job;
  std::uint32_t row;
  friend bool operator<(const Change& a, const Change& b) {
    return std::tie(a.at, a.begins, a.job, a.row) <
           std::tie(b.at, b.begins, b.job, b.row);
  }
};

class PlacementChecker {
 public:
  PlacementChecker(std::span<const Job> jobs, std::span<const Stay> stays,
                   const PlaceReader& places, Law& law)
      : jobs_(jobs), stays_(stays), places_(places), law_(law) {}

  ScheduleReport run() {
    for (const auto& change : changes()) {
      const auto& stay = stays_[change.row];
      if (change.begins) {
        begin(stay, change.row);
      } else if (const auto at = held_.find(stay.job);
                 at != held_.end() && at->second == change.row) {
        law_.leave(stay.job);
        held_.erase(at);
      }
    }
    return std::move(report_);
  }

 private:
  std::vector<Change> changes() {
    std::vector<Change> all;
    for (std::uint32_t i = 0; i < stays_.size(); ++i) {
      const auto& stay = stays_[i];
      if (stay.doing == Doing::kSuspended) continue;
      const bool is_in_order = stay.from >= jobs_[index(stay.job)].submit &&
                               (!stay.to || *stay.to >= stay.from);
      note({{}, "order"}, is_in_order, stay,
           "it starts before it was submitted, or ends before it starts");
      if (stay.to && *stay.to <= stay.from) continue;
      all.push_back({stay.from, true, stay.job, i});
      if (stay.to) all.push_back({*stay.to, false, stay.job, i});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  void begin(const Stay& stay, std::uint32_t number) {
    Verdict verdict;
    if (held_.contains(stay.job)) {
      verdict = Fault{kWholePlacement, "it is in two places at a time"};
    } else if (const auto placement = places_(stay)) {
      verdict = law_.start(stay.job, &*placement, false);
    } else {
      verdict = Fault{kWholePlacement, "it names no place of this machine"};
    }
    bool is_told = false;
    for (const auto& rule : law_.terms().of_start) {
      const bool fails = verdict && !is_told && verdict->rule == rule;
      note(rule, !fails, stay, fails ? verdict->what : std::string_view());
      is_told = is_told || fails;
    }
    if (!verdict) {
      held_.emplace(stay.job, number);
    } else if (law_.is_placed(stay.job) && !held_.contains(stay.job)) {
      law_.leave(stay.job);
    }
  }

  void note(const Rule& rule, bool holds, const Stay& stay, std::string_view what) {
    report_.note(rule, holds, stay.from, jobs_[index(stay.job)].id,
                 [&] { return what; });
  }

  std::span<const Job> jobs_;
  std::span<const Stay> stays_;
  const PlaceReader& places_;
  Law& law_;
  ScheduleReport report_;
  std::map<JobId, std::uint32_t> held_;  // by which stay
};

}  // namespace

ScheduleReport check_placements(std::span<const Job> jobs, std::span<const Stay> stays,
                                const PlaceReader& places, Law& law) {
  return PlacementChecker(jobs, stays, places, law).run();
}

}  // namespace berth::audit
