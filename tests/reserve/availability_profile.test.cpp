#include "engine/reserve/availability_profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

// free(t) as one number a tick; behind the last tick everything is free.
class Ticks {
 public:
  Ticks(std::int64_t capacity, Time end)
      : capacity_(capacity), free_(static_cast<std::size_t>(end), capacity) {}

  [[nodiscard]] Time end() const { return static_cast<Time>(free_.size()); }
  [[nodiscard]] std::int64_t free_at(Time t) const {
    return t >= end() ? capacity_ : free_[static_cast<std::size_t>(t)];
  }
  [[nodiscard]] std::int64_t least(Time from, Time to) const {
    auto least = capacity_;
    for (Time t = from; t < to; ++t) least = std::min(least, free_at(t));
    return least;
  }
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time from) const {
    if (amount > capacity_) return std::nullopt;
    while (least(from, from + length) < amount) ++from;
    return from;
  }
  void add(std::int64_t amount, Time from, Time to) {
    for (Time t = from; t < to; ++t) free_[static_cast<std::size_t>(t)] += amount;
  }
  void free_all() { std::fill(free_.begin(), free_.end(), capacity_); }
  // Ticks in [now, end()] at which free(t) is another number than just before.
  [[nodiscard]] std::size_t breakpoints(Time now) const {
    std::size_t count = 1;
    for (Time t = now + 1; t <= end(); ++t)
      count += free_at(t) != free_at(t - 1) ? 1 : 0;
    return count;
  }

 private:
  std::int64_t capacity_;
  std::vector<std::int64_t> free_;
};

struct Claim {
  std::int64_t amount;
  Time from;
  Time to;
};

// One random operation on both; every answer must be the same.
class Twins {
 public:
  explicit Twins(std::uint64_t seed, Time end = 80)
      : stream_(random_stream(seed, "test.profile")),
        capacity_(draw(1, 9)),
        profile_(0, capacity_, static_cast<std::size_t>(draw(2, 6))),
        ticks_(capacity_, end) {}

  void step() {
    if (draw(0, 99) == 0) return reset();
    switch (draw(0, 5)) {
      case 0:
      case 1: return claim();
      case 2: return release();
      case 3: return advance();
      default: return ask();
    }
  }

 private:
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream_);
  }

  void claim() {
    const Time from = draw(now_, ticks_.end() - 1);
    const Time to = draw(from + 1, ticks_.end());
    const auto room = ticks_.least(from, to);
    REQUIRE(profile_.least(from, to) == room);
    if (room == 0) return;
    const Claim made{draw(1, room), from, to};
    profile_.claim(made.amount, from, to);
    ticks_.add(-made.amount, from, to);
    claims_.push_back(made);
  }

  void release() {
    if (claims_.empty()) return;
    const auto at = static_cast<std::size_t>(
        draw(0, static_cast<std::int64_t>(claims_.size()) - 1));
    const Claim given = claims_[at];
    claims_.erase(claims_.begin() + static_cast<std::ptrdiff_t>(at));
    const Time from = std::max(given.from, now_);
    profile_.release(given.amount, from, std::max(from, given.to));
    if (from < given.to) ticks_.add(given.amount, from, given.to);
  }

  void reset() {
    ticks_.free_all();
    claims_.clear();
    auto free = capacity_;
    std::vector<AvailabilityProfile::Taken> taken;
    for (Time until = now_ + 1; free > 0 && until <= ticks_.end(); ++until) {
      if (draw(0, 2) > 0) continue;
      const auto amount = draw(1, free);
      free -= amount;
      taken.push_back({until, amount});
      claims_.push_back({amount, now_, until});
      ticks_.add(-amount, now_, until);
    }
    profile_.reset(now_, taken);
  }

  void advance() {
    now_ = std::min<Time>(now_ + draw(0, 2), ticks_.end() - 1);
    profile_.advance(now_);
    CHECK(profile_.start() == now_);
  }

  void ask() {
    const Time t = draw(now_, ticks_.end() + 5);
    REQUIRE(profile_.free_at(t) == ticks_.free_at(t));
    const auto amount = draw(1, capacity_ + 1);
    const auto length = draw(1, 30);
    REQUIRE(profile_.earliest(amount, length, t) == ticks_.earliest(amount, length, t));
    REQUIRE(profile_.breakpoints() == ticks_.breakpoints(now_));
  }

  RandomEngine stream_;
  std::int64_t capacity_;
  AvailabilityProfile profile_;
  Ticks ticks_;
  Time now_ = 0;
  std::vector<Claim> claims_;
};

// Rounds of claims that move forward, each against releasing it and searching again.
class Rounds {
 public:
  explicit Rounds(std::uint64_t seed, Time end = 80)
      : stream_(random_stream(seed, "test.rounds")),
        capacity_(draw(2, 9)),
        profile_(0, capacity_, static_cast<std::size_t>(draw(2, 6))),
        ticks_(capacity_, end) {
    for (Time i = 0; i < end / 6; ++i) come();
  }

  // One claim leaves, some are added, time passes, and each claim is asked about.
  void round() {
    for (auto leave = draw(0, 2); leave > 0; --leave) this->leave();
    for (auto come = draw(0, 2); come > 0; --come) this->come();
    advance();
    profile_.begin_round();
    for (auto& held : claims_) move(held);
  }
  [[nodiscard]] int moves() const { return moves_; }

 private:
  using Claim = AvailabilityProfile::Claim;
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream_);
  }

  void come() {
    const Claim wanted{draw(1, capacity_), draw(1, 12), 0};
    const auto start = ticks_.earliest(wanted.amount, wanted.length, now_);
    REQUIRE(profile_.earliest(wanted.amount, wanted.length, now_) == start);
    if (*start + wanted.length > ticks_.end()) return;
    profile_.claim(wanted.amount, *start, *start + wanted.length);
    ticks_.add(-wanted.amount, *start, *start + wanted.length);
    claims_.push_back({wanted.amount, wanted.length, *start});
  }

  void leave() {
    if (claims_.empty()) return;
    const auto at = draw(0, static_cast<std::int64_t>(claims_.size()) - 1);
    const auto gone = claims_[static_cast<std::size_t>(at)];
    claims_.erase(claims_.begin() + at);
    const Time from = std::max(gone.start, now_);
    profile_.release(gone.amount, from, gone.start + gone.length);
    ticks_.add(gone.amount, from, gone.start + gone.length);
  }

  void advance() {
    now_ += draw(0, 1);
    profile_.advance(now_);
    std::erase_if(claims_,
                  [&](const Claim& it) { return it.start + it.length <= now_; });
  }

  void move(Claim& held) {
    if (held.start <= now_) return;
    const Time until = held.start + held.length;
    ticks_.add(held.amount, held.start, until);
    const auto start = ticks_.earliest(held.amount, held.length, now_);
    ticks_.add(-held.amount, *start, *start + held.length);
    REQUIRE(profile_.earlier(held, budget_).value_or(held.start) == start);
    if (*start == held.start) return;
    profile_.move(held, *start);
    held.start = *start;
    ++moves_;
    for (Time t = now_; t < ticks_.end(); ++t) {
      REQUIRE(profile_.free_at(t) == ticks_.free_at(t));
    }
    REQUIRE(profile_.breakpoints() == ticks_.breakpoints(now_));
  }

  Budget budget_;
  RandomEngine stream_;
  std::int64_t capacity_;
  AvailabilityProfile profile_;
  Ticks ticks_;
  Time now_ = 0;
  std::vector<Claim> claims_;
  int moves_ = 0;
};

}  // namespace

TEST_SUITE("reserve/availability_profile") {
  TEST_CASE("thousands of claims in many chunks leave what they should") {
    auto stream = random_stream(5, "test.profile");
    AvailabilityProfile profile(0, 100, 8);
    std::vector<Claim> claims;
    for (int i = 0; i < 3000; ++i) {
      const std::int64_t amount = 1 + static_cast<std::int64_t>(stream() % 20);
      const Duration length = 1 + static_cast<Duration>(stream() % 500);
      const auto from = profile.earliest(amount, length, 0);
      REQUIRE(from);
      REQUIRE(profile.least(*from, *from + length) >= amount);
      profile.claim(amount, *from, *from + length);
      claims.push_back({amount, *from, *from + length});
    }
    CHECK(profile.breakpoints() > 1000);
    for (Time t = 0; t < 20'000; t += 97) {
      std::int64_t held = 0;
      for (const auto& it : claims) {
        if (it.from <= t && t < it.to) held += it.amount;
      }
      REQUIRE(profile.free_at(t) == 100 - held);
    }
    for (const auto& it : claims) profile.release(it.amount, it.from, it.to);
    CHECK(profile.breakpoints() == 1);
  }

  TEST_CASE("it begins anew with what runs, however much that is") {
    AvailabilityProfile profile(0, 1000, 4);
    profile.claim(3, 5, 9);
    std::vector<AvailabilityProfile::Taken> taken;  // two of 3 until 51, 52, ... 200
    for (Time i = 1; i <= 300; ++i) taken.push_back({50 + (i + 1) / 2, 3});
    profile.reset(50, taken);
    CHECK(profile.free_at(50) == 1000 - 900);
    CHECK(profile.free_at(60) == 1000 - 900 + 60);
    CHECK(profile.free_at(199) == 1000 - 6);
    CHECK(profile.free_at(200) == 1000);
    CHECK(profile.breakpoints() == 151);
  }

  TEST_CASE("at first everything is free for ever") {
    const AvailabilityProfile profile(7, 4);
    CHECK(profile.capacity() == 4);
    CHECK(profile.start() == 7);
    CHECK(profile.breakpoints() == 1);
    CHECK(profile.free_at(7) == 4);
    CHECK(profile.free_at(kNever - 1) == 4);
    CHECK(profile.earliest(4, kNever, 9) == 9);
  }

  TEST_CASE("a machine without processors is our own mistake") {
    CHECK_THROWS_AS(AvailabilityProfile(0, 0), Error);
  }

  TEST_CASE("a job wider than the machine has no start") {
    const AvailabilityProfile profile(0, 4);
    CHECK(profile.earliest(5, 60, 0) == std::nullopt);
  }

  TEST_CASE("a claim holds from its first tick up to, not with, its last") {
    AvailabilityProfile profile(0, 4);
    profile.claim(3, 10, 20);
    CHECK(profile.free_at(9) == 4);
    CHECK(profile.free_at(10) == 1);
    CHECK(profile.free_at(19) == 1);
    CHECK(profile.free_at(20) == 4);
    CHECK(profile.least(0, 10) == 4);
    CHECK(profile.least(0, 11) == 1);
    CHECK(profile.least(20, 30) == 4);
  }

  TEST_CASE("the earliest start is where processors come free, not a moment later") {
    AvailabilityProfile profile(0, 4);
    profile.claim(3, 0, 100);
    CHECK(profile.earliest(1, 60, 0) == 0);
    CHECK(profile.earliest(2, 60, 0) == 100);
    CHECK(profile.earliest(2, 60, 130) == 130);
  }

  TEST_CASE("a gap serves a job that ends just when the gap does, and no longer one") {
    AvailabilityProfile profile(0, 4);
    profile.claim(4, 0, 10);
    profile.claim(4, 15, 30);
    CHECK(profile.earliest(4, 5, 0) == 10);
    CHECK(profile.earliest(4, 6, 0) == 30);
    CHECK(profile.earliest(4, 3, 12) == 12);
    CHECK(profile.earliest(4, 4, 12) == 30);
  }

  TEST_CASE("room may span steps of different height") {
    AvailabilityProfile profile(0, 4);
    profile.claim(2, 0, 10);
    profile.claim(1, 10, 20);
    CHECK(profile.earliest(2, 25, 0) == 0);
    CHECK(profile.earliest(3, 25, 0) == 10);
    CHECK(profile.earliest(4, 25, 0) == 20);
  }

  TEST_CASE("behind a claim without an end no wider one ever starts") {
    AvailabilityProfile profile(0, 4);
    profile.claim(2, 50, kNever);
    CHECK(profile.earliest(2, 1000, 0) == 0);
    CHECK(profile.earliest(3, 50, 0) == 0);
    CHECK(profile.earliest(3, 51, 0) == std::nullopt);
    profile.release(2, 50, kNever);
    CHECK(profile.breakpoints() == 1);
  }

  TEST_CASE("a release that meets its claim leaves no breakpoint behind") {
    AvailabilityProfile profile(0, 4);
    profile.claim(1, 5, 9);
    profile.claim(1, 9, 12);
    CHECK(profile.breakpoints() == 3);  // one claim of 5..12, as far as anyone can see
    profile.release(1, 5, 9);
    profile.release(1, 9, 12);
    CHECK(profile.breakpoints() == 1);
  }

  TEST_CASE("an empty span takes nothing") {
    AvailabilityProfile profile(0, 4);
    profile.claim(4, 3, 3);
    profile.release(4, 3, 2);
    CHECK(profile.breakpoints() == 1);
  }

  TEST_CASE("claims may exceed the capacity, releases may not") {
    AvailabilityProfile profile(0, 4);
    profile.claim(3, 0, 10);
    profile.claim(2, 5, 6);
    CHECK(profile.least(0, 10) == -1);
    CHECK(profile.earliest(1, 5, 3) == 6);
    CHECK(profile.earliest(2, 1, 0) == 10);
    profile.release(2, 5, 6);
    CHECK(profile.breakpoints() == 2);
    AvailabilityProfile full(0, 4);
    CHECK_THROWS_AS(full.release(1, 0, 5), Error);
  }

  TEST_CASE("what has passed is forgotten, and asking for it is our own mistake") {
    AvailabilityProfile profile(0, 4);
    profile.claim(1, 0, 10);
    profile.claim(2, 5, 20);
    profile.advance(12);
    CHECK(profile.start() == 12);
    CHECK(profile.breakpoints() == 2);
    CHECK(profile.free_at(12) == 2);
    CHECK_THROWS_AS((void)profile.free_at(11), Error);
    CHECK_THROWS_AS((void)profile.earliest(1, 1, 11), Error);
  }

  TEST_CASE("times as late as the latest that a trace may hold do not overflow") {
    const Time late = seconds(100'000'000'000);
    AvailabilityProfile profile(0, 2);
    profile.claim(2, late, 2 * late);
    CHECK(profile.earliest(1, late, 0) == 0);
    CHECK(profile.earliest(1, late + 1, 0) == 2 * late);
  }

  TEST_CASE("60,000 random operations answer as an array with one cell a tick does") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      Twins twins(seed);
      for (int i = 0; i < 300; ++i) twins.step();
    }
  }

  TEST_CASE("a claim finds what releasing it first would, round by round") {
    int moves = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      CAPTURE(seed);
      Rounds rounds(seed);
      for (int i = 0; i < 40; ++i) rounds.round();
      moves += rounds.moves();
    }
    CHECK(moves > 1000);
  }

  TEST_CASE("a tree of many levels answers as an array with one cell a tick does") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      Twins twins(seed, 1500);
      for (int i = 0; i < 1500; ++i) twins.step();
    }
  }

  TEST_CASE("in a tree of many levels a claim finds what releasing it first would") {
    int moves = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      Rounds rounds(seed, 900);
      for (int i = 0; i < 60; ++i) rounds.round();
      moves += rounds.moves();
    }
    CHECK(moves > 1000);
  }

  TEST_CASE("a claim over a tree and its release leave what was there") {
    for (const std::size_t most : {2, 3, 16}) {
      AvailabilityProfile profile(0, 1000, most);
      for (Time i = 1; i < 600; ++i) profile.claim(1, 0, i);
      profile.begin_round();
      profile.claim(400, 0, kNever);
      CHECK(profile.least(0, 1) == 1);
      CHECK(profile.free_at(300) == 301);
      CHECK(profile.earliest(301, 5, 0) == 300);
      CHECK(profile.earliest(601, 5, 0) == std::nullopt);
      CHECK_FALSE(profile.has_gained(301, 600));
      profile.release(400, 0, kNever);
      CHECK(profile.has_gained(701, 600));
      CHECK_FALSE(profile.has_gained(701, 300));
      CHECK_FALSE(profile.has_gained(1, 600));
      CHECK(profile.breakpoints() == 600);
      for (Time i = 1; i < 600; ++i) profile.release(1, 0, i);
      CHECK(profile.breakpoints() == 1);
      CHECK(profile.parts() == 1);
    }
  }

  // 559 processors are free up to 2, 659 up to 3 and 959 from then on, 1000 from 60 on.
  // Another 200 are claimed up to 100, so that 600 are free from 3 on, not before.
  TEST_CASE("time passes within a part that a claim covers") {
    for (const std::size_t most : {2U, 3U, 4U, 16U}) {
      CAPTURE(most);
      AvailabilityProfile profile(0, 1000, most);
      for (Time end = 20; end <= 60; ++end) profile.claim(1, 0, end);
      profile.claim(300, 0, 3);
      profile.claim(100, 0, 2);
      profile.claim(401, 3, 150);
      REQUIRE(profile.earliest(600, 60, 0) == 150);
      profile.claim(600, 150, 210);
      profile.begin_round();
      profile.claim(200, 0, 100);
      profile.advance(2);
      profile.release(401, 3, 150);
      Budget budget;
      CHECK(profile.free_at(2) == 459);
      CHECK(profile.earlier({600, 60, 150}, budget) == 3);
    }
  }

  // The same with as many breakpoints as make a tree, in which a small claim writes
  // what is noted for a part of it into the leaves of that part.
  TEST_CASE("time passes within a leaf of a tree that a claim covers") {
    for (const std::size_t most : {2U, 3U, 4U, 8U}) {
      CAPTURE(most);
      AvailabilityProfile profile(0, 10000, most);
      for (Time end = 20; end <= 1000; ++end) profile.claim(1, 0, end);
      profile.claim(3000, 0, 3);
      profile.claim(1000, 0, 2);
      profile.claim(4000, 3, 1500);
      REQUIRE(profile.earliest(6001, 60, 0) == 1500);
      profile.claim(6001, 1500, 1560);
      profile.begin_round();
      profile.claim(2000, 0, 1000);
      profile.claim(1, 18, 19);
      profile.advance(2);
      profile.release(4000, 3, 1500);
      Budget budget;
      CHECK(profile.free_at(2) == 4019);
      CHECK(profile.earlier({6001, 60, 1500}, budget) == 3);
    }
  }

  TEST_CASE("what was free before the last round is no gain") {
    Budget budget;
    AvailabilityProfile profile(0, 4);
    profile.claim(4, 0, 10);
    profile.claim(4, 10, 20);
    const AvailabilityProfile::Claim held{4, 10, 10};
    CHECK_FALSE(profile.earlier(held, budget));
    profile.release(4, 0, 10);
    CHECK(profile.earlier(held, budget) == 0);
    profile.begin_round();
    CHECK(profile.earlier(held, budget) == 0);
    profile.begin_round();
    CHECK_FALSE(profile.earlier(held, budget));
  }

  TEST_CASE("a held moves over its own span and leaves the rest of it") {
    AvailabilityProfile profile(0, 4);
    profile.claim(3, 5, 15);
    profile.move({3, 10, 5}, 2);
    CHECK(profile.least(0, 2) == 4);
    CHECK(profile.free_at(2) == 1);
    CHECK(profile.free_at(11) == 1);
    CHECK(profile.free_at(12) == 4);
    CHECK(profile.breakpoints() == 3);
  }
}
