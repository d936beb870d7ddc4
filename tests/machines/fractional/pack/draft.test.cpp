// A packing that is made task by task.

#include "engine/machines/fractional/pack/draft.hpp"

#include <doctest/doctest.h>

#include "tests/machines/fractional/pack/instances.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

TEST_SUITE("machines/fractional/pack/draft") {
  TEST_CASE("a task is put where CPU at the yield and memory suffice") {
    const auto problem = five_jobs();
    Draft draft(problem, budget);
    draft.begin(0.5);
    CHECK(draft.put(0, 0));
    CHECK(draft.free_cpu(0) == 1 - 0.8 * 0.5);
    CHECK(draft.free_memory(0) == 1 - 0.4);
    CHECK(draft.load(0) == 0.8);
    CHECK(draft.put(2, 0));
    CHECK_FALSE(draft.put(4, 0));  // memory 0.4 + 0.4 + 0.5
    CHECK(draft.hosts()[0] == 0);
    CHECK(draft.left() == 3);
    draft.begin(1);
    CHECK(draft.left() == 5);
    CHECK(draft.put(0, 1));
    CHECK_FALSE(draft.put(1, 1));  // CPU 0.8 + 0.7
  }

  TEST_CASE("a task is offered the host that suits it best") {
    // CPU and memory left: 0.6 and 0.2; 0.5 and 0.5; all.
    Problem problem{Items({{1, 1, 0.4, 0.8},
                           {2, 1, 0.5, 0.5},
                           {3, 1, 0.3, 0.1},
                           {4, 1, 1, 0.9},
                           {5, 1, 0.4, 0.4}}),
                    3};
    Draft draft(problem, budget);
    draft.begin(1);
    CHECK(draft.put(0, 0));
    CHECK(draft.put(1, 1));
    CHECK(draft.choose(2, Suits::kCosine) == 0);  // 3 to 1, as the task
    CHECK(draft.choose(2, Suits::kDot) == 2);     // 0.2, 0.2, 0.4
    CHECK(draft.choose(2, Suits::kNorm) == 0);    // 0.1, 0.2, 1.3
    CHECK(draft.choose(4, Suits::kCosine) == 1);  // as good as all of host 2, and first
    CHECK(draft.choose(3, Suits::kCosine) == 2);  // no other has room
    CHECK(draft.put(3, 2));
    CHECK(draft.choose(3, Suits::kNorm) == kNoHost);
  }

  TEST_CASE("a host from which a task is taken is as if it had never been there") {
    RandomInstances random("draft");
    for (int i = 0; i < 200; ++i) {
      const auto problem = random.next();
      Draft draft(problem, budget);
      draft.begin(0.1);
      Draft without(problem, budget);
      without.begin(0.1);
      const int taken = random.whole(0, problem.items.tasks() - 1);
      for (int task = 0; task < problem.items.tasks(); ++task) {
        const int host = task % problem.hosts;
        if (task != taken) (void)without.put(task, host);
      }
      if (!draft.put(taken, taken % problem.hosts)) continue;
      for (int task = 0; task < problem.items.tasks(); ++task) {
        if (task == taken || without.hosts()[task] == kNoHost) continue;
        if (!draft.put(task, task % problem.hosts)) draft.take(taken);
        if (draft.hosts()[task] == kNoHost) (void)draft.put(task, task % problem.hosts);
      }
      if (draft.hosts()[taken] != kNoHost) draft.take(taken);
      CHECK(draft.hosts() == without.hosts());
      for (int host = 0; host < problem.hosts; ++host) {
        CHECK(draft.free_cpu(host) == without.free_cpu(host));
        CHECK(draft.free_memory(host) == without.free_memory(host));
        CHECK(draft.load(host) == without.load(host));
      }
    }
  }

  TEST_CASE("the tasks of a job stay where they are, all of them or none") {
    Problem problem{Items({{1, 2, 0.5, 0.5}, {2, 1, 0.5, 0.8}}), 2, {0, 1, kNoHost}};
    Draft draft(problem, budget);
    draft.begin(1);
    CHECK(draft.put(2, 1));
    CHECK_FALSE(draft.keep(0));
    CHECK_FALSE(draft.is_kept());
    CHECK(draft.left() == 2);
    draft.take(2);
    CHECK(draft.keep(0));
    CHECK(draft.is_kept());
    CHECK(draft.hosts() == Hosts{0, 1, kNoHost});
    draft.begin(1);
    CHECK_FALSE(draft.is_kept());
  }

  TEST_CASE("orders are by need at the yield, largest first, ties by number") {
    const auto problem = single_tasks(2, {0.4, 0.8, 0.2, 0.8}, {0.3, 0.1, 0.6, 0.1});
    Draft draft(problem, budget);
    draft.begin(0.5);
    CHECK(draft.order(Key::kMax) == std::vector<int>{2, 1, 3, 0});
    draft.begin(1);
    CHECK(draft.order(Key::kMax) == std::vector<int>{1, 3, 2, 0});
    CHECK(draft.order(Key::kSum) == std::vector<int>{1, 3, 2, 0});
    CHECK(draft.order(Key::kDifference) == std::vector<int>{1, 3, 2, 0});
    CHECK(draft.order(Key::kRatio) == std::vector<int>{1, 3, 2, 0});
  }
}
