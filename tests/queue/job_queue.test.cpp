#include "engine/queue/job_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

JobQueue::Member member(double key, std::uint32_t job, std::int32_t size,
                        Duration planned) {
  return {{key, JobId{job}}, size, planned};
}

// The same queue as a plain sorted list.
class Naive {
 public:
  void insert(const JobQueue::Member& member) {
    const auto at = std::upper_bound(
        list_.begin(), list_.end(), member,
        [](const auto& a, const auto& b) { return a.place < b.place; });
    list_.insert(at, member);
  }
  JobQueue::Member erase_at(std::size_t n) {
    const auto at = list_.begin() + static_cast<std::ptrdiff_t>(n);
    const auto gone = *at;
    list_.erase(at);
    return gone;
  }
  void erase(Place place) {
    std::erase_if(list_, [&](const auto& each) { return each.place == place; });
  }
  template <class KeyOf>
  void rekey(const KeyOf& key_of) {
    for (auto& each : list_) each.place.key = key_of(each.place.job);
    std::sort(list_.begin(), list_.end(),
              [](const auto& a, const auto& b) { return a.place < b.place; });
  }
  [[nodiscard]] std::size_t length() const { return list_.size(); }
  [[nodiscard]] const JobQueue::Member& at(std::size_t n) const { return list_[n]; }
  [[nodiscard]] std::optional<Place> head() const {
    return list_.empty() ? std::nullopt : std::optional(list_.front().place);
  }
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const {
    for (const auto& member : list_) {
      if (after != nullptr && !(*after < member.place)) continue;
      if (under.covers(member.size, member.planned)) return member.place;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const {
    for (const auto& member : list_) {
      if (after < member.place && --n == 0) return member.place;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has_up_to(std::int64_t size) const {
    return std::any_of(list_.begin(), list_.end(),
                       [&](const auto& each) { return each.size <= size; });
  }

 private:
  std::vector<JobQueue::Member> list_;
};

// In quarters of a second, which searches tell apart in part only.
Duration any_length(RandomEngine& engine) {
  return static_cast<Duration>(1 + engine() % 100) * kSecond / 4;
}

// One step to five.
Staircase any_stairs(RandomEngine& engine) {
  Staircase stairs(static_cast<std::int64_t>(engine() % 20));
  for (auto steps = engine() % 5; steps > 0; --steps) {
    stairs.limit_beyond(any_length(engine), static_cast<std::int64_t>(engine() % 10));
  }
  return stairs;
}

// Under which few members lie, so that searches go far.
Staircase rare_stairs(RandomEngine& engine) {
  Staircase stairs(static_cast<std::int64_t>(1 + engine() % 4));
  for (auto steps = engine() % 5; steps > 0; --steps) {
    stairs.limit_beyond(any_length(engine) / 50, static_cast<std::int64_t>(steps - 1));
  }
  return stairs;
}

JobQueue::Member any_member(RandomEngine& engine, std::uint32_t job) {
  return member(static_cast<double>(engine() % 40), job,
                static_cast<std::int32_t>(1 + engine() % 24), any_length(engine));
}

// All answers, from the beginning and from one place that may no longer be a member's.
void compare(const JobQueue& queue, const Naive& naive, Place after,
             const Staircase& stairs, std::int64_t n) {
  const Staircase everyone(std::numeric_limits<std::int64_t>::max());
  REQUIRE(queue.length() == naive.length());
  REQUIRE(queue.empty() == (naive.length() == 0));
  REQUIRE(queue.head() == naive.head());
  REQUIRE(queue.has_up_to(stairs.widest()) == naive.has_up_to(stairs.widest()));
  REQUIRE(queue.next(nullptr, stairs) == naive.next(nullptr, stairs));
  REQUIRE(queue.next(&after, stairs) == naive.next(&after, stairs));
  REQUIRE(queue.next(nullptr) == naive.next(nullptr, everyone));
  REQUIRE(queue.next(&after) == naive.next(&after, everyone));
  REQUIRE(queue.nth_behind(after, n) == naive.nth_behind(after, n));
}

// Random operations; `lean` of 10 steps insert.
void exercise(RandomEngine& engine, JobQueue& queue, Naive& naive, unsigned lean,
              int steps, std::uint32_t& job) {
  Place after{0.0, JobId{0}};
  for (int step = 0; step < steps; ++step) {
    if (naive.length() == 0 || engine() % 10 < lean) {
      const auto fresh = any_member(engine, job++);
      queue.insert(fresh);
      naive.insert(fresh);
    } else {
      const auto gone = naive.erase_at(engine() % naive.length());
      queue.erase(gone.place);
      after = gone.place;
      if (engine() % 4 == 0) {  // back at the same place
        queue.insert(gone);
        naive.insert(gone);
      }
    }
    if (engine() % 8 == 0 && naive.length() > 0) {
      after = naive.at(engine() % naive.length()).place;
    }
    compare(queue, naive, after, any_stairs(engine),
            static_cast<std::int64_t>(1 + engine() % 20));
  }
}

}  // namespace

TEST_SUITE("queue/job_queue") {
  TEST_CASE("an empty queue has no head, no next and no smallest") {
    const JobQueue queue;
    CHECK(queue.empty());
    CHECK(queue.head() == std::nullopt);
    CHECK(queue.next(nullptr) == std::nullopt);
    CHECK(queue.next(nullptr, Staircase(100)) == std::nullopt);
    CHECK(queue.nth_behind({0.0, JobId{0}}, 1) == std::nullopt);
    CHECK_FALSE(queue.has_up_to(100));
  }

  TEST_CASE("members stand by key, then by job") {
    JobQueue queue;
    queue.insert(member(2.0, 1, 1, 10));
    queue.insert(member(1.0, 9, 1, 10));
    queue.insert(member(1.0, 3, 1, 10));
    CHECK(queue.head() == Place{1.0, JobId{3}});
    const auto first = queue.head();
    const auto second = queue.next(&*first);
    CHECK(second == Place{1.0, JobId{9}});
    const auto third = queue.next(&*second);
    CHECK(third == Place{2.0, JobId{1}});
    CHECK(queue.next(&*third) == std::nullopt);
  }

  TEST_CASE("a search finds only members under the staircase") {
    JobQueue queue;
    queue.insert(member(0, 0, 8, 10));   // too wide
    queue.insert(member(0, 1, 4, 100));  // too long for its width
    queue.insert(member(0, 2, 4, 50));
    queue.insert(member(0, 3, 2, 100));
    Staircase stairs(4);
    stairs.limit_beyond(50, 2);
    const auto first = queue.next(nullptr, stairs);
    CHECK(first == Place{0, JobId{2}});
    const auto second = queue.next(&*first, stairs);
    CHECK(second == Place{0, JobId{3}});
    CHECK(queue.next(&*second, stairs) == std::nullopt);
  }

  TEST_CASE("a cursor goes on behind a member that is gone") {
    JobQueue queue;
    for (std::uint32_t job = 0; job < 3; ++job) queue.insert(member(0, job, 1, 10));
    const auto shown = *queue.next(nullptr);
    queue.erase(shown);
    CHECK(queue.next(&shown) == Place{0, JobId{1}});
  }

  TEST_CASE("a cursor goes on behind a place whose neighbours are gone, too") {
    JobQueue queue;
    for (std::uint32_t job = 0; job < 400; ++job) queue.insert(member(0, job, 1, 10));
    for (std::uint32_t job = 0; job < 399; ++job) {
      const auto shown = *queue.next(nullptr);
      REQUIRE(shown.job == JobId{job});
      queue.erase(shown);
      REQUIRE(queue.next(&shown) == Place{0, JobId{job + 1}});
    }
    CHECK(queue.length() == 1);
    CHECK(queue.has_up_to(1));
  }

  TEST_CASE("the n-th behind counts members, not empty places") {
    JobQueue queue;
    for (std::uint32_t job = 0; job < 6; ++job) queue.insert(member(0, job, 1, 10));
    queue.erase({0, JobId{2}});
    const Place head{0, JobId{0}};
    CHECK(queue.nth_behind(head, 1) == Place{0, JobId{1}});
    CHECK(queue.nth_behind(head, 2) == Place{0, JobId{3}});
    CHECK(queue.nth_behind(head, 4) == Place{0, JobId{5}});
    CHECK(queue.nth_behind(head, 5) == std::nullopt);
  }

  TEST_CASE("whether a member is small enough follows insertions and removals") {
    JobQueue queue;
    queue.insert(member(0, 0, 8, 10));
    CHECK_FALSE(queue.has_up_to(7));
    CHECK(queue.has_up_to(8));
    queue.insert(member(0, 1, 3, 10));
    CHECK(queue.has_up_to(7));
    CHECK(queue.has_up_to(3));
    CHECK_FALSE(queue.has_up_to(2));
    queue.erase({0, JobId{1}});
    CHECK_FALSE(queue.has_up_to(7));
    CHECK(queue.has_up_to(8));
  }

  TEST_CASE("a job put in twice or taken out unseen is our defect") {
    JobQueue queue;
    queue.insert(member(0, 0, 1, 10));
    CHECK_THROWS_AS(queue.insert(member(0, 0, 1, 10)), Error);
    CHECK_THROWS_AS(queue.erase({0, JobId{1}}), Error);
    CHECK_THROWS_AS(queue.erase({1, JobId{0}}), Error);
    CHECK(queue.length() == 1);
  }

  TEST_CASE("a job that returns to its place may have changed its size and time") {
    JobQueue queue;
    queue.insert(member(0, 0, 8, 100));
    queue.erase({0, JobId{0}});
    queue.insert(member(0, 0, 8, 40));
    Staircase stairs(8);
    stairs.limit_beyond(50, 0);
    CHECK(queue.next(nullptr, stairs) == Place{0, JobId{0}});
  }

  TEST_CASE("after any insertions and removals it answers like a sorted list") {
    auto engine = random_stream(1, "test.job_queue");
    JobQueue queue;
    Naive naive;
    std::uint32_t job = 0;
    exercise(engine, queue, naive, 8, 1000, job);  // grows to some 600 members
    CHECK(naive.length() > 300);
    exercise(engine, queue, naive, 5, 2000, job);
    exercise(engine, queue, naive, 1, 2000, job);  // shrinks to few
    CHECK(naive.length() < 20);
    exercise(engine, queue, naive, 6, 1000, job);
  }

  TEST_CASE("with new keys it answers like a list that is sorted again") {
    auto engine = random_stream(5, "test.job_queue");
    JobQueue queue;
    Naive naive;
    std::uint32_t job = 0;
    for (int round = 0; round < 120; ++round) {
      exercise(engine, queue, naive, round < 60 ? 7 : 4, 20, job);
      const auto modulus = static_cast<std::uint32_t>(1 + engine() % 30);
      const bool keeps_order = engine() % 3 == 0;
      const auto key_of = [&](JobId each) {
        return keeps_order ? 0.0 : static_cast<double>(index(each) % modulus);
      };
      queue.rekey(key_of);
      naive.rekey(key_of);
      if (naive.length() == 0) continue;
      CHECK(queue.first().place == naive.at(0).place);
      const auto after = naive.at(engine() % naive.length()).place;
      compare(queue, naive, after, any_stairs(engine), 3);
    }
  }

  TEST_CASE("members that new keys move by little or by much come to stand in order") {
    constexpr std::uint32_t kMembers = 300;
    for (const double distance : {0.5, 1.5, 14.5, 15.5, 16.5, 40.5, 298.5}) {
      for (const std::uint32_t each : {1U, 2U, 7U, 50U, 299U}) {
        for (const double sign : {-1.0, 1.0}) {
          CAPTURE(distance);
          CAPTURE(each);
          CAPTURE(sign);
          JobQueue queue;
          Naive naive;
          for (std::uint32_t job = 0; job < kMembers; ++job) {
            queue.insert(member(job, job, 1 + job % 9, 10));
            naive.insert(member(job, job, 1 + job % 9, 10));
          }
          const auto key_of = [&](JobId job) {
            return index(job) + (index(job) % each == 0 ? sign * distance : 0.0);
          };
          queue.rekey(key_of);
          naive.rekey(key_of);
          auto shown = queue.head();
          for (std::size_t n = 0; n < naive.length(); ++n) {
            REQUIRE(shown == naive.at(n).place);
            shown = queue.next(&*shown);
          }
          CHECK(shown == std::nullopt);
          compare(queue, naive, naive.at(150).place, Staircase(3), 20);
        }
      }
    }
  }

  TEST_CASE("it answers like a sorted list when members come at its end alone") {
    auto engine = random_stream(3, "test.job_queue");
    JobQueue queue;
    Naive naive;
    std::uint32_t job = 0;
    for (int step = 0; step < 6000; ++step) {
      const bool grows = (step / 1500) % 2 == 0;
      if (naive.length() == 0 || engine() % 10 < (grows ? 8 : 2)) {
        auto fresh = any_member(engine, job++);
        fresh.place.key = 0;
        queue.insert(fresh);
        naive.insert(fresh);
      } else {
        queue.erase(
            naive.erase_at(engine() % std::min<std::size_t>(naive.length(), 20)).place);
      }
      const Place after{0.0,
                        JobId{job - static_cast<std::uint32_t>(engine() % (job + 1))}};
      compare(queue, naive, after, any_stairs(engine),
              static_cast<std::int64_t>(1 + engine() % 20));
    }
    CHECK(job > 3000);
  }

  TEST_CASE("sizes and times beyond those of all others are found, too") {
    constexpr std::int32_t kHuge = 1 << 30;
    JobQueue queue;
    for (std::uint32_t job = 0; job < 500; ++job) {
      queue.insert(member(0, job, 2, seconds(10)));
    }
    queue.insert(member(0, 500, kHuge, seconds(5)));
    queue.insert(member(0, 501, 1, kNever));
    Staircase short_ones(kHuge);
    short_ones.limit_beyond(seconds(9), 0);
    CHECK(queue.next(nullptr, short_ones) == Place{0, JobId{500}});
    Staircase others(kHuge - 1);
    others.limit_beyond(seconds(9), 1);
    CHECK(queue.next(nullptr, others) == Place{0, JobId{501}});
    others.limit_beyond(kNever - 1, 0);
    CHECK(queue.next(nullptr, others) == std::nullopt);
    CHECK(queue.has_up_to(1));
    queue.erase({0, JobId{501}});
    CHECK_FALSE(queue.has_up_to(1));
  }

  TEST_CASE("with 20,000 members it answers like a sorted list, in any order") {
    auto engine = random_stream(7, "test.job_queue");
    for (const bool is_by_arrival : {true, false}) {
      CAPTURE(is_by_arrival);
      JobQueue queue;
      Naive naive;
      std::uint32_t job = 0;
      const auto enter = [&] {
        auto fresh = any_member(engine, job++);
        if (is_by_arrival) fresh.place.key = 0;
        queue.insert(fresh);
        naive.insert(fresh);
      };
      for (int i = 0; i < 20'000; ++i) enter();
      for (int round = 0; round < 300; ++round) {
        // As EASY does: what is found goes, and the search goes on behind it.
        const auto stairs = rare_stairs(engine);
        auto after = naive.at(engine() % naive.length()).place;
        for (auto left = engine() % 6; left > 0; --left) {
          const auto found = queue.next(&after, stairs);
          REQUIRE(found == naive.next(&after, stairs));
          if (!found) break;
          after = *found;
          queue.erase(after);
          naive.erase(after);
        }
        for (auto heads = engine() % 20; heads > 0; --heads) {
          queue.erase(naive.erase_at(0).place);
        }
        for (auto fresh = engine() % 10; fresh > 0; --fresh) enter();
        compare(queue, naive, after, stairs, 1 + static_cast<std::int64_t>(round) * 60);
        if (round % 100 != 99) continue;
        const auto key_of = [&](JobId each) {
          return static_cast<double>(index(each) % 977);
        };
        queue.rekey(key_of);
        naive.rekey(key_of);
      }
    }
  }

  TEST_CASE("20,000 members that leave at random leave little behind") {
    auto engine = random_stream(8, "test.job_queue");
    JobQueue queue;
    Naive naive;
    for (std::uint32_t job = 0; job < 20'000; ++job) {
      auto fresh = any_member(engine, job);
      queue.insert(fresh);
      naive.insert(fresh);
    }
    while (naive.length() > 0) {
      const auto gone = naive.erase_at(engine() % naive.length());
      queue.erase(gone.place);
      if (naive.length() % 200 != 0) continue;
      compare(queue, naive, gone.place, rare_stairs(engine), 40);
    }
  }

  TEST_CASE("a thousand newcomers at one spot in the middle find room") {
    JobQueue queue;
    Naive naive;
    const auto both = [&](const JobQueue::Member& fresh) {
      queue.insert(fresh);
      naive.insert(fresh);
    };
    for (std::uint32_t job = 0; job < 500; ++job) both(member(job, job, 2, 10));
    for (std::uint32_t job = 0; job < 1000; ++job) {
      both(member(250.5, 2000 - job, 1, 5));
      if (job % 100 == 0) {
        compare(queue, naive, {250, JobId{250}}, Staircase(1), 7);
      }
    }
    auto shown = queue.next(nullptr, Staircase(1));
    for (std::uint32_t job = 1001; job <= 2000; ++job) {
      REQUIRE(shown == Place{250.5, JobId{job}});
      shown = queue.next(&*shown, Staircase(1));
    }
    CHECK(shown == std::nullopt);
  }
}
