#include "engine/jobs/running_set.hpp"

#include <algorithm>

#include "engine/base/count_before.hpp"

namespace berth {

namespace {

bool sooner(const Release& a, const Release& b) {
  return a.at != b.at ? a.at < b.at : a.job < b.job;
}

}  // namespace

// How many come before it.
std::ptrdiff_t RunningSet::place_of(const Release& entry) const {
  auto at = jobs_.begin();
  at += static_cast<std::ptrdiff_t>(
      count_before(jobs_, entry.at, [](const Release& each) { return each.at; }));
  while (at != jobs_.end() && sooner(*at, entry)) ++at;  // equal ends
  return at - jobs_.begin();
}

void RunningSet::overrun(Time now, std::vector<Release>& out) const {
  out.clear();
  for (const auto& entry : jobs_) {
    if (!overrun(entry.at, now)) break;
    out.push_back({after(now, grace_), entry.job, entry.size});
  }
  std::sort(out.begin(), out.end(), sooner);
}

void RunningSet::releases(Time now, std::vector<Release>& out) const {
  overrun(now, out);
  const auto late = static_cast<std::ptrdiff_t>(out.size());
  out.insert(out.end(), jobs_.begin() + late, jobs_.end());
  std::inplace_merge(out.begin(), out.begin() + late, out.end(), sooner);
}

}  // namespace berth
