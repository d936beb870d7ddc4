#pragma once
// The profile of one kind of resource, and starts that suit several of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/time.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/reserve/availability_profile.hpp"

namespace berth {

struct KindProfile {
  std::size_t kind;
  ProfileOf<std::int64_t> profile;
};

// The first start >= `from` that suits each kind of which the need has some; nullopt:
// never.  suits(profile, amount, start) is the first start >= `start` that suits one.
// Each in turn moves the start, until none moves it.
template <class Suits>
[[nodiscard]] std::optional<Time> first_for_all(std::span<const KindProfile> kinds,
                                                const Need& need, Time from,
                                                const Suits& suits) {
  std::size_t agreed = 0;
  // Bounded: at most 16 kinds for each breakpoint that is passed.
  for (std::size_t i = 0; agreed < kinds.size(); i = (i + 1) % kinds.size()) {
    ++agreed;
    const auto amount = need[kinds[i].kind];
    if (amount == 0) continue;
    const auto start = suits(kinds[i].profile, amount, from);
    if (!start) return std::nullopt;
    if (*start == from) continue;
    from = *start;
    agreed = 1;
  }
  return from;
}

// Whether of each kind as much as is needed stays free in [from, to).
[[nodiscard]] inline bool has_room(std::span<const KindProfile> kinds, const Need& need,
                                   Time from, Time to) {
  return std::all_of(kinds.begin(), kinds.end(), [&](const KindProfile& each) {
    const auto amount = need[each.kind];
    return amount == 0 || each.profile.least(from, to) >= amount;
  });
}

// Whether more of a kind than there is has been claimed anywhere in [from, to).
[[nodiscard]] inline bool is_overbooked(std::span<const KindProfile> kinds, Time from,
                                        Time to) {
  return std::any_of(kinds.begin(), kinds.end(), [&](const KindProfile& each) {
    return each.profile.least(from, to) < 0;
  });
}

}  // namespace berth
