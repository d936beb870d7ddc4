#include "report/stretches_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace berth::report {

namespace {

using enum study::ScheduleColumn::Index;

class StretchesReader {
 public:
  StretchesReader(ByteSource& source, const std::string& name, const JobsOfFile& jobs,
                  const PlacesOfFile& places, Budget& budget)
      : budget_(budget),
        table_(source, name, budget),
        form_(places),
        ends_(jobs.jobs.size()),
        last_(jobs.jobs.size()) {
    budget_.charge_each(jobs.jobs.size());
    places_.reserve(jobs.jobs.size());
    for (std::uint32_t i = 0; i < jobs.jobs.size(); ++i) {
      places_.emplace(jobs.jobs[i].id, i);
    }
  }

  StretchesOfFile read() {
    table_.need(kKind);
    table_.need(kPlaces);
    // Bounded: the rows, for which the reader of lines charges.
    while (table_.next()) read_stretch();
    auto& all = made_.stretches;
    budget_.charge_sort(all.size());
    std::sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) {
      return std::tie(a.job, a.from) < std::tie(b.job, b.from);
    });
    join();
    return std::move(made_);
  }

 private:
  void read_stretch() {
    Stretch made;
    made.job = job();
    made.from = table_.time(kStart);
    made.to = table_.time(kFinish);
    if (made.to < made.from) table_.wrong(kFinish, "the stretch ends before it begins");
    auto& end = ends_[made.job];
    if (end && made.from < *end) {
      table_.wrong(kStart, "the stretch begins before the job's last one ends");
    }
    end = made.to;
    const auto doing = table_.doing();
    auto& last = last_[made.job];
    // A job that was neither suspended nor ended meanwhile lost its attempt.
    const bool begins_anew = last && made.from > made_.stretches[*last].to;
    if (begins_anew) made_.stretches[*last].is_hit = true;
    last.reset();
    if (doing == audit::Doing::kSuspended) return;
    made.is_frozen = doing == audit::Doing::kFrozen;
    made.half = half();
    made.first_interval = static_cast<std::uint32_t>(made_.intervals.size());
    form_.read(table_, made_.intervals);
    made.intervals =
        static_cast<std::uint32_t>(made_.intervals.size()) - made.first_interval;
    last = made_.stretches.size();
    made_.stretches.push_back(made);
  }

  [[nodiscard]] std::uint32_t job() const {
    const auto id = table_.whole(kJob);
    const auto found = places_.find(id);
    if (found != places_.end()) return found->second;
    table_.wrong(kJob, fmt::format("job {} is not in jobs.csv", id));
  }

  Half half() {
    const auto tier = table_.tier();
    if (!tier) return Half::kWhole;
    made_.has_tiers = true;
    return *tier == Tier::kForeground ? Half::kForeground : Half::kBackground;
  }

  [[nodiscard]] bool same_look(const Stretch& a, const Stretch& b) const {
    const auto* all = made_.intervals.data();
    return a.job == b.job && a.to == b.from && a.half == b.half &&
           a.is_frozen == b.is_frozen &&
           std::equal(all + a.first_interval, all + a.first_interval + a.intervals,
                      all + b.first_interval, all + b.first_interval + b.intervals);
  }

  void join() {
    auto& all = made_.stretches;
    std::size_t kept = 0;
    budget_.charge_each(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kept > 0 && same_look(all[kept - 1], all[i])) {
        all[kept - 1].to = all[i].to;
        all[kept - 1].is_hit = all[i].is_hit;
      } else {
        all[kept++] = all[i];
      }
    }
    all.resize(kept);
  }

  Budget& budget_;
  study::ScheduleTable table_;
  PlacesOfFile form_;
  std::unordered_map<std::int64_t, std::uint32_t> places_;  // of jobs, by id
  std::vector<std::optional<Time>> ends_;                   // of the last stretch
  // By job its last stretch, unless it was suspended then.
  std::vector<std::optional<std::size_t>> last_;
  StretchesOfFile made_;
};

}  // namespace

StretchesOfFile read_stretches(ByteSource& source, const std::string& name,
                               const JobsOfFile& jobs, const PlacesOfFile& places,
                               Budget& budget) {
  return StretchesReader(source, name, jobs, places, budget).read();
}

}  // namespace berth::report
