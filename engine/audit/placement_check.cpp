#include "engine/audit/placement_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

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
  PlacementChecker(std::span<const Job> jobs, std::span<const Scheduled> stays,
                   const Topology* topology, Law& law)
      : jobs_(jobs), stays_(stays), topology_(topology), law_(law) {}

  ScheduleReport run() {
    for (const auto& change : changes()) {
      const auto& row = stays_[change.row];
      if (change.begins) {
        begin(row, change.row);
      } else if (const auto at = held_.find(row.job);
                 at != held_.end() && at->second == change.row) {
        law_.leave(row.job);
        held_.erase(at);
      }
    }
    return std::move(report_);
  }

 private:
  std::vector<Change> changes() {
    std::vector<Change> all;
    for (std::uint32_t i = 0; i < stays_.size(); ++i) {
      const auto& row = stays_[i];
      if (!row.start) continue;
      const bool is_in_order = *row.start >= jobs_[index(row.job)].submit &&
                               (!row.end || *row.end >= *row.start);
      note({{}, "order"}, is_in_order, row,
           "it starts before it was submitted, or ends before it starts");
      if (row.end && *row.end <= *row.start) continue;
      all.push_back({*row.start, true, row.job, i});
      if (row.end) all.push_back({*row.end, false, row.job, i});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  void begin(const Scheduled& row, std::uint32_t number) {
    for (const auto& rule : law_.rules_of_start()) {
      ++report_.checked[std::string(rule.name)];
    }
    if (held_.contains(row.job)) {
      return fail(kWholePlacement, row, "it is in two places at a time");
    }
    const auto placement = placement_of(row);
    if (!placement) {
      return fail(kWholePlacement, row,
                  topology_ == nullptr
                      ? "it names no processors"
                      : "it names no slots of this network, or no switch of it");
    }
    if (const auto fault = law_.start(row.job, &*placement, false)) {
      return fail(fault->rule, row, fault->what);
    }
    held_.emplace(row.job, number);
  }

  std::optional<Placement> placement_of(const Scheduled& row) const {
    if (!row.processors || row.processors->empty()) return std::nullopt;
    if (topology_ == nullptr) return *row.processors;
    const auto& parts = row.processors->intervals();
    if (parts.back().last >= topology_->processors()) return std::nullopt;
    for (NetworkNode node = 0; node < topology_->nodes(); ++node) {
      if (topology_->name(node) != row.top) continue;
      return VirtualCluster{node,
                            topology_->level(node),
                            topology_->name(node),
                            vms_of(*row.processors),
                            *row.processors,
                            row.reserved.value_or(kNotSaid)};
    }
    return std::nullopt;
  }

  std::vector<ServerVms> vms_of(const IntervalSet& slots) const {
    std::vector<ServerVms> vms;
    for (const auto& part : slots.intervals()) {
      for (auto slot = part.first; slot <= part.last; ++slot) {
        const auto server = server_of(slot);
        if (vms.empty() || vms.back().server != server) vms.push_back({server, 0});
        ++vms.back().vms;
      }
    }
    return vms;
  }

  NetworkNode server_of(std::int32_t slot) const {
    NetworkNode first = 0;
    NetworkNode last = topology_->servers() - 1;
    while (first < last) {
      const auto middle = (first + last + 1) / 2;
      if (topology_->first_processor(middle) <= slot) {
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }

  void note(Rule rule, bool holds, const Scheduled& row, std::string_view what) {
    ++report_.checked[std::string(rule.name)];
    if (!holds) fail(rule, row, what);
  }

  void fail(Rule rule, const Scheduled& row, std::string_view what) {
    if (++report_.broken[std::string(rule.name)] > ScheduleReport::kMostListed) return;
    report_.violations.push_back(
        {rule, *row.start, {jobs_[index(row.job)].id}, std::string(what)});
  }

  std::span<const Job> jobs_;
  std::span<const Scheduled> stays_;
  const Topology* topology_;  // nullptr: there is no network
  Law& law_;
  ScheduleReport report_;
  std::map<JobId, std::uint32_t> held_;  // by which stay
};

}  // namespace

ScheduleReport check_placements(std::span<const Job> jobs,
                                std::span<const Scheduled> stays,
                                const Topology& topology, Law& law) {
  return PlacementChecker(jobs, stays, &topology, law).run();
}

ScheduleReport check_placements(std::span<const Job> jobs,
                                std::span<const Scheduled> stays, Law& law) {
  return PlacementChecker(jobs, stays, nullptr, law).run();
}

}  // namespace berth::audit
