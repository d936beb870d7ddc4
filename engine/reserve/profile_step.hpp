#pragma once
// The values that an availability profile is made of: its steps, what is noted for many
// of them at once, and the bounds by which they are searched.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/base/time.hpp"

namespace berth::profile {

// The least that was free is kept since two instants: when this round began, and when
// the round before did.  The next round takes the place of the earlier one.
constexpr std::size_t kSince = 2;

// Sums up what is added to a step, one amount after the other, and where what is kept
// of it begins anew.
template <class Amount>
struct Note {
  Amount added = 0;
  std::array<Amount, kSince> dip{};  // the least that was added by then
  std::array<bool, kSince> is_anew{};
  bool is_empty = true;
  static Note of(Amount amount) {
    const auto dip = std::min(Amount{0}, amount);
    return {amount, {dip, dip}, {}, false};
  }
  static Note anew(std::size_t since) {
    Note note;
    note.is_anew[since] = true;
    note.is_empty = false;
    return note;
  }
  void append(const Note& next) {
    // Bounded: one for each of two rounds.
    for (std::size_t i = 0; i < kSince; ++i) {
      const Amount low = added + next.dip[i];
      dip[i] = next.is_anew[i] ? low : std::min(dip[i], low);
      is_anew[i] = is_anew[i] || next.is_anew[i];
    }
    added += next.added;
    is_empty = is_empty && next.is_empty;
  }
  // Whether no step gains or loses anything, as it has been since then.
  [[nodiscard]] bool keeps(std::size_t since) const {
    return is_empty || (added == 0 && dip[since] == 0 && !is_anew[since]);
  }
};

template <class Amount>
struct Step {
  Time from;
  Amount free;                     // until the next step
  std::array<Amount, kSince> low;  // the least that was free since
  void take(Amount amount) {
    free -= amount;
    // Bounded: one for each of two rounds.
    for (auto& each : low) each = std::min(each, free);
  }
  void add(const Note<Amount>& note) {
    // Bounded: one for each of two rounds.
    for (std::size_t i = 0; i < kSince; ++i) {
      const Amount dip = free + note.dip[i];
      low[i] = note.is_anew[i] ? dip : std::min(low[i], dip);
    }
    free += note.added;
  }
  [[nodiscard]] Step with(const Note<Amount>& note) const {
    Step noted = *this;
    noted.add(note);
    return noted;
  }
  // Lasts as long as both, and has gained what either has.
  void join(const Step& next) {
    // Bounded: one for each of two rounds.
    for (std::size_t i = 0; i < kSince; ++i) low[i] = std::min(low[i], next.low[i]);
  }
  // Whether `amount` fits now and did not before.
  [[nodiscard]] bool gained_for(Amount amount, std::size_t since) const {
    return low[since] < amount && amount <= free;
  }
};

// Amounts that may have gained room; at first none.
template <class Amount>
struct Gains {
  Amount least = std::numeric_limits<Amount>::max();
  Amount most = 0;
  [[nodiscard]] bool are_none() const { return least > most; }
  [[nodiscard]] bool has(Amount amount) const {
    return least <= amount && amount <= most;
  }
  void widen(const Gains& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

// What many steps are searched by; they may be too wide.  At first those of no step.
template <class Amount>
struct Bounds {
  Amount least = std::numeric_limits<Amount>::max();  // of what is free
  Amount most = 0;
  std::array<Gains<Amount>, kSince> gains{};
  void widen(const Bounds& other) {
    least = std::min(least, other.least);
    widen_upwards(other);
  }
  void widen(const Step<Amount>& step) {
    least = std::min(least, step.free);
    most = std::max(most, step.free);
    widen_gains(step);
  }
  // By what has risen: it lowers no least.
  void widen_upwards(const Bounds& other) {
    most = std::max(most, other.most);
    // Bounded: one for each of two rounds.
    for (std::size_t i = 0; i < kSince; ++i) gains[i].widen(other.gains[i]);
  }
  void widen_gains(const Step<Amount>& step) {
    // Bounded: one for each of two rounds.
    for (std::size_t i = 0; i < kSince; ++i) {
      if (step.low[i] < step.free) gains[i].widen({Amount(step.low[i] + 1), step.free});
    }
  }
  // A step that is now above its dip has gained from there on, whatever it was.
  [[nodiscard]] Gains<Amount> gains_with(const Note<Amount>& note,
                                         std::size_t since) const {
    const Amount dip = note.dip[since];
    auto all = note.is_anew[since] ? Gains<Amount>{} : gains[since];
    if (note.added > dip) {
      all.widen({Amount(least + dip + 1), Amount(most + note.added)});
    }
    return all;
  }
  // The most may be too wide, but is never above the capacity.
  void add(const Note<Amount>& note, std::int64_t capacity) {
    const auto highest = std::min<std::int64_t>(most, capacity - note.added);
    most = static_cast<Amount>(highest);
    // Bounded: one for each of two rounds.
    for (std::size_t i = 0; i < kSince; ++i) gains[i] = gains_with(note, i);
    most += note.added;
    least += note.added;
  }
};

}  // namespace berth::profile
