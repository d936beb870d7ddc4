#include "engine/jobs/job_links.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::array<std::pair<std::string_view, LinkKind>, 5> kLinkKinds{{
    {"after", LinkKind::kAfter},
    {"afterany", LinkKind::kAfterAny},
    {"afterok", LinkKind::kAfterOk},
    {"afternotok", LinkKind::kAfterNotOk},
    {"with", LinkKind::kWith},
}};

// By parent, where its links begin in a list that is sorted by parent.
std::vector<std::uint32_t> begins_of(std::span<const JobLink> links, std::size_t jobs) {
  std::vector<std::uint32_t> begins(jobs + 1);
  for (const auto& link : links) ++begins[link.parent + 1];
  for (std::size_t i = 0; i < jobs; ++i) begins[i + 1] += begins[i];
  return begins;
}

}  // namespace

std::string_view name(LinkKind kind) {
  return kLinkKinds[static_cast<std::size_t>(kind)].first;
}

std::optional<LinkKind> link_kind(std::string_view name) {
  for (const auto& [text, kind] : kLinkKinds) {
    if (text == name) return kind;
  }
  return std::nullopt;
}

JobLinks::JobLinks(std::vector<JobLink> links, std::vector<bool> closed,
                   std::vector<bool> ends_badly, NeverSatisfied never)
    : links_(std::move(links)),
      waits_(closed.size()),
      closed_(std::move(closed)),
      ends_badly_(std::move(ends_badly)),
      never_(never) {
  std::sort(links_.begin(), links_.end(), [](const JobLink& a, const JobLink& b) {
    return std::tuple(a.parent, a.child, a.kind()) <
           std::tuple(b.parent, b.child, b.kind());
  });
  begins_ = begins_of(links_, closed_.size());
  for (const auto& link : links_) ++waits_[link.child];
}

// Takes jobs that wait for none away until none is left but those of cycles and behind
// them; from any of these a way along its parents comes back to itself.
std::vector<std::uint32_t> cycle_of(std::span<const JobLink> links, std::size_t jobs,
                                    Budget& budget) {
  budget.charge_sort(links.size());
  budget.charge_each(2 * (jobs + links.size()));
  std::vector<JobLink> by_parent(links.begin(), links.end());
  std::sort(by_parent.begin(), by_parent.end(),
            [](const auto& a, const auto& b) { return a.parent < b.parent; });
  const auto begins = begins_of(by_parent, jobs);
  std::vector<std::uint32_t> waits(jobs);
  for (const auto& link : links) ++waits[link.child];
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < jobs; ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  while (!free.empty()) {  // each job is taken away once
    const auto job = free.back();
    free.pop_back();
    for (auto i = begins[job]; i < begins[job + 1]; ++i) {
      const auto child = by_parent[i].child;
      if (--waits[child] == 0) free.push_back(child);
    }
  }
  const auto left = std::find_if(waits.begin(), waits.end(), [](auto n) { return n; });
  if (left == waits.end()) return {};
  // A parent of each job that is left which is left, too.
  constexpr auto kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> parent(jobs, kNone);
  for (const auto& link : links) {
    if (waits[link.child] > 0 && waits[link.parent] > 0) {
      parent[link.child] = std::min(parent[link.child], link.parent);
    }
  }
  std::vector<bool> is_seen(jobs);
  auto job = static_cast<std::uint32_t>(left - waits.begin());
  for (; !is_seen[job]; job = parent[job]) is_seen[job] = true;
  std::vector<std::uint32_t> cycle{job};
  for (auto at = parent[job]; at != job; at = parent[at]) cycle.push_back(at);
  cycle.push_back(job);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace berth
