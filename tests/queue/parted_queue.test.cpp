#include "engine/queue/parted_queue.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

JobQueue::Member member(std::uint32_t job, std::int32_t size) {
  return {{0.0, JobId{job}}, size, kSecond};
}

std::vector<std::uint32_t> walk(const MergedOrder& order) {
  std::vector<std::uint32_t> jobs;
  for (auto at = order.next(nullptr); at; at = order.next(&*at)) {
    jobs.push_back(index(at->job));
  }
  return jobs;
}

}  // namespace

TEST_SUITE("queue/parted_queue") {
  // Jobs 0 and 3 stand together; 1, 2 and 4, of sizes 4, 1 and 2, are part 1.
  TEST_CASE("a part shows members up to its room, among the others in order") {
    JobQueue together;
    QueueParts parts(5);
    for (const std::uint32_t job : {0U, 3U}) {
      together.insert(member(job, 2));
      parts.put(JobId{job}, 0);
    }
    PartedQueue queue(together, parts, false);
    const std::pair<std::uint32_t, std::int32_t> apart[] = {{1, 4}, {2, 1}, {4, 2}};
    for (const auto& [job, size] : apart) {
      parts.put(JobId{job}, 1);
      queue.insert(1, member(job, size));
    }
    using Jobs = std::vector<std::uint32_t>;
    CHECK(walk(queue.shown()) == Jobs{0, 1, 2, 3, 4});
    parts.set_room(1, 2);
    CHECK(walk(queue.shown()) == Jobs{0, 2, 3, 4});
    CHECK(queue.shown().length() == 4);
    CHECK(queue.shown().has_up_to(1));
    parts.set_room(1, 0);
    CHECK(walk(queue.shown()) == Jobs{0, 3});
    CHECK_FALSE(queue.shown().has_up_to(1));
    CHECK(walk(queue.all()) == Jobs{0, 1, 2, 3, 4});
    CHECK(queue.all().length() == 5);
    CHECK(queue.all().all().size() == 5);
    parts.set_room(1, QueueParts::kAnySize);
    parts.set_tier(1, 1);
    CHECK(walk(queue.shown()) == Jobs{1, 2, 4, 0, 3});
    CHECK(queue.all().least()->job == JobId{0});  // the tier leaves places as they are
    queue.erase(1, {0.0, JobId{2}});
    CHECK(walk(queue.shown()) == Jobs{1, 4, 0, 3});
  }
}
