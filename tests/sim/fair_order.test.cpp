#include "engine/sim/fair_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Job of_user(std::int64_t id, std::int32_t user, std::int32_t size) {
  auto job = a_job(id, 0, size, 10);
  job.user = user;
  return job;
}

std::vector<JobId> in_order(const JobQueue& queue) {
  std::vector<JobId> all;
  queue.for_each([&](const JobQueue::Member& each) { all.push_back(each.place.job); });
  return all;
}

// A queue of jobs of some users, with what the order should be.
class Line {
 public:
  explicit Line(std::uint32_t seed) : random_(seed), shares_(settings()) {}

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
      order_.enter(id, job, seconds(10));
      waiting_.emplace(id, job);
    }
  }

  void check() {
    std::map<JobId, double> told;
    order_.refresh(now_, [&](JobId job, double key) { told[job] = key; });
    std::vector<std::tuple<double, JobId>> wanted;
    for (const auto& [id, job] : waiting_) {
      wanted.emplace_back(shares_.standing(shares_.of(job), now_), id);
    }
    std::sort(wanted.begin(), wanted.end());
    const auto found = in_order(order_.members());
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i] == std::get<1>(wanted[i]));
    }
    for (const auto& [id, key] : told) {
      CHECK(order_.place(id, waiting_.at(id)).key == key);
    }
    moved_ += told.size();
    told.clear();
    order_.refresh(now_, [&](JobId job, double key) { told[job] = key; });
    CHECK(told.empty());
  }
  [[nodiscard]] std::size_t moved() const { return moved_; }

 private:
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
  std::size_t moved_ = 0;
};

}  // namespace

TEST_SUITE("sim/fair_order") {
  TEST_CASE("at each refresh members stand by their users' standing, then by job") {
    std::size_t moved = 0;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      Line line(seed);
      for (int i = 0; i < 400; ++i) {
        line.step();
        if (i % 3 == 0) line.check();
      }
      moved += line.moved();
    }
    CHECK(moved > 1000);
  }

  TEST_CASE("only the members of users that were overtaken move") {
    ShareSettings settings;
    settings.half_life = 0;
    Shares shares(settings);
    sim::FairOrder order(shares);
    std::vector<Job> jobs;
    for (std::uint32_t i = 0; i < 30; ++i) {
      jobs.push_back(of_user(i + 1, static_cast<std::int32_t>(i % 3), 1));
    }
    Time now = 0;
    for (std::int32_t user = 0; user < 3; ++user) {  // usages 1, 2, 3
      const auto job = of_user(100, user, user + 1);
      shares.submitted(job);
      shares.holds(job, now);
      now += seconds(1);
      shares.releases(job, now);
    }
    for (std::uint32_t i = 0; i < 30; ++i) {
      shares.joined(jobs[i]);
      order.enter(JobId{i}, jobs[i], seconds(10));
    }
    const auto ignore = [](JobId, double) {};
    order.refresh(now, ignore);
    CHECK(jobs[index(order.members().head()->job)].user == 0);
    const auto long_one = of_user(101, 0, 10);  // user 0 falls behind the others
    shares.holds(long_one, now);
    now += seconds(1);
    std::size_t moved = 0;
    order.refresh(now, [&](JobId job, double) {
      CHECK(jobs[index(job)].user == 0);
      ++moved;
    });
    CHECK(moved == 10);
    CHECK(jobs[index(order.members().head()->job)].user == 1);
  }
}
