#include "engine/sim/fair_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "engine/share/shares.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Job of_user(std::int64_t id, std::int32_t user, std::int32_t size) {
  auto job = a_job(id, 0, size, 10);
  job.user = user;
  return job;
}

std::vector<JobId> in_order(const QueueView& queue) {
  std::vector<JobId> all;
  for (auto at = queue.head(); at; at = queue.next(&*at)) all.push_back(at->job);
  return all;
}

// A queue of jobs of some users, with what the order should be.
class Line {
 public:
  explicit Line(std::uint32_t seed)
      : random_(seed), shares_(settings(), kinds_of(8, {})) {}

  void step() {
    now_ += seconds(std::int64_t{draw(3)});
    const auto what = draw(4);
    if (what == 0 && !waiting_.empty()) {  // one starts
      const auto at = std::next(waiting_.begin(), draw(waiting_.size()));
      order_.leave(at->first, at->second);
      shares_.left(at->second);
      shares_.holds(at->second, now_);
      running_.push_back(at->second);
      waiting_.erase(at);
    } else if (what == 1 && !running_.empty()) {  // one ends
      const auto at = static_cast<std::ptrdiff_t>(draw(running_.size()));
      shares_.releases(running_[static_cast<std::size_t>(at)], now_);
      running_.erase(running_.begin() + at);
    } else {
      const JobId id{next_++};
      const auto job = of_user(index(id) + 1, static_cast<std::int32_t>(draw(12)),
                               static_cast<std::int32_t>(1 + draw(8)));
      shares_.submitted(job);
      shares_.joined(job);
      order_.enter(id, job, seconds(10), now_);
      waiting_.emplace(id, job);
    }
  }

  void check() {
    order_.refresh(now_);
    std::vector<std::tuple<double, JobId>> wanted;
    for (const auto& [id, job] : waiting_) {
      wanted.emplace_back(shares_.standing(shares_.of(job), now_), id);
    }
    std::sort(wanted.begin(), wanted.end());
    std::vector<JobId> jobs;
    for (const auto& [standing, id] : wanted) jobs.push_back(id);
    const QueueView view(order_);
    CHECK(in_order(view) == jobs);
    CHECK(view.length() == jobs.size());
    std::vector<JobId> walked;
    view.for_each([&](const JobQueue::Member& each) {
      CHECK(each.size == waiting_.at(each.place.job).size);
      CHECK(each.place == order_.place(each.place.job, waiting_.at(each.place.job)));
      walked.push_back(each.place.job);
    });
    CHECK(walked == jobs);
    check_searches(view, jobs);
  }

 private:
  // Each search from a random place, against a walk over all members.
  void check_searches(const QueueView& view, const std::vector<JobId>& jobs) {
    if (jobs.empty()) return;
    const std::int64_t size = 1 + draw(8);
    const auto behind = draw(jobs.size());
    const auto after = order_.place(jobs[behind], waiting_.at(jobs[behind]));
    const auto is_small = [&](JobId each) { return waiting_.at(each).size <= size; };
    const auto rest = jobs.begin() + behind + 1;
    const auto small = std::find_if(rest, jobs.end(), is_small);
    const auto found = view.next(&after, Staircase(size));
    CHECK(found.has_value() == (small != jobs.end()));
    if (found) CHECK(found->job == *small);
    const auto next = view.next_if(&after, size);
    CHECK(next.has_value() == (rest != jobs.end() && is_small(*rest)));
    if (next) CHECK(next->job == *rest);
    const auto third = view.nth_behind(after, 3);
    CHECK(third.has_value() == (jobs.end() - rest >= 3));
    if (third) CHECK(third->job == rest[2]);
    CHECK(view.has_up_to(size) == std::any_of(jobs.begin(), jobs.end(), is_small));
  }

  static ShareSettings settings() {
    ShareSettings made;
    made.half_life = seconds(20);
    return made;
  }
  std::uint32_t draw(std::size_t below) {
    return static_cast<std::uint32_t>(random_() % below);
  }

  std::mt19937 random_;
  Shares shares_;
  sim::FairOrder order_{shares_};
  std::map<JobId, Job> waiting_;
  std::vector<Job> running_;
  std::uint32_t next_ = 0;
  Time now_ = 0;
};

}  // namespace

TEST_SUITE("sim/fair_order") {
  TEST_CASE("at each refresh members stand by their users' standing, then by job") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      Line line(seed);
      for (int i = 0; i < 400; ++i) {
        line.step();
        if (i % 3 == 0) line.check();
      }
    }
  }

  TEST_CASE("a user who comes between two refreshes does not change the others' keys") {
    ShareSettings settings;
    settings.half_life = 0;
    Shares shares(settings, kinds_of(8, {}));
    sim::FairOrder order(shares);
    std::vector<Job> jobs;
    Time now = 0;
    for (std::int32_t user = 0; user < 5; ++user) {  // usages 1, 2, 3, 4, 5
      jobs.push_back(of_user(user + 1, user, user + 1));
      shares.submitted(jobs.back());
      shares.holds(jobs.back(), now);
      now += seconds(1);
      shares.releases(jobs.back(), now);
    }
    for (const std::uint32_t i : {1U, 3U}) order.enter(JobId{i}, jobs[i], 1, now);
    order.refresh(now);
    const auto second = order.place(JobId{1}, jobs[1]);
    const auto fourth = order.place(JobId{3}, jobs[3]);
    for (const std::uint32_t i : {0U, 2U, 4U}) order.enter(JobId{i}, jobs[i], 1, now);
    CHECK(order.place(JobId{1}, jobs[1]) == second);
    CHECK(order.place(JobId{3}, jobs[3]) == fourth);
    std::vector<JobId> by_usage;
    for (std::uint32_t i = 0; i < 5; ++i) by_usage.push_back(JobId{i});
    CHECK(in_order(order) == by_usage);
  }

  TEST_CASE("many users who come between the same two of them stand apart") {
    ShareSettings settings;
    settings.half_life = 0;
    Shares shares(settings, kinds_of(1000, {}));
    sim::FairOrder order(shares);
    constexpr std::uint32_t kUsers = 200;  // of usages 1, 2, 3, ...
    std::vector<Job> jobs;
    for (std::uint32_t i = 0; i < kUsers; ++i) {
      const auto number = static_cast<std::int32_t>(i);
      jobs.push_back(of_user(number + 1, number, number + 1));
      shares.submitted(jobs.back());
      shares.holds(jobs.back(), 0);
    }
    for (const auto& job : jobs) shares.releases(job, seconds(1));
    const auto enter = [&](std::uint32_t i) {
      order.enter(JobId{i}, jobs[i], 1, seconds(1));
    };
    enter(0);
    for (std::uint32_t i = kUsers; i-- > 1;) enter(i);
    std::vector<JobId> by_usage;
    for (std::uint32_t i = 0; i < kUsers; ++i) by_usage.push_back(JobId{i});
    CHECK(in_order(order) == by_usage);
  }
}
