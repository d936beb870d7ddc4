// Each limit of docs/sandbox.md in each call that can meet it: one exit code, one form
// of message, and no way to catch it.

#include <doctest/doctest.h>

#include "tests/bindings/sandbox_driver.hpp"
#include "tests/bindings/scene.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/kinds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Every call that can make a string of more than 1 MiB, from `half`, more than half of
// that, `s` of 4,000 bytes and `list`, 2,000 of these.
constexpr std::array kLongStrings{
    "string.rep(s, 1000)",
    "s:rep(1000)",
    "s:rep(300, s)",
    "s:rep(math.maxinteger)",
    "half .. half",
    "half .. half .. half",
    "('%s%s'):format(half, half)",
    "string.format('%s%q', half, half)",
    "s:gsub('a', s)",
    "s:gsub('a', { a = s })",
    "s:gsub('a', function() return half end)",
    "table.concat(list)",
    "table.concat({ half, half })",
    "table.concat(list, s)",
    "table.concat({ 'a', 'b', 'c' }, half)",
    "tostring(setmetatable({}, { __tostring = function() return half .. half end }))",
    "('x'):rep(1 << 20) .. 'y'",
    "#(half .. half)",
    "half .. half < half",
    "({ [half .. half] = 1 })",
    "error(half .. half)",
    "print(half .. half)",
    "(half .. 1) .. half"};

// Ways in which a script may try to go on.
constexpr std::array kCatches{"CALL",
                              "pcall(function() CALL end)",
                              "xpcall(function() CALL end, function(e) return e end)",
                              "pcall(pcall, function() CALL end)",
                              "for _ = 1, 3 do pcall(function() CALL end) end",
                              "pcall(table.sort, { 1, 2 }, function() CALL end)",
                              "pcall(string.gsub, 'a', 'a', function() CALL end)",
                              "do local t <close> = setmetatable({}, { __close = "
                              "function() pcall(function() CALL "
                              "end) end }) end"};

std::string put(std::string text, const std::string& call) {
  for (auto at = text.find("CALL"); at != std::string::npos; at = text.find("CALL")) {
    text.replace(at, 4, call);
  }
  return text;
}

constexpr std::string_view kBefore =
    "local s = ('a'):rep(4000) local half = ('b'):rep(600000) local list = {} for i = "
    "1, "
    "2000 do list[i] = s end local kept ";

}  // namespace

TEST_SUITE("bindings/limits_table") {
  TEST_CASE("one string: exit 6, the line and one form of message, in every call") {
    for (const auto* call : kLongStrings) {
      for (const auto* way : kCatches) {
        const std::string shown_call(call);
        const std::string shown_way(way);
        CAPTURE(shown_call);
        CAPTURE(shown_way);
        const auto said =
            load(std::string(kBefore) + put(way, std::string("kept = ") + call) +
                 " print('went on')");
        CHECK(said.exit == 6);
        CHECK(said.first_line().starts_with("t.lua:1: memory limit: string of "));
        CHECK(said.first_line().ends_with(" bytes (limit 1 MiB)"));
        CHECK(said.printed.find("went on") == std::string::npos);
      }
    }
  }

  TEST_CASE("1 MiB is allowed, whatever makes it") {
    for (const auto* made :
         {"('x'):rep(1 << 20)", "('x'):rep((1 << 20) - 1) .. 'y'",
          "('%s%s'):format(('x'):rep(1 << 19), ('y'):rep(1 << 19))",
          "(('x'):rep(1 << 10):gsub('x', ('y'):rep(1 << 10)))",
          "table.concat({ ('x'):rep(1 << 19), ('y'):rep(1 << 19) })"}) {
      CAPTURE(made);
      CHECK(shown("#(" + std::string(made) + ")") == "1048576");
    }
  }

  TEST_CASE("time, counted work and memory: 5, 5 and 6, and nothing catches them") {
    for (const auto* way : kCatches) {
      CAPTURE(way);
      const auto late =
          load(put(way, "while true do end") + " print('went on')", quick_limits());
      CHECK(late.exit == 5);
      CHECK(late.first_line().find(": time limit: ") != std::string::npos);
      const auto work = load(put(way, "while true do end") + " print('went on')",
                             counted_limits(10'000));
      CHECK(work.exit == 5);
      CHECK(work.first_line().find(": work limit (10,000 units) reached in ") !=
            std::string::npos);
      const auto pattern = load(put(way, "('a'):rep(3000):find(('.-'):rep(8) .. 'b')") +
                                " print('went on')");
      CHECK(pattern.exit == 5);
      CHECK(pattern.first_line().find(": work limit: a pattern that may take ") !=
            std::string::npos);
      const auto memory =
          load(put(way, "local t = {} for i = 1, 1e9 do t[i] = { i } end") +
               " print('went on')");
      CHECK(memory.exit == 6);
      CHECK(memory.first_line().find(": memory limit: ") != std::string::npos);
      for (const auto& said : {late, work, pattern, memory})
        CHECK(said.printed.empty());
    }
  }

  TEST_CASE("handles of one decision: exit 6, the line, and nothing catches them") {
    struct Row {
      const char* what;
      std::string call;
      TestMachine machine;
    };
    const std::vector<Row> rows{
        {"plans", "cluster:reserve(job)", a_machine(4)},
        {"plans", "cluster:backfill(queue)", a_machine(3)},
        {"plans", "cluster.tiers:reserve(job)", a_two_tier_machine(4)},
        {"selections", "queue:all()", a_machine(4)},
        {"selections", "cluster:running()", a_machine(4)},
        {"placements or packings", "cluster.network:embed(job)", a_network_machine(4)},
        {"placements or packings",
         "cluster.network:place(job, cluster.network:switches()(), { [0] = 1, [1] = 1 "
         "})",
         a_network_machine(4)},
        {"placements or packings", "cluster.hosts:choose(job)",
         with_hosts({{"host", 2, 2}})},
        {"placements or packings", "cluster.packing:mcb({ job })",
         a_fractional_machine(4, 0.125)}};
    for (const auto& row : rows) {
      CAPTURE(row.call);
      CAPTURE(row.what);
      bindings::PolicyOptions patient;
      patient.limits.time_seconds = 60;
      auto jobs = two_jobs();
      if (row.call.find("backfill") != std::string::npos) {
        jobs = {a_job(1, 0, 2, 30), a_job(2, 0, 2, 30)};
      }
      const auto said =
          play(once("for i = 1, 70000 do pcall(function() kept = " + row.call +
                    " end) end print('went on')"),
               jobs, row.machine, patient);
      CAPTURE(said.error);
      CHECK(said.code == ErrorCode::kMemory);
      CHECK(said.fails_with(std::string("test.lua:5: memory limit: 65,537 ") +
                            row.what + " in one decision (limit 65,536)"));
      CHECK(said.printed.empty());
    }
  }

  TEST_CASE("the text of a file, and accesses in a row: exit 4, in a library too") {
    const auto with_library = [](const std::string& library) {
      bindings::PolicyOptions options;
      options.library = [&](std::string_view) {
        return std::optional(bindings::LoadedSource{"lib/x.lua", library});
      };
      return play(
          "local ok, why = pcall(require, 'x') return { schedule = function() "
          "end }",
          two_jobs(), a_machine(4), options);
    };
    std::string chain = "return t";
    for (int i = 0; i < 201; ++i) chain += ".x";
    for (const auto& text : {std::string(64 * 1024 + 1, ' '), chain}) {
      const auto said = with_library(text);
      CHECK(said.code == ErrorCode::kPolicy);
      CHECK(said.error.starts_with("lib/x.lua:1: "));
    }
    CHECK(with_library("return 1").error.empty());
  }
}
