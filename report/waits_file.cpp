#include "report/waits_file.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/base/table_reader.hpp"
#include "engine/machines/reason_list.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::report {

namespace {

constexpr std::size_t kBlockers = 20;

struct Blocked {
  std::int64_t jobs = 0;
  std::int64_t passes = 0;
  Int128 time = 0;  // ticks
};

WaitsOfReason reason_of(const std::string& name, const Blocked& sum) {
  WaitsOfReason made{name, name, "", sum.jobs, sum.passes, total_seconds(sum.time)};
  // Bounded: the reasons that there are.
  for (const auto& why : all_reasons()) {
    if (why.record().name != name) continue;
    made.words = why.record().words;
    made.help = why.record().help;
  }
  return made;
}

void keep_longest(Waits& waits, Budget& budget) {
  if (waits.rows.size() <= kMostWaitRows) return;
  waits.has_all_rows = false;
  budget.charge_sort(waits.rows.size());
  std::stable_sort(waits.rows.begin(), waits.rows.end(),
                   [](const auto& a, const auto& b) { return a.time > b.time; });
  waits.rows.resize(kLongestWaitRows);
}

}  // namespace

Waits read_waits(ByteSource& source, const std::string& name, Budget& budget) {
  enum : std::size_t { kReason, kPasses, kSeconds, kBlocker, kJobId };
  TableReader table(name, lines_of(source, name, budget),
                    {{"reason"}, {"passes"}, {"seconds"}, {"blocker"}, {"job_id"}});
  Waits made;
  std::map<std::string, Blocked, std::less<>> reasons;
  std::map<std::int64_t, Blocked> blockers;
  // Bounded: the rows, for which the reader of lines charges.
  while (table.next()) {
    auto& sum = reasons[std::string(table.text(kReason))];
    const auto time = table.time(kSeconds);
    ++sum.jobs;
    sum.passes += table.whole(kPasses, 0);
    sum.time += time;
    const auto by = table.text(kBlocker).empty() ? -1 : table.whole(kBlocker);
    made.rows.push_back({table.whole(kJobId), std::string(table.text(kReason)),
                         table.whole(kPasses, 0), time, by});
    if (by < 0) continue;
    auto& blocked = blockers[by];
    ++blocked.jobs;
    blocked.time += time;
  }
  keep_longest(made, budget);
  budget.charge_each(reasons.size() + blockers.size());
  for (const auto& [reason, sum] : reasons) {
    made.reasons.push_back(reason_of(reason, sum));
  }
  for (const auto& [job, sum] : blockers) {
    made.blockers.push_back({job, sum.jobs, total_seconds(sum.time)});
  }
  const auto longer = [](const auto& a, const auto& b) {
    return a.seconds > b.seconds;
  };
  std::stable_sort(made.reasons.begin(), made.reasons.end(), longer);
  std::stable_sort(made.blockers.begin(), made.blockers.end(), longer);
  if (made.blockers.size() > kBlockers) made.blockers.resize(kBlockers);
  return made;
}

}  // namespace berth::report
