#include "engine/audit/promises.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/random_stream.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)

namespace {

struct Running {
  Time planned_end;
  std::int32_t size;
  std::uint32_t which;
};

// The rule word by word: looks at everybody for every judgement.
class WordByWord {
 public:
  std::int64_t idle = 0;
  Lateness lateness{};
  std::vector<Running> running;
  std::map<JobId, std::int32_t> queue;  // sizes

  bool any_overrun(Time now) const {
    return std::any_of(running.begin(), running.end(), [&](const Running& each) {
      return lateness == Lateness::kAtPlannedEnd ? each.planned_end <= now
                                                 : each.planned_end < now;
    });
  }
  void overran() { promise_.reset(); }
  // The promise that is broken.
  std::optional<Time> judge(Time now) {
    if (queue.empty()) return head_.reset(), std::nullopt;
    const auto [head, size] = *queue.begin();
    const bool same = head_ == head;
    head_ = head;
    if (any_overrun(now)) return promise_.reset(), std::nullopt;
    if (same && !promise_) return std::nullopt;
    const Time expected = shadow(size, now);
    ++judged;
    if (same && expected > *promise_) return promise_;
    promise_ = expected;
    return std::nullopt;
  }
  bool starts_late(JobId job, Time now) const {
    return head_ == job && promise_ && now > *promise_ && !any_overrun(now);
  }
  std::int64_t judged = 0;

 private:
  Time shadow(std::int64_t size, Time now) const {
    if (idle >= size) return now;
    std::multimap<Time, std::int32_t> releases;
    for (const auto& each : running) releases.emplace(each.planned_end, each.size);
    auto available = idle;
    for (const auto& [at, freed] : releases) {
      available += freed;
      if (available >= size) return at;
    }
    return kNever;
  }

  std::optional<JobId> head_;
  std::optional<Time> promise_;
};

// Jobs come, start and end as they like; what the two think of it.
class Play {
 public:
  Play(std::uint64_t seed, Lateness lateness)
      : stream_(random_stream(seed, "test.head_promise")), promise_(kSize, lateness) {
    words_.idle = kSize;
    words_.lateness = lateness;
  }

  // How many promises were broken.
  int run(int steps) {
    int broken = 0;
    for (int step = 0; step < steps; ++step) {
      now_ += up_to(3);
      if (up_to(2) == 0) come();
      if (up_to(2) == 0 && !words_.queue.empty()) start();
      if (up_to(3) == 0 && !words_.running.empty()) stop();
      const auto expected = words_.judge(now_);
      const auto found = promise_.judge(now_);
      CHECK((found ? std::optional(found->promised) : std::nullopt) == expected);
      CHECK(promise_.judged() == words_.judged);
      if (expected) ++broken;
    }
    return broken;
  }

 private:
  static constexpr std::int32_t kSize = 20;
  int up_to(int most) {
    return boost::random::uniform_int_distribution<int>(0, most)(stream_);
  }
  void come() {
    const JobId job{next_++};
    const auto size = 1 + up_to(kSize - 1);
    words_.queue[job] = size;
    promise_.join(job, 0, size);
  }
  // The head, or somebody behind it.
  void start() {
    auto starter = words_.queue.begin();
    if (up_to(1) == 0)
      std::advance(starter, up_to(static_cast<int>(words_.queue.size()) - 1));
    const auto [job, size] = *starter;
    if (size > words_.idle) return;
    CHECK(promise_.judge_start(job, now_).has_value() == words_.starts_late(job, now_));
    promise_.leave(job, 0);
    words_.queue.erase(job);
    const Time planned_end = now_ + 1 + up_to(60);
    words_.idle -= size;
    words_.running.push_back({planned_end, size, promise_.start(size, planned_end)});
    CHECK(promise_.idle() == words_.idle);
  }
  // Whoever should have ended first goes first, or anybody.
  void stop() {
    auto leaver = std::min_element(
        words_.running.begin(), words_.running.end(),
        [](const auto& a, const auto& b) { return a.planned_end < b.planned_end; });
    if (leaver->planned_end > now_) {
      leaver =
          words_.running.begin() + up_to(static_cast<int>(words_.running.size()) - 1);
    }
    words_.idle += leaver->size;
    if (now_ > leaver->planned_end) words_.overran();
    promise_.stop(leaver->which, now_);
    words_.running.erase(leaver);
    CHECK(promise_.idle() == words_.idle);
  }

  RandomEngine stream_;
  HeadPromise promise_;
  WordByWord words_;
  Time now_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace

TEST_SUITE("audit/head_promise") {
  TEST_CASE("a head is judged as the rule says word by word") {
    for (const auto lateness : {Lateness::kAtPlannedEnd, Lateness::kAfterPlannedEnd}) {
      int broken = 0;
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        broken += Play(seed, lateness).run(600);
      }
      CHECK(broken > 100);
    }
  }
}
