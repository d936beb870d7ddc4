#include "bindings/call_profile.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "tests/bindings/scene.hpp"

using namespace berth;

namespace {

using bindings::CallProfile;

double sum_of(const std::vector<CallProfile::Row>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0,
                         [](double sum, const auto& row) { return sum + row.seconds; });
}

const CallProfile::Row* row_of(const std::vector<CallProfile::Row>& rows,
                               std::string_view name) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::int64_t calls_of(const CallProfile& profile, std::string_view name) {
  const auto rows = profile.rows();
  const auto* row = row_of(rows, name);
  return row == nullptr ? 0 : row->calls;
}

int nothing(lua_State*) { return 0; }

}  // namespace

TEST_SUITE("bindings/call_profile") {
  TEST_CASE("calls within a call are not its own time, and all times add up") {
    CallProfile profile;
    auto& outer = profile.method("cluster:start_all", nothing);
    auto& inner = profile.method("queue:length", nothing);
    profile.enter("decision", 1, 0, 3);
    for (int i = 0; i < 5; ++i) {
      const auto depth = profile.begin(outer);
      profile.enter("order", 1, 0, 3);  // a key function, while the queue is sorted
      profile.end(profile.begin(inner));
      profile.leave();
      profile.end(depth);
    }
    profile.leave();
    CHECK(profile.entries() == 1);
    CHECK(calls_of(profile, "decision") == 1);
    CHECK(calls_of(profile, "order") == 5);
    CHECK(calls_of(profile, "cluster:start_all") == 5);
    CHECK(calls_of(profile, "queue:length") == 5);
    CHECK(sum_of(profile.rows()) == doctest::Approx(profile.seconds()).epsilon(1e-9));
    REQUIRE(profile.slowest().size() == 1);
    const auto& entry = profile.slowest().front();
    CHECK(entry.kind == "decision");
    CHECK(entry.waiting == 3);
    REQUIRE(entry.asked.size() == 2);  // methods alone; ties by name
    CHECK(entry.asked[0].name == "cluster:start_all");
    CHECK(entry.asked[1].name == "queue:length");
  }

  TEST_CASE("a call that never ended, for an error, ends with what is around it") {
    CallProfile profile;
    auto& failing = profile.method("cluster:start", nothing);
    for (int i = 1; i <= 3; ++i) {
      profile.enter("decision", i, 0, 0);
      (void)profile.begin(failing);
      profile.leave();
    }
    CHECK(profile.entries() == 3);
    CHECK(calls_of(profile, "cluster:start") == 3);
    CHECK(sum_of(profile.rows()) == doctest::Approx(profile.seconds()).epsilon(1e-9));
  }

  TEST_CASE("the ten slowest entries are kept, longest first") {
    CallProfile profile;
    for (int i = 1; i <= 40; ++i) {
      profile.enter("decision", i, i, 0);
      profile.leave();
    }
    const auto& slowest = profile.slowest();
    REQUIRE(slowest.size() == CallProfile::kSlowest);
    for (std::size_t i = 1; i < slowest.size(); ++i) {
      CHECK(slowest[i - 1].seconds >= slowest[i].seconds);
    }
  }

  TEST_CASE("a profile counts what a policy calls, and changes nothing that it does") {
    const auto text = test::once(R"lua(
for i = 1, 3 do assert(queue:length() == 2) end
print(pcall(function() return queue:length(1, 2, 3) end))
print(pcall(cluster.start, cluster, 7))
print(cluster:start(job))
print(cluster.shares:usage(7) == 0))lua");
    const auto plain = test::play(text);
    CallProfile profile;
    bindings::PolicyOptions options;
    options.profile = &profile;
    const auto timed = test::play(text, test::two_jobs(), test::a_machine(4), options);
    CHECK(timed.error.empty());
    CHECK(timed.printed == plain.printed);
    CHECK(timed.crossings == plain.crossings);
    CHECK(profile.label == "test");
    CHECK(calls_of(profile, "queue:length") == 4);
    CHECK(calls_of(profile, "cluster:start") == 2);
    CHECK(calls_of(profile, "cluster.shares:usage") == 1);
    // The key function is asked twice, outside of decisions.
    CHECK(calls_of(profile, "order") == 2);
    CHECK(calls_of(profile, "decision") + 2 == profile.entries());
    CHECK(sum_of(profile.rows()) == doctest::Approx(profile.seconds()).epsilon(1e-9));
  }

  TEST_CASE("messages name a call as they do without a profile") {
    for (const auto* wrong :
         {"queue:length(1)", "cluster:start()", "cluster.start(1)",
          "cluster.shares:usage()", "cluster.tiers:reserved(job)",
          "local f = cluster.start f(1)", "cluster:start(job, 'x')"}) {
      CAPTURE(wrong);
      const auto text = test::once(wrong);
      const auto plain = test::play(text);
      CallProfile profile;
      bindings::PolicyOptions options;
      options.profile = &profile;
      const auto timed =
          test::play(text, test::two_jobs(), test::a_machine(4), options);
      CHECK(timed.error == plain.error);
    }
  }
}
