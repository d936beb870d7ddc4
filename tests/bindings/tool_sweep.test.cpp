#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "engine/base/error.hpp"
#include "tests/bindings/made_sweep.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)

namespace {

// That of the reference; at 0.9 the policy "late" has results, too.
class SweepOfReference final : public test::MadeSweep {
 public:
  SweepOfReference() {
    set_shape({"fcfs", "easy", "late"}, 2);
    set_run(0, "fcfs", 20);
    set_run(1, "fcfs", 30);
    set_run(0, "easy", 10).common = {3, {{"mean_wait", {18, 10}}}};
    set_run(1, "easy", 24).common = {3, {{"mean_wait", {28, 24}}}};
    for (const auto seed : {0U, 1U}) {
      add(1, seed, "late", 5).batches["mean_wait"] = {4, 6};
      add(1, seed, "fcfs", 8);
    }
  }

 private:
  ComparedRun& set_run(std::size_t seed, const std::string& policy, double mean_wait) {
    auto& run = add(0, seed, policy, mean_wait);
    run.summary.jobs.finished = 4;
    run.summary.counts.kills = 6;
    run.summary.users = {{7, 4, 4, mean_wait, {}, 12.0}};
    run.summary.submit_span = 10 * kSecond;
    return run;
  }
};

// What tostring says of the answers in a sandbox with the sweep; or the first line of
// the message.
std::string told_by_sweep(std::string_view expression) {
  const SweepOfReference sweep;
  std::string told;
  Host host;
  host.print = [&](std::string_view line) { told = line; };
  Sandbox sandbox(test::patient_limits(), 0, host);
  const SweepSource* source = &sweep;
  const auto install = [](lua_State* lua) {
    install_frames(lua, 0);
    push_sweep(lua, **static_cast<const SweepSource**>(lua_touserdata(lua, 1)));
    lua_setglobal(lua, "sweep");
    return 0;
  };
  sandbox.enter(install, &source, {"load", 0});
  try {
    sandbox.load("t.lua", fmt::format("print({})", expression));
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return told;
}

}  // namespace

TEST_SUITE("bindings/tool_sweep") {
  TEST_CASE("every example of the sweep is true") {
    for (const auto& member : tool_sweep_family().primitives) {
      CHECK(member.brief.ends_with('.'));
      const auto said = told_by_sweep(fmt::format("({}) == true", member.example));
      CHECK_MESSAGE(said == "true", member.example, ": ", said);
    }
  }

  TEST_CASE("pairs are over the jobs that finished under both") {
    const std::string text =
        "(function(a, b, n) return table.concat({ tostring(a[1]), tostring(b[1]), "
        "n[1] }, ' ') end)";
    const auto pair = [&](const std::string& arguments) {
      return told_by_sweep(text + "(sweep:pairs('mean_wait', " + arguments + "))");
    };
    CHECK(pair("1, 'easy', 'fcfs'") == "10.0 18.0 3.0");
    CHECK(pair("1, 'fcfs', 'easy'") == "18.0 10.0 3.0");
    CHECK(pair("1, 'fcfs', 'fcfs'") == "20.0 20.0 0.0");
    CHECK(pair("1, 'easy', 'easy'") == "10.0 10.0 0.0");
    // Without a result, or jobs that were counted.
    CHECK(pair("1, 'easy', 'late'") == "false false 0.0");
    CHECK(pair("2, 'late', 'fcfs'") == "5.0 8.0 0.0");
    CHECK(told_by_sweep("sweep:pairs('utilisation', 1, 'easy', 'fcfs')[1]") == "false");
  }

  TEST_CASE("counts, users and batches of a run; nil without a result") {
    CHECK(told_by_sweep("sweep:counts(1, 'easy', 2).kills") == "6");
    CHECK(told_by_sweep("(sweep:counts(2, 'easy', 1))") == "nil");
    CHECK(told_by_sweep("sweep:counts(1, 'easy', 3)") ==
          "t.lua:1: there is no number 3 among 2");
    CHECK(told_by_sweep("sweep:values('kills_a_job', 1, 'easy')[1]") == "1.5");
    CHECK(told_by_sweep("sweep:values('kills', 1, 'easy')[1]") == "false");
    CHECK(told_by_sweep("sweep:users(1, 'easy', 2).mean_wait[1]") == "24.0");
    CHECK(told_by_sweep("sweep:users(1, 'easy', 2) ~= nil and "
                        "sweep:users(2, 'easy', 2)") == "nil");
    CHECK(told_by_sweep("#sweep:users(2, 'late', 1)") == "0");
    CHECK(told_by_sweep("sweep:batches('mean_wait', 2, 'late', 1)[2]") == "6.0");
    CHECK(told_by_sweep("sweep:is_one_run(2, 'late'), sweep:is_one_run(2, 'easy')") ==
          "true\tfalse");
  }

  TEST_CASE("a run that is not one of the sweep is refused") {
    CHECK(told_by_sweep("sweep:users(3, 'fcfs', 1)") ==
          "t.lua:1: there is no number 3 among 2");
  }
}
