// What scripts of tools cannot do: outlast their limits, change or show what is theirs
// to read alone, or leave memory behind.

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/bindings/tool_scene.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)
using namespace berth::test;      // NOLINT(google-build-using-namespace)

namespace {

// A frame of so many rows, `big`.
Frames big(std::size_t rows) {
  std::vector<double> numbers(rows);
  std::vector<std::int64_t> whole(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    numbers[row] = static_cast<double>(row * 7919 % rows);
    whole[row] = static_cast<std::int64_t>(row % 1000);
  }
  return {{"big", std::make_shared<const TableSource>(
                      "rows", std::vector<std::pair<std::string, ColumnPtr>>{
                                  {"x", Column::of_numbers(std::move(numbers))},
                                  {"k", Column::of_whole(std::move(whole))}})}};
}

Limits small_memory() {
  Limits limits = patient_limits();
  limits.memory_mib = 16;
  return limits;
}

}  // namespace

TEST_SUITE("bindings/tools_hostile") {
  TEST_CASE("endless functions are stopped where they are called from") {
    for (const auto* script :
         {"jobs.size:map(function() while true do end end)",
          "jobs:where(function() while true do end end)",
          "jobs:where('(function() while true do end end)()')",
          "pcall(function() jobs:where('(function() while true do end end)()') end)",
          "stats.bootstrap({1}, function() while true do end end)",
          "while true do pcall(jobs.size.map, jobs.size, error) end"}) {
      CAPTURE(script);
      const auto outcome = run_tool(script, {}, quick_limits());
      CHECK(outcome.exit == static_cast<int>(ErrorCode::kTime));
      CHECK(outcome.says("time limit"));
      const auto counted = run_tool(script, {}, counted_limits(100'000));
      CHECK(counted.exit == static_cast<int>(ErrorCode::kTime));
      CHECK(counted.says("work limit"));
    }
  }

  TEST_CASE("loops outside Lua count, the same in each run") {
    const auto* script = "for i = 1, 1000000 do local _ = big.x + big.x end";
    const auto once = run_tool(script, big(100'000), counted_limits(1'000'000));
    CHECK(once.says("work limit"));
    const auto again = run_tool(script, big(100'000), counted_limits(1'000'000));
    CHECK(again.usage.work_units == once.usage.work_units);
    for (const auto* each :
         {"big.x:sum()", "big.x:quantile(0.5)", "big:sort('x')", "big:by('k')",
          "big:by('x')", "big.x:gt(3)", "big:where('job.x > 3')", "big.x:top(2)",
          "stats.mean(big.x)", "stats.ranks(big.x)", "big:by('k'):mean('x')",
          "big.k:map(function(k) return k end)", "stats.correlation(big.x, big.k)",
          "big.x:at(big.k)", "levels:mean()"}) {
      CAPTURE(each);
      const auto outcome = run_tool(fmt::format("while true do {} end", each),
                                    big(100'000), counted_limits(3'000'000));
      CHECK(outcome.says("work limit"));
      const auto late = run_tool(fmt::format("while true do local _ = {} end", each),
                                 big(100'000), quick_limits());
      CHECK(late.says("time limit"));
    }
  }

  TEST_CASE("columns that a script keeps count to its memory") {
    for (const auto* script :
         {"local kept = {} for i = 1, 1000 do kept[i] = big.x + i end",
          "local kept = {} for i = 1, 1000 do kept[i] = big.x:gt(i) end",
          "local kept = {} for i = 1, 1000 do kept[i] = big:first(50000) end",
          "local kept = {} for i = 1, 1000 do kept[i] = big:by('k') end",
          "local f = big for i = 1, 1000 do f = f:with { ['x' .. i] = big.x + i } end",
          "local kept = {} for i = 1, 1000 do kept[i] = stats.ranks(big.x) end"}) {
      CAPTURE(script);
      const auto outcome = run_tool(script, big(100'000), small_memory());
      CHECK(outcome.exit == static_cast<int>(ErrorCode::kMemory));
      CHECK(outcome.says("memory limit"));
    }
  }

  TEST_CASE("columns that it drops do not") {
    const auto outcome = run_tool(
        "for i = 1, 500 do local _ = (big.x + i):gt(3) _ = big:where('job.x > 5').x "
        "_ = big:by('k'):mean('x') _ = big:sort('x') end",
        big(20'000), small_memory());
    CHECK_MESSAGE(outcome.message.empty(), outcome.message);
    CHECK(outcome.usage.peak_memory_bytes < std::size_t{16} << 20U);
  }

  TEST_CASE("huge numbers are no rooms") {
    CHECK(told("#jobs:first(math.maxinteger), #jobs.size:top(math.maxinteger)") ==
          "4\t4");
    CHECK(told("jobs:row(math.maxinteger), jobs.size[math.mininteger]") == "nil\tnil");
    CHECK(told("jobs.size:at({math.maxinteger})") ==
          "t.lua:1: row 9223372036854775807 of a column of 4 rows");
    CHECK(told("jobs.size:at({-1})") == "t.lua:1: row -1 of a column of 4 rows");
    const auto outcome =
        run_tool("stats.bootstrap({1}, function(c) return 1 end, { draws = 1 << 40 })",
                 {}, quick_limits());
    CHECK(outcome.exit == static_cast<int>(ErrorCode::kMemory));
    CHECK(told("jobs:first(-1)").find("less than 0") != std::string::npos);
    CHECK(told("jobs:first(1.5)").find("whole number") != std::string::npos);
  }

  TEST_CASE("long and deep conditions are answered or refused") {
    CHECK(told("jobs:where(('('):rep(1000) .. 'job.size > 1' .. (')'):rep(1000))")
              .find("t.lua:1: condition") == 0);
    CHECK(told("#jobs:where(('not '):rep(100) .. '(job.size > 2)')") == "2");
    CHECK(told("jobs:where('job.size > 1' .. (' and job.size > 1'):rep(1000))") ==
          "t.lua:1: this condition is too long: make it a function");
    CHECK(told("jobs:where('job' .. ('.size'):rep(300))") ==
          "t.lua:1: this condition is too long: make it a function");
    CHECK(told("#jobs:where('job.size > 2' .. (' or job.size > 2'):rep(200))") == "2");
    CHECK(told("#jobs:where('job.size > 2\\0 or x')").find("t.lua:1: condition") == 0);
  }

  TEST_CASE("an error inside a function is an ordinary one, and nothing is left") {
    CHECK(told("jobs.size:map(function(s) error('mine', 0) end)") == "t.lua:1: mine");
    CHECK(told("pcall(jobs.where, jobs, function(job) error('mine', 0) end)") ==
          "false\tmine");
    CHECK(told("pcall(function() return jobs.size + jobs:first(1).size end)") ==
          "false\tt.lua:1: columns of 4 and 1 rows");
    const auto outcome = run_tool(
        "for i = 1, 2000 do pcall(jobs.where, jobs, function(job) error(i) end) "
        "pcall(function() return big.x + jobs.size end) "
        "pcall(function() return big.x:map(function(x) error(x) end) end) end",
        big(200), small_memory());
    CHECK_MESSAGE(outcome.message.empty(), outcome.message);
  }

  TEST_CASE("what a script keeps is good in later entries") {
    ToolScene scene(patient_limits(), big(1000));
    const auto loaded = scene.run(
        "local column, frame, row = big.x + 1, big:where('job.k < 10'), big:row(3) "
        "local groups, steps = big:by('k'), levels "
        "return { schedule = function() print(column:sum(), #frame, frame.x:max() > 0, "
        "row.k, #groups:key(), steps:mean()) end }");
    CHECK(loaded.message.empty());
    CHECK(scene.again().printed == "500500.0\t10\ttrue\t2\t1000\t2.5\n");
  }

  TEST_CASE("a column that the host keeps outlives the sandbox") {
    ColumnPtr kept;
    {
      ToolScene scene;
      CHECK(scene.run("return jobs.size * 2").message.empty());
      scene.sandbox().enter(
          [](lua_State* lua) {
            auto& to = *static_cast<ColumnPtr*>(lua_touserdata(lua, 1));
            Sandbox::push_result(lua);
            to = column_at(lua, -1);
            return 0;
          },
          &kept);
    }
    REQUIRE(kept != nullptr);
    CHECK(kept->whole()[3] == 16);
  }

  TEST_CASE("no library function is confused by them") {
    CHECK(told("('%s %s %s'):format(jobs, jobs.size, levels)") ==
          "frame of 4 jobs column of 4 whole numbers step function of 3 values");
    CHECK(told("tostring(jobs:row(1)), tostring(stats), type(stats)") ==
          "row 1 of 4 jobs\ttable of statistics\tuserdata");
    const std::string refused =
        "t.lua:1: a column is not a table: walk it with `for i = 1, #it do`";
    for (const auto* call :
         {"pairs(jobs.size)", "next(jobs.size)", "table.insert(jobs.size, 1)",
          "table.concat(jobs.size)", "table.sort(jobs.size)", "table.unpack(jobs.size)",
          "table.remove(jobs.size)"}) {
      CAPTURE(call);
      CHECK(told(call) == refused);
    }
    CHECK(told("pairs(jobs)") ==
          "t.lua:1: a frame is not a table: walk it with `for i = 1, #it do`");
    CHECK(told("table.concat({jobs.size})").find("0x") == std::string::npos);
    CHECK(told("(function() local n = 0 for _, v in ipairs(jobs.size) do n = n + v end "
               "return n end)()") == "16");
    CHECK(told("table.sort({jobs.size, jobs.wait})")
              .starts_with("t.lua:1: compare columns with :lt"));
    CHECK(told("jobs.size .. 'x'") ==
          "t.lua:1: attempt to concatenate a column value (field 'size')");
    CHECK(told("rawequal(jobs.size, jobs.size), pcall(rawget, jobs.size, 1)")
              .starts_with("true\tfalse\t"));
    CHECK(told("pcall(setmetatable, jobs.size, {})").starts_with("false\t"));
    CHECK(told("pcall(error, jobs.size)") == "false\tcolumn of 4 whole numbers");
    CHECK(run_tool("error(jobs.size)").first_line() ==
          "t.lua:1: (error object is a userdata)");
    CHECK(told("(function() local t = { [jobs.size] = 1 } return t[jobs.size], "
               "pcall(pairs, t) end)()")
              .starts_with("1\tfalse\t"));
    CHECK(told("jobs.size()") ==
          "t.lua:1: attempt to call a column value (field 'size')");
    CHECK(told("math.floor(jobs.size)").find("number expected") != std::string::npos);
    CHECK(told("('x'):rep(jobs.size)").find("0x") == std::string::npos);
  }

  TEST_CASE("methods refuse what is not theirs") {
    CHECK(told("pcall(jobs.size.sum, jobs)").starts_with("false\t"));
    CHECK(told("pcall(jobs.where, jobs.size, 'x')").starts_with("false\t"));
    CHECK(told("pcall(levels.mean, jobs)").starts_with("false\t"));
    CHECK(told("pcall(jobs:by('user').sum, jobs, 'size')").starts_with("false\t"));
    CHECK(told("pcall(jobs.size.sum)").starts_with("false\t"));
    CHECK(told("pcall(jobs.where)").starts_with("false\t"));
    CHECK(told("pcall(jobs.size.lt, jobs.size)").starts_with("false\t"));
    CHECK(told("pcall(jobs.size.lt, jobs.size, {})").starts_with("false\t"));
    CHECK(told("pcall(jobs.size.lt, jobs.size, jobs)").starts_with("false\t"));
  }

  TEST_CASE("what a source throws ends the entry") {
    class Failing final : public FrameSource {
     public:
      [[nodiscard]] std::size_t rows() const override { return 2; }
      [[nodiscard]] std::string_view what() const override { return "jobs"; }
      [[nodiscard]] std::span<const std::string> names() const override {
        return names_;
      }
      [[nodiscard]] ColumnPtr make(std::string_view) const override {
        throw Error(ErrorCode::kInput, "jobs.csv:3:1: no number");
      }

     private:
      std::vector<std::string> names_{"x"};
    };
    const auto outcome = run_tool("pcall(function() return broken.x end) print('on')",
                                  {{"broken", std::make_shared<const Failing>()}});
    CHECK(outcome.exit == static_cast<int>(ErrorCode::kInput));
    CHECK(outcome.message == "jobs.csv:3:1: no number");
    CHECK(outcome.printed.empty());
  }
}
