#include "engine/audit/promises.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/random_stream.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)

namespace {

struct Running {
  Time planned_end;
  Time end;  // expected
  std::int32_t size;
  std::uint32_t which;
};
struct Waiting {
  double key;
  JobId job;
  std::int32_t size;
  std::uint32_t hint;
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return a.key != b.key ? a.key < b.key : a.job < b.job;
  }
};

constexpr Overruns kRule{4, 2};

// The rule word by word: looks at all jobs for every judgement.
class WordByWord {
 public:
  std::int64_t idle = 0;
  Instants instants{};
  std::vector<Running> running;
  std::vector<Waiting> queue;  // in order

  // Running jobs whose expected end has passed are expected later.
  void miss(Time now) {
    const Time by = instants == Instants::kWhole ? now : now - 1;
    for (auto& each : running) {
      if (each.end > by) continue;
      promise_.reset();
      each.end = kRule.expected_end(each.planned_end, by);
    }
  }
  void stop(const Running& leaver, Time now) {
    if (now > leaver.end) promise_.reset();
  }
  // Another job may be first now, for good.
  void look_at_head() {
    if (queue.empty() || queue.front().job != head_) forget();
  }
  // The promise that is broken.
  std::optional<Time> judge(Time now) {
    miss(now);
    if (queue.empty() || is_due(now)) return forget(), std::nullopt;
    const auto& first = queue.front();
    const bool is_same = head_ == first.job;
    head_ = first.job;
    if (is_same && !promise_) return std::nullopt;
    const Time expected = shadow(first.size, now);
    ++judged;
    if (is_same && expected > *promise_) return promise_;
    promise_ = expected;
    return std::nullopt;
  }
  bool starts_late(JobId job, Time now) {
    miss(now);
    return head_ == job && promise_ && now > *promise_ && !is_due(now);
  }
  std::int64_t judged = 0;

 private:
  void forget() {
    head_.reset();
    promise_.reset();
  }
  bool is_due(Time now) const {
    return std::any_of(running.begin(), running.end(),
                       [&](const Running& each) { return each.end == now; });
  }
  Time shadow(std::int64_t size, Time now) const {
    if (idle >= size) return now;
    std::multimap<Time, std::int32_t> ends;
    for (const auto& each : running) ends.emplace(each.end, each.size);
    auto available = idle;
    for (const auto& [at, freed] : ends) {
      available += freed;
      if (available >= size) return at;
    }
    return kNever;
  }

  std::optional<JobId> head_;
  std::optional<Time> promise_;
};

// Jobs come, get other keys, start and end at random; both judges must agree.
class Play {
 public:
  Play(std::uint64_t seed, Instants instants)
      : stream_(random_stream(seed, "test.head_promise")),
        promise_(kSize, kRule, instants) {
    words_.idle = kSize;
    words_.instants = instants;
  }

  // How many promises were broken.
  int run(int steps) {
    int broken = 0;
    for (int step = 0; step < steps; ++step) {
      now_ += up_to(3);
      if (up_to(3) == 0 && !words_.running.empty()) stop();
      if (up_to(2) == 0) come();
      if (up_to(9) == 0) rekey();
      if (up_to(2) == 0 && !words_.queue.empty()) start();
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
  // Mostly behind all others.
  double a_key() { return up_to(3) == 0 ? up_to(9) : 10; }
  void come() {
    const JobId job{next_++};
    const auto size = 1 + up_to(kSize - 1);
    const double key = a_key();
    const auto hint = promise_.join(job, key, size);
    words_.queue.push_back({key, job, size, hint});
    std::sort(words_.queue.begin(), words_.queue.end());
    if (words_.queue.front().job == job) words_.look_at_head();
  }
  // Only the order that results counts.
  void rekey() {
    for (auto& member : words_.queue) {
      const double before = std::exchange(member.key, up_to(1) == 0 ? a_key() : 5);
      member.hint =
          promise_.rekey({member.key, member.job, member.size}, before, member.hint);
    }
    std::sort(words_.queue.begin(), words_.queue.end());
    if (!words_.queue.empty()) words_.look_at_head();
  }
  // The head, or a job behind it.
  void start() {
    auto starter = words_.queue.begin();
    if (up_to(1) == 0)
      std::advance(starter, up_to(static_cast<int>(words_.queue.size()) - 1));
    const auto [key, job, size, hint] = *starter;
    if (size > words_.idle) return;
    CHECK(promise_.judge_start(job, now_).has_value() == words_.starts_late(job, now_));
    promise_.leave(job, key, hint);
    words_.queue.erase(starter);
    const Time planned_end = now_ + 1 + up_to(60);
    words_.idle -= size;
    words_.running.push_back(
        {planned_end, planned_end, size, promise_.start(size, planned_end)});
    CHECK(promise_.idle() == words_.idle);
  }
  // The job that should have ended first, or any.
  void stop() {
    auto leaver = std::min_element(
        words_.running.begin(), words_.running.end(),
        [](const auto& a, const auto& b) { return a.planned_end < b.planned_end; });
    if (leaver->planned_end > now_) {
      leaver =
          words_.running.begin() + up_to(static_cast<int>(words_.running.size()) - 1);
    }
    words_.idle += leaver->size;
    words_.stop(*leaver, now_);
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
    for (const auto instants : {Instants::kWhole, Instants::kByEvent}) {
      int broken = 0;
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        broken += Play(seed, instants).run(600);
      }
      CHECK(broken > 100);
    }
  }
}
