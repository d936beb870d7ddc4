#include "report/stretches_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/base/printable.hpp"
#include "report/csv_rows.hpp"

namespace berth::report {

namespace {

class StretchesReader {
 public:
  StretchesReader(ByteSource& source, const std::string& name, const JobsOfFile& jobs,
                  const PlacesOfFile& places, Budget& budget)
      : budget_(budget),
        rows_(source, name, budget),
        form_(places),
        ends_(jobs.jobs.size()) {
    budget_.charge_each(jobs.jobs.size());
    places_.reserve(jobs.jobs.size());
    for (std::uint32_t i = 0; i < jobs.jobs.size(); ++i) {
      places_.emplace(jobs.jobs[i].id, i);
    }
  }

  StretchesOfFile read() {
    rows_.need({"job_id", "from", "to", "kind", "tier", "resources"});
    job_ = rows_.find("job_id");
    from_ = rows_.find("from");
    to_ = rows_.find("to");
    kind_ = rows_.find("kind");
    tier_ = rows_.find("tier");
    resources_ = rows_.find("resources");
    // Bounded: the rows, for which the reader of lines charges.
    while (rows_.next()) read_stretch();
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
    made.from = rows_.time(from_);
    made.to = rows_.time(to_);
    if (made.to < made.from) rows_.complain(to_, "the stretch ends before it begins");
    auto& end = ends_[made.job];
    if (end && made.from < *end) {
      rows_.complain(from_, "the stretch begins before the job's last one ends");
    }
    end = made.to;
    const auto kind = rows_.text(kind_);
    if (kind == "suspended") return;
    made.is_frozen = kind == "frozen";
    if (!made.is_frozen && kind != "running") {
      rows_.complain(kind_, fmt::format("'{}' is none of running, frozen, suspended",
                                        printable(kind)));
    }
    made.half = half();
    made.first_interval = static_cast<std::uint32_t>(made_.intervals.size());
    rows_.places(resources_, form_.form, form_.processors, made_.intervals);
    made.intervals =
        static_cast<std::uint32_t>(made_.intervals.size()) - made.first_interval;
    made_.stretches.push_back(made);
  }

  std::uint32_t job() {
    const auto id = rows_.whole(job_, std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::int64_t>::max());
    const auto found = places_.find(id);
    if (found == places_.end()) {
      rows_.complain(job_, fmt::format("job {} is not in jobs.csv", id));
    }
    return found->second;
  }

  Half half() {
    const auto tier = rows_.text(tier_);
    if (tier.empty()) return Half::kWhole;
    made_.has_tiers = true;
    if (tier == "foreground") return Half::kForeground;
    if (tier == "background") return Half::kBackground;
    rows_.complain(tier_, fmt::format("'{}' is neither foreground nor background",
                                      printable(tier)));
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
      } else {
        all[kept++] = all[i];
      }
    }
    all.resize(kept);
  }

  Budget& budget_;
  CsvRows rows_;
  PlacesOfFile form_;
  std::unordered_map<std::int64_t, std::uint32_t> places_;  // of jobs, by id
  std::vector<std::optional<Time>> ends_;                   // of the last stretch
  std::size_t job_ = 0;
  std::size_t from_ = 0;
  std::size_t to_ = 0;
  std::size_t kind_ = 0;
  std::size_t tier_ = 0;
  std::size_t resources_ = 0;
  StretchesOfFile made_;
};

}  // namespace

StretchesOfFile read_stretches(ByteSource& source, const std::string& name,
                               const JobsOfFile& jobs, const PlacesOfFile& places,
                               Budget& budget) {
  return StretchesReader(source, name, jobs, places, budget).read();
}

}  // namespace berth::report
