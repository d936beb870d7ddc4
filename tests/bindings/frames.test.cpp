// Frames, conditions, groups and step functions in Lua.

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "bindings/tools/condition.hpp"
#include "bindings/tools/frame.hpp"
#include "bindings/tools/groups.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/metrics/exact_sum.hpp"
#include "engine/metrics/sample.hpp"
#include "tests/bindings/tool_scene.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)
using namespace berth::test;      // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t kRows = 2'000;

std::shared_ptr<const TableSource> random_jobs(std::uint64_t seed) {
  auto engine = random_stream(seed, "test");
  const auto whole = [&](double most) {
    std::vector<std::int64_t> values(kRows);
    for (auto& value : values)
      value = static_cast<std::int64_t>(uniform(engine) * most);
    return values;
  };
  std::vector<double> ratio(kRows);
  for (auto& value : ratio) value = std::round(uniform(engine) * 40) / 8;
  std::vector<double> gaps(kRows);
  for (auto& value : gaps) {
    value = uniform(engine) < 0.3 ? std::nan("") : std::round(uniform(engine) * 4);
  }
  std::vector<Time> waits(kRows);
  for (auto& wait : waits) wait = static_cast<Time>(uniform(engine) * 8) * kSecond / 2;
  std::vector<std::uint32_t> states(kRows);
  for (auto& state : states) {
    const auto code = static_cast<std::uint32_t>(uniform(engine) * 4);
    state = code == 3 ? kNoText : code;
  }
  return std::make_shared<const TableSource>(
      "jobs", std::vector<std::pair<std::string, ColumnPtr>>{
                  {"size", Column::of_whole(whole(8))},
                  {"user", Column::of_whole(whole(1e9))},
                  {"wait", Column::of_times(waits)},
                  {"ratio", Column::of_numbers(ratio)},
                  {"gap", Column::of_numbers(gaps)},
                  {"state",
                   Column::of_texts(states, std::vector<std::string>{"a", "b", "c"})}});
}

// A random condition of comparisons joined by and, or, not; none only in equalities.
class RandomCondition {
 public:
  explicit RandomCondition(std::uint64_t seed) : engine_(random_stream(seed, "test")) {}

  std::string make(int depth) {
    switch (pick(depth > 0 ? 6 : 2)) {
      case 0: return comparison();
      case 1: return equality();
      case 2: return "(" + make(depth - 1) + ")";
      case 3: return "not (" + make(depth - 1) + ")";
      case 4: return make(depth - 1) + " and " + make(depth - 1);
      default: return make(depth - 1) + " or " + make(depth - 1);
    }
  }

 private:
  std::size_t pick(std::size_t count) {
    return static_cast<std::size_t>(uniform(engine_) * static_cast<double>(count));
  }
  const char* one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + pick(words.size()));
  }
  std::string number() {
    return one_of({"3", "2.5", "-1", "(1 + 2)", "4 / 2", "2*3 - 4", "job.size",
                   "job.wait", "job.ratio", "1e0", "0 / 0", "1/0"});
  }
  std::string comparison() {
    const std::string field = one_of({"job.size", "job.wait", "job.ratio"});
    const std::string how = one_of({" < ", " <= ", " > ", ">=", "==", " ~= "});
    return pick(2) == 0 ? field + how + number() : number() + how + field;
  }
  std::string equality() {
    const std::string how = one_of({" == ", " ~= "});
    return one_of({"job.gap", "job.state", "job.size"}) + how +
           one_of({"nil", "2", "'a'", "\"b\"", "job.state", "job.gap"});
  }

  RandomEngine engine_;
};

}  // namespace

TEST_SUITE("bindings/frames") {
  TEST_CASE("every example of the reference is true") {
    std::set<std::string_view> types;
    std::string script;
    for (const auto& family : tool_families()) {
      types.insert(family.type);
      CHECK(family.brief.ends_with('.'));
      std::set<std::string_view> names;
      for (const auto& primitive : family.primitives) {
        CAPTURE(primitive.name);
        CHECK(names.insert(primitive.name).second);
        CHECK(primitive.brief.ends_with('.'));
        CHECK(primitive.form() == Form::kMethod);
        const auto said = told(fmt::format("({}) == true", primitive.example));
        CHECK_MESSAGE(said == "true", primitive.example, ": ", said);
      }
    }
    CHECK(types == std::set<std::string_view>{"Column", "Frame", "Groups", "Out",
                                              "Stats", "Steps"});
  }

  TEST_CASE("columns are made when they are first read, and once") {
    const auto source = random_jobs(1);
    const auto outcome = run_tool(
        "assert(jobs.size == jobs.size) assert(jobs:column('size') == jobs.size) "
        "local small = jobs:where(jobs.size:lt(4)) "
        "print(#small, small.size:max(), small:row(1).size < 4, "
        "small:first(3).size:max() "
        "< 4)",
        {{"jobs", source}});
    CHECK(outcome.message.empty());
    CHECK(source->made("size") == 1);
    CHECK(source->made("wait") == 0);
  }

  TEST_CASE("rows") {
    CHECK(told("#jobs, jobs, jobs:row(2), jobs:row(2).wait, jobs:row(4).wait, "
               "jobs:row(3).state, jobs:row(0), jobs:row(5)") ==
          "4\tframe of 4 jobs\trow 2 of 4 jobs\t30.0\tnil\tfailed\tnil\tnil");
  }

  TEST_CASE("selections of selections are of the same rows") {
    CHECK(
        told("list(jobs:where(jobs.size:ge(2)):where('job.user < 3'):first(2).wait)") ==
        "0.0 30.0");
    CHECK(told("list(jobs:sort('size').user), list(jobs:sort('size', 'down').user)") ==
          "1 1 2 3\t3 2 1 1");
    CHECK(told("list(jobs:sort('wait').wait), list(jobs:sort('wait', 'down').wait)") ==
          "0.0 10.0 30.0 nil\t30.0 10.0 0.0 nil");
    CHECK(told("list(jobs:sort('state').state)") == "failed finished finished left");
    CHECK(told("list(jobs:sort('size', 'down'):where('job.size < 8').user), "
               "#jobs:first(0), #jobs:first(99)") == "2 1 1\t0\t4");
  }

  TEST_CASE("columns of one's own go along") {
    const std::string made =
        "(function() local f = jobs:with { ratio = jobs.wait / jobs.size, "
        "size = jobs.size * 10 } return f end)()";
    CHECK(told("list(" + made + ".ratio), list(" + made + ".size), #" + made) ==
          "0.0 7.5 5.0 nil\t20 40 20 80\t4");
    CHECK(told("list(" + made + ":sort('ratio', 'down'):first(2).ratio), list(" + made +
               ":where('job.ratio > 5').size), list(" + made +
               ":sort('size', 'down').user)") == "7.5 5.0\t40\t3 2 1 1");
    CHECK(told("list(jobs:first(2):with { twice = jobs:first(2).size * 2 }"
               ":sort('twice', 'down').wait)") == "30.0 0.0");
    CHECK(told("jobs.ratio") == "t.lua:1: a frame of jobs has no 'ratio'");
  }

  TEST_CASE("the host reads what a script made") {
    ToolScene scene;
    const auto outcome = scene.run(
        "return jobs:where('job.size < 8'):with { ratio = jobs:where('job.size < 8')"
        ".wait / 2, size = jobs:first(3).size }:sort('ratio', 'down')");
    CHECK(outcome.message.empty());
    scene.sandbox().enter(
        [](lua_State* lua) {
          Sandbox::push_result(lua);
          REQUIRE(is_frame(lua, -1));
          const auto view = frame_at(lua, -1);
          CHECK(view.rows == 3);
          CHECK(view.what == "jobs");
          CHECK(view.names == std::vector<std::string>{"size", "wait", "slowdown",
                                                       "user", "state", "ratio"});
          push_frame_column(lua, -1, "ratio");
          const auto ratio = column_at(lua, -1);
          REQUIRE(ratio != nullptr);
          CHECK(ratio->numbers()[0] == 15.0);
          CHECK(column_at(lua, -2) == nullptr);
          CHECK_FALSE(is_frame(lua, -1));
          return 0;
        },
        nullptr);
  }

  TEST_CASE("wrong names and assignments say so") {
    CHECK(told("jobs.wiat") ==
          "t.lua:1: a frame of jobs has no 'wiat', did you mean 'wait'?");
    CHECK(told("jobs:frist(3)") ==
          "t.lua:1: a frame of jobs has no 'frist', did you mean 'first'?");
    CHECK(told("jobs:sort('siz')") ==
          "t.lua:1: a frame of jobs has no 'siz', did you mean 'size'?");
    CHECK(told("jobs:row(1).usr") ==
          "t.lua:1: a row of jobs has no 'usr', did you mean 'user'?");
    CHECK(told("jobs[1]") == "t.lua:1: a row of a frame is frame:row(i)");
    CHECK(told("jobs:by('usr')") ==
          "t.lua:1: a frame of jobs has no 'usr', did you mean 'user'?");
    const auto assigned = [](std::string_view statement) {
      return run_tool(statement).first_line();
    };
    CHECK(assigned("jobs.wait = 3") ==
          "t.lua:1: a frame is read-only: 'wait' cannot be set");
    CHECK(assigned("jobs.wait[1] = 3") ==
          "t.lua:1: a column is read-only: [1] cannot be set");
    CHECK(assigned("jobs:row(1).wait = 3") ==
          "t.lua:1: a row is read-only: 'wait' cannot be set");
    CHECK(assigned("jobs:by('user').x = 3") ==
          "t.lua:1: a grouping is read-only: 'x' cannot be set");
    CHECK(assigned("levels.x = 3") ==
          "t.lua:1: a step function is read-only: 'x' cannot be set");
    CHECK(assigned("stats.mean = 3") ==
          "t.lua:1: a table of statistics is read-only: 'mean' cannot be set");
    CHECK(told("jobs:where(jobs:first(2).wait:gt(0))") ==
          "t.lua:1: columns of 4 and 2 rows");
    CHECK(told("jobs:with { x = 3 }") ==
          "t.lua:1: with: 'x' is a number, expected a column");
    CHECK(told("jobs:with { first = jobs.size }") ==
          "t.lua:1: with: frames have a method 'first': choose another name");
    CHECK(told("jobs:with { jobs.size }") ==
          "t.lua:1: with: a column needs a name, as in { ratio = c }");
    CHECK(told("jobs:sort('size', 'up')") ==
          "t.lua:1: bad argument #2 to 'sort': \"down\" or nothing expected");
  }

  TEST_CASE("conditions that masks do not answer run row by row") {
    CHECK(told("list(jobs:where('job.size % 4 == 0').user)") == "2 3");
    CHECK(told("list(jobs:where('math.max(job.size, 3) == 3').user)") == "1 1");
    CHECK(told("list(jobs:where(function(job) return job.wait and job.wait > 5 end)"
               ".user)") == "2 1");
    CHECK(told("list(jobs:where('job.wait > 1*10 - 5 and job.state == \"finished\"')"
               ".user)") == "2");
    CHECK(told("list(jobs:where('not (job.wait < 20)').user)") == "2 3");
  }

  TEST_CASE("wrong conditions say what is wrong") {
    CHECK(told("jobs:where('job.size >')") ==
          "t.lua:1: condition \"job.size >\": unexpected symbol near <eof>");
    CHECK(told("jobs:where('job.walltime <= 1h')") ==
          "t.lua:1: condition \"job.walltime <= 1h\": malformed number near '1h'");
    CHECK(told("jobs:where('job.siez > 1')") ==
          "t.lua:1: condition \"job.siez > 1\": a row of jobs has no 'siez', did you "
          "mean 'size'?");
    CHECK(told("jobs:where('job.size')") ==
          "t.lua:1: condition \"job.size\": where: answered a number, expected true or "
          "false");
    CHECK(told("jobs:where('job.wait % 2 > 1')") ==
          "t.lua:1: condition \"job.wait % 2 > 1\": attempt to perform arithmetic on a "
          "nil value (field 'wait')");
    CHECK(told("jobs:where('job.size = 3')") ==
          "t.lua:1: condition \"job.size = 3\": <eof> expected near '='");
    CHECK(told("jobs:where('job.size > 3 end print(1)')").find("condition") !=
          std::string::npos);
    CHECK(told("jobs:where('error({})')") == "t.lua:1: (error object is a table)");
    CHECK(told("jobs:where(function(job) return 1 end)") ==
          "t.lua:1: where: answered a number, expected true or false");
    CHECK(told("jobs:where(3)") ==
          "t.lua:1: bad argument #1 to 'where': a mask, a function or a condition "
          "expected, got number");
  }

  TEST_CASE("what masks know, and what they do not") {
    const std::vector<std::string> names{"size", "wait", "state"};
    const auto has_masks = [&](std::string_view text) {
      return Condition::parse(text, names).has_masks();
    };
    for (const auto* text :
         {"job.size > 8", "8 < job.size", " job.size>8 and(job.wait<=1*3600)",
          "not (job.size == 1) or job.state ~= 'left'", "job.wait == nil",
          "job.size >= -(2 + 3) * 4 / 5 - 1", "((job.size)) < job.wait",
          "not not (job.size > 1)"}) {
      CHECK_MESSAGE(has_masks(text), text);
    }
    for (const auto* text : {"",
                             "job.size",
                             "job.size > 8 > 9",
                             "job.siz > 1",
                             "job.size > 8h",
                             "job.size > 0x10",
                             "job.size > 8 -- so",
                             "job.size > 2^3",
                             "not job.size > 1",
                             "job.size > 8 and",
                             "(job.size > 8",
                             "job.size > 8)",
                             "1 < 2",
                             "nil == nil",
                             "job.size < nil",
                             "job.size == true",
                             "job.size > 1 and job.size",
                             "job.state == 'a\\n'",
                             "job.state == 'a",
                             "job.size > 7 // 2",
                             "job.size > 99999999999999999999",
                             "job['size'] > 1",
                             "job.size:f() > 1",
                             "job.size > 1e999",
                             "job.size > - -1",
                             "job.size > 'a' .. 'b'",
                             "job.size != 1",
                             "jobs.size > 1",
                             "job . size . x > 1",
                             "((((((((((((((((((job.size > 1))))))))))))))))))"}) {
      CHECK_MESSAGE(!has_masks(text), text);
    }
  }

  TEST_CASE("masks and rows give the same answers") {
    std::string script;
    RandomCondition conditions(11);
    const std::vector<std::string> names{"size", "wait", "ratio", "gap", "state"};
    int by_masks = 0;
    for (int i = 0; i < 150; ++i) {
      const auto text = conditions.make(3);
      by_masks += Condition::parse(text, names).has_masks() ? 1 : 0;
      script += fmt::format(
          "do local text = [[{0}]] local a, b = jobs:where(text), jobs:where("
          "function(job) return {0} end) "
          "assert(#a == #b and (a.user - b.user):ne(0):sum() == 0, text) end\n",
          text);
    }
    CHECK(by_masks > 100);
    Limits limits = patient_limits();
    limits.source_kib = 0;
    const auto outcome = run_tool(script, {{"jobs", random_jobs(3)}}, limits);
    CHECK_MESSAGE(outcome.message.empty(), outcome.message);
  }

  TEST_CASE("groups have ascending keys, and none last") {
    CHECK(told("jobs:by('user'), #jobs:by('user'), list(jobs:by('user'):key()), "
               "list(jobs:by('user'):count())") ==
          "3 groups of 4 rows\t3\t1 2 3\t2 1 1");
    CHECK(told("list(jobs:by('wait'):key()), list(jobs:by('state'):key())") ==
          "0.0 10.0 30.0 nil\tfailed finished left");
    CHECK(told("list(jobs:by('size', 'user'):key(1)), list(jobs:by('size', "
               "'user'):key(2)), list(jobs:by('size', 'user'):count())") ==
          "2 4 8\t1 2 3\t2 1 1");
    CHECK(
        told("list(jobs:by('user'):sum('wait')), list(jobs:by('user'):sum('size')), "
             "list(jobs:by('user'):max('state')), list(jobs:by('user'):max('wait'))") ==
        "10.0 30.0 0.0\t4 4 8\tfinished finished left\t10.0 30.0 nil");
    CHECK(told("list(jobs:by('user'):mean('wait')), list(jobs:by('user'):quantile("
               "'slowdown', 0.5)), jobs:by('user'):sum('wait')") ==
          "5.0 30.0 nil\t1.25 2.5 nil\tcolumn of 3 times");
    CHECK(told("#jobs:first(0):by('user'), #jobs:first(0):by('user'):sum('wait')") ==
          "0\t0");
    CHECK(told("jobs:by('user'):key(2)") == "t.lua:1: key: these groups have 1 keys");
    CHECK(
        told("jobs:by()") ==
        "t.lua:1: bad argument #1 to 'by': one to four names of columns expected, got "
        "nothing");
    CHECK(told("jobs:by('user'):men('wait')") ==
          "t.lua:1: a grouping has no 'men', did you mean 'mean'?");
  }

  TEST_CASE("groups are those of a map, dense or not") {
    Budget budget;
    const auto source = random_jobs(4);
    for (const auto* name : {"size", "user", "wait", "state", "gap"}) {
      const auto key = source->make(name);
      const auto number = source->make("ratio");
      const Column* keys[]{key.get()};
      const auto groups = group_rows(keys, budget);
      const auto of = ordered_keys(*key, budget);
      std::map<std::uint64_t, std::vector<double>> expected;
      for (std::size_t row = 0; row < kRows; ++row)
        expected[of[row]].push_back(number->numbers()[row]);
      REQUIRE(groups.count() == expected.size());
      const auto means = group_means(groups, *number, budget);
      std::size_t group = 0;
      for (auto& [value, numbers] : expected) {
        CHECK(of[groups.rows_of(group).front()] == value);
        std::sort(numbers.begin(), numbers.end());
        CHECK(means->numbers()[group] ==
              exact_sum(numbers) / static_cast<double>(numbers.size()));
        CHECK(groups.rows_of(group).size() == numbers.size());
        ++group;
      }
    }
  }

  TEST_CASE("two keys group as their pairs do") {
    Budget budget;
    const auto source = random_jobs(5);
    const auto a = source->make("size");
    const auto b = source->make("wait");
    const Column* keys[]{a.get(), b.get()};
    const auto groups = group_rows(keys, budget);
    std::map<std::pair<std::int64_t, Time>, std::int64_t> expected;
    for (std::size_t row = 0; row < kRows; ++row)
      ++expected[{a->whole()[row], b->whole()[row]}];
    REQUIRE(groups.count() == expected.size());
    const auto counts = group_counts(groups);
    const auto first = group_keys(groups, *a, budget);
    const auto second = group_keys(groups, *b, budget);
    std::size_t group = 0;
    for (const auto& [pair, count] : expected) {
      CHECK(first->whole()[group] == pair.first);
      CHECK(second->whole()[group] == pair.second);
      CHECK(counts->whole()[group++] == count);
    }
  }

  TEST_CASE("step functions are weighted by time") {
    CHECK(
        told("levels:mean(), levels:mean(5), levels:mean(5, 15), levels:mean(40, 50), "
             "levels:mean(15, 15)") == "2.5\t2.8571428571429\t2.0\tnil\tnil");
    CHECK(told("levels:max(), levels:quantile(0), levels:quantile(0.5), "
               "levels:quantile(0.51), levels:quantile(1)") ==
          "4.0\t0.0\t2.0\t4.0\t4.0");
    CHECK(told("levels:share_above(0), levels:share_above(2), levels:share_above(4)") ==
          "0.75\t0.5\t0.0");
    CHECK(told("levels:at(0), levels:at(9.9), levels:at(10), levels:at(40), "
               "levels:at(-1)") == "0.0\t0.0\t4.0\tnil\tnil");
    CHECK(told("levels, levels:steps(), list(levels:steps().from), "
               "list(levels:steps().value)") ==
          "step function of 3 values\tframe of 3 steps\t0.0 10.0 30.0\t0.0 4.0 2.0");
  }

  TEST_CASE("bins know means and highest levels, and no instants") {
    CHECK(
        told("bins:mean(), bins:max(), bins:share_above(1), list(bins:steps().most)") ==
        "1.0\t3.0\t0.5\t3.0 2.0");
    CHECK(
        told("bins:at(3)") ==
        "t.lua:1: at: these levels are means of bins; levels at an instant need needs "
        "= { \"levels\" }");
    CHECK(told("levels:steps().most") == "t.lua:1: a frame of steps has no 'most'");
  }
}
