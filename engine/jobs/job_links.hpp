#pragma once
// Which jobs of a workload wait for others (docs/model.md#dependencies).
//
// A job without links is submitted at its own time.  Others are held until all their
// links are satisfied; a link is satisfied by what happens to its parent, and holds the
// job for `delay` more.  Jobs are known by their index in the workload.
//
// Memory       16 bytes a link and 8 a job; nothing where no job has a link

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"

namespace berth {

enum class LinkKind : std::uint8_t {
  kAfter,       // the parent starts first, or is rejected
  kAfterAny,    // it ends, in whatever way, or is rejected
  kAfterOk,     // it finishes well
  kAfterNotOk,  // it fails, or is rejected
  kWith,        // it is submitted, or is rejected
};

// "after", "afterany", ...
[[nodiscard]] std::string_view name(LinkKind kind);
[[nodiscard]] std::optional<LinkKind> link_kind(std::string_view name);

inline constexpr Duration kLongestDelay = 100'000'000'000 * kSecond;

class JobLink {
 public:
  // REQUIRES: 0 <= held <= kLongestDelay.
  JobLink(std::uint32_t from, std::uint32_t to, LinkKind which, Duration held = 0)
      : parent(from),
        child(to),
        packed_(held * kKinds + static_cast<Duration>(which)) {}
  friend bool operator==(const JobLink&, const JobLink&) = default;

  [[nodiscard]] LinkKind kind() const {
    return static_cast<LinkKind>(packed_ % kKinds);
  }
  [[nodiscard]] Duration delay() const { return packed_ / kKinds; }

  std::uint32_t parent;
  std::uint32_t child;

 private:
  static constexpr Duration kKinds = 8;
  Duration packed_;  // in one word, for there may be millions
};

// What becomes of a job one of whose links can never be satisfied.
enum class NeverSatisfied : std::uint8_t { kReject, kKeep };

class JobLinks {
 public:
  // `closed`: by job, whether its own time of submit does not count.  `ends_badly`: by
  // job, whether the trace says that it failed or was cancelled; empty: no job.
  // REQUIRES: both ends of a link are below closed.size(); a closed job has a link;
  // there is no cycle.
  JobLinks(std::vector<JobLink> links, std::vector<bool> closed,
           std::vector<bool> ends_badly, NeverSatisfied never);

  // By parent, then by child.
  [[nodiscard]] std::span<const JobLink> all() const { return links_; }
  [[nodiscard]] std::span<const JobLink> of_parent(std::uint32_t job) const {
    return std::span(links_).subspan(begins_[job], begins_[job + 1] - begins_[job]);
  }
  // How many links the job waits for.
  [[nodiscard]] std::uint32_t waits_for(std::uint32_t job) const { return waits_[job]; }
  [[nodiscard]] bool is_closed(std::uint32_t job) const { return closed_[job]; }
  [[nodiscard]] bool ends_badly(std::uint32_t job) const {
    return !ends_badly_.empty() && ends_badly_[job];
  }
  [[nodiscard]] NeverSatisfied never() const { return never_; }

 private:
  std::vector<JobLink> links_;
  std::vector<std::uint32_t> begins_;  // by parent, of its links; one more at the end
  std::vector<std::uint32_t> waits_;   // by child
  std::vector<bool> closed_;
  std::vector<bool> ends_badly_;
  NeverSatisfied never_;
};

// The jobs of one cycle, each before one that waits for it, the first again at the end;
// empty: there is no cycle.  O(jobs + links).
[[nodiscard]] std::vector<std::uint32_t> cycle_of(std::span<const JobLink> links,
                                                  std::size_t jobs, Budget& budget);

}  // namespace berth
