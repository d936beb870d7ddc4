#include "engine/clock/event_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

std::vector<Event> drain(EventQueue& queue) {
  std::vector<Event> events;
  while (!queue.empty()) events.push_back(queue.pop());
  return events;
}

// What pop_to hands over; of an arrival the job's number alone.
Event handed_over(EventQueue& queue) {
  Event first{};
  queue.pop_to(
      [&](std::uint32_t job) {
        first = {0, EventKind::kJobSubmit, job, 0};
      },
      [&](const Event& event) { first = event; });
  return first;
}

std::vector<EventKind> kinds(const std::vector<Event>& events) {
  std::vector<EventKind> kinds;
  for (const auto& event : events) kinds.push_back(event.kind);
  return kinds;
}

constexpr EventKind kAll[] = {EventKind::kWake,      EventKind::kJobSubmit,
                              EventKind::kOfMachine, EventKind::kOfJob,
                              EventKind::kUnfreeze,  EventKind::kJobEnd};

}  // namespace

TEST_SUITE("clock/event_queue") {
  TEST_CASE("the earlier event comes first, whatever its kind") {
    EventQueue queue;
    queue.push({20, EventKind::kJobEnd, 1, 0});
    queue.push({10, EventKind::kWake, 0, 0});
    CHECK(queue.top().at == 10);
    CHECK(queue.pop().kind == EventKind::kWake);
    CHECK(queue.pop().kind == EventKind::kJobEnd);
    CHECK(queue.empty());
  }

  TEST_CASE("at one instant what frees comes before what asks, the policy last") {
    EventQueue queue;
    for (const auto kind : kAll) queue.push({5, kind, 0, 0});
    CHECK(kinds(drain(queue)) == std::vector{EventKind::kJobEnd, EventKind::kUnfreeze,
                                             EventKind::kOfJob, EventKind::kOfMachine,
                                             EventKind::kJobSubmit, EventKind::kWake});
  }

  TEST_CASE("with submits first only the arrivals change place") {
    EventQueue queue(Ties::kSubmitsFirst);
    for (const auto kind : kAll) queue.push({5, kind, 0, 0});
    CHECK(kinds(drain(queue)) == std::vector{EventKind::kJobSubmit, EventKind::kJobEnd,
                                             EventKind::kUnfreeze, EventKind::kOfJob,
                                             EventKind::kOfMachine, EventKind::kWake});
  }

  TEST_CASE("events of one kind at one instant come by job number") {
    EventQueue queue;
    for (const std::uint32_t job : {7U, 2U, 9U}) {
      queue.push({5, EventKind::kJobEnd, job, 0});
    }
    CHECK(queue.pop().subject == 2);
    CHECK(queue.pop().subject == 7);
    CHECK(queue.pop().subject == 9);
  }

  TEST_CASE("events alike in all else come by version") {
    EventQueue queue;
    for (std::uint32_t version = 0; version < 100; ++version) {
      queue.push({5, EventKind::kWake, 0, version});
    }
    for (std::uint32_t version = 0; version < 100; ++version) {
      REQUIRE(queue.pop().version == version);
    }
  }

  TEST_CASE("without the void events the others come in the same order") {
    EventQueue queue;
    queue.push({7, EventKind::kJobSubmit, 0, 0});
    for (std::uint32_t version = 0; version < 100; ++version) {
      queue.push({static_cast<Time>(100 - version), EventKind::kWake, 0, version});
    }
    CHECK(queue.size() == 101);
    queue.drop_if([](const Event& event) { return event.version % 10 != 0; });
    CHECK(queue.size() == 11);
    // Versions 90, 80, ... 0 at 10, 20, ... 100; the arrival at 7.
    CHECK(queue.pop().kind == EventKind::kJobSubmit);
    for (std::uint32_t version = 100; version > 0; version -= 10) {
      CHECK(queue.pop().version == version - 10);
    }
    CHECK(queue.empty());
  }

  TEST_CASE("what comes sooner than all others overtakes a long queue, and goes back") {
    EventQueue queue;
    for (std::uint32_t job = 0; job < 100; ++job) {
      queue.push({static_cast<Time>(1'000 - job), EventKind::kJobEnd, job, 0});
    }
    CHECK(queue.next_at() == 901);
    queue.drop_if([](const Event& event) { return event.subject >= 50; });
    CHECK(queue.size() == 50);
    for (std::uint32_t job = 50; job-- > 0;) REQUIRE(queue.pop().subject == job);
    CHECK(queue.next_at() == kNever);
  }

  TEST_CASE("the greatest number of a job and of a version come back as they were") {
    EventQueue queue;
    const std::uint32_t last = (std::uint32_t{1} << kVersionBits) - 1;
    queue.push({1, EventKind::kWake, ~std::uint32_t{0}, last});
    const auto event = queue.pop();
    CHECK(event.kind == EventKind::kWake);
    CHECK(event.subject == ~std::uint32_t{0});
    CHECK(event.version == last);
    CHECK(next_version(last) == 0);
  }

  TEST_CASE("the first event is handed over as an arrival or as what it is") {
    EventQueue queue;
    queue.push({10, EventKind::kJobSubmit, 7, 0});
    queue.push({10, EventKind::kJobEnd, 3, 5});
    queue.push({10, EventKind::kWake, 0, 9});
    const auto end = handed_over(queue);
    CHECK(end.kind == EventKind::kJobEnd);
    CHECK(end.at == 10);
    CHECK(end.subject == 3);
    CHECK(end.version == 5);
    CHECK(handed_over(queue).subject == 7);
    CHECK(handed_over(queue).version == 9);
    CHECK(queue.empty());
  }

  TEST_CASE("an empty queue has nothing to take") {
    EventQueue queue;
    CHECK(queue.empty());
    CHECK_THROWS_AS(queue.pop(), Error);
    CHECK_THROWS_AS(handed_over(queue), Error);
  }

  TEST_CASE("any pushes and pops come out in the order of what is in") {
    auto engine = random_stream(1, "test.event_queue");
    EventQueue queue;
    std::vector<Event> model;  // in the order of pushing
    const auto first = [](const Event& a, const Event& b) {
      return std::tie(a.at, a.kind, a.subject) < std::tie(b.at, b.kind, b.subject);
    };
    for (std::uint32_t step = 0; step < 20'000; ++step) {
      if (model.empty() || engine() % 5 < 3) {
        const Event event{static_cast<Time>(engine() % 8), kAll[engine() % 5],
                          static_cast<std::uint32_t>(engine() % 4), step};
        queue.push(event);
        model.push_back(event);
      } else {
        const auto next = std::min_element(model.begin(), model.end(), first);
        REQUIRE(queue.top().version == next->version);
        const bool is_handed = next->kind != EventKind::kJobSubmit && step % 2 == 0;
        const auto popped = is_handed ? handed_over(queue) : queue.pop();
        REQUIRE(popped.version == next->version);
        model.erase(next);
      }
    }
    std::stable_sort(model.begin(), model.end(), first);
    for (const auto& event : model) REQUIRE(queue.pop().version == event.version);
    CHECK(queue.empty());
  }
}
