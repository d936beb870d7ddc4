// Columns in Lua: values, arithmetic, comparisons, statistics, choosing, map.

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>

#include "bindings/tools/column.hpp"
#include "bindings/tools/column_math.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/metrics/exact_sum.hpp"
#include "engine/metrics/sample.hpp"
#include "tests/bindings/tool_scene.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)
using namespace berth::test;      // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t kMany = 10'000;

std::vector<double> random_numbers(std::uint64_t seed, bool with_none = true) {
  auto engine = random_stream(seed, "test");
  std::vector<double> numbers(kMany);
  for (auto& number : numbers) {
    number = uniform(engine) < 0.1 && with_none ? std::nan("")
                                                : std::exp(uniform(engine) * 40 - 20);
  }
  return numbers;
}

std::vector<Time> random_times(std::uint64_t seed) {
  auto engine = random_stream(seed, "test");
  std::vector<Time> times(kMany);
  for (auto& time : times)
    time = uniform(engine) < 0.1 ? kNever
                                 : static_cast<Time>(uniform(engine) * 1e13) - 1000;
  return times;
}

std::vector<double> there(std::vector<double> numbers) {
  std::erase_if(numbers, [](double number) { return std::isnan(number); });
  return numbers;
}

}  // namespace

TEST_SUITE("bindings/columns") {
  TEST_CASE("values are read by number, none is nil") {
    CHECK(told("jobs.size[1], jobs.wait[2], jobs.wait[4], jobs.state[3]") ==
          "2\t30.0\tnil\tfailed");
    CHECK(told("#jobs.wait, jobs.wait[0], jobs.wait[5], jobs.wait[1.5]") ==
          "4\tnil\tnil\tnil");
    CHECK(told("jobs.wait:gt(5)[2], jobs.wait:gt(5)[4]") == "true\tfalse");
    CHECK(told("jobs.wait, jobs.size:gt(2)") ==
          "column of 4 times\tcolumn of 4 booleans");
    CHECK(told("type(jobs.wait), jobs.wait == jobs.wait, jobs.wait == jobs.size, "
               "getmetatable(jobs.wait)") == "userdata\ttrue\tfalse\tlocked");
  }

  TEST_CASE("whole numbers stay whole, times stay times") {
    CHECK(
        told(
            "list(jobs.size + jobs.user), list(jobs.size * 3), list(10 - jobs.size)") ==
        "3 6 3 11\t6 12 6 24\t8 6 8 2");
    CHECK(told("list(jobs.size / 4), list(jobs.size / (jobs.size - 2))") ==
          "0.5 1.0 0.5 2.0\tnil 2.0 nil 1.3333333333333");
    CHECK(told("tostring(jobs.wait - jobs.wait), list(jobs.wait + jobs.wait)") ==
          "column of 4 times\t0.0 60.0 20.0 nil");
    CHECK(told("tostring(jobs.wait * 2), list(jobs.wait * 2)") ==
          "column of 4 numbers\t0.0 60.0 20.0 nil");
    CHECK(told("list(jobs.wait / jobs.wait), list(jobs.wait + 0.5)") ==
          "nil 1.0 1.0 nil\t0.5 30.5 10.5 nil");
    CHECK(told("list(jobs.size:gt(2) + 1), list(jobs.slowdown + jobs.size)") ==
          "1 2 1 2\t3.0 6.5 3.5 nil");
    CHECK(told("(jobs.size + math.maxinteger)[1] == math.mininteger + 1") == "true");
  }

  TEST_CASE("bounds") {
    CHECK(told("list(jobs.size:at_least(4)), list(jobs.size:at_most(3))") ==
          "4 4 4 8\t2 3 2 3");
    CHECK(told("tostring(jobs.wait:at_least(10)), list(jobs.wait:at_least(10))") ==
          "column of 4 times\t10.0 30.0 10.0 nil");
    CHECK(told("list(jobs.slowdown:at_most(jobs.size))") == "1.0 2.5 1.5 nil");
  }

  TEST_CASE("comparisons are masks, false with none") {
    CHECK(
        told("list(jobs.wait:lt(20)), list(jobs.wait:ne(0)), list(jobs.wait:ge(10))") ==
        "true false true false\tfalse true true false\tfalse true true false");
    CHECK(told("list(jobs.size:gt(jobs.user)), list(jobs.wait:le(jobs.size))") ==
          "true true true true\ttrue false false false");
    CHECK(told("list(jobs.state:eq('finished')), list(jobs.state:gt('finished'))") ==
          "true true false false\tfalse false false true");
    CHECK(told("list(jobs.size:gt(2) & jobs.user:gt(2)), list(jobs.size:gt(2) | "
               "jobs.user:eq(1)), list(~jobs.size:gt(2))") ==
          "false false false true\ttrue true true true\ttrue false true false");
    CHECK(told("list(jobs.size:gt(2):eq(true))") == "false true false true");
  }

  TEST_CASE("no literal makes a comparison wrong") {
    CHECK(told("jobs.wait:lt(math.huge):sum(), jobs.wait:gt(-math.huge):sum(), "
               "jobs.wait:eq(0/0):sum(), jobs.size:ne(0/0):sum()") == "3\t3\t0\t0");
    CHECK(told("jobs.size:lt(2.5):sum(), jobs.size:eq(2.0):sum(), "
               "jobs.size:lt(math.maxinteger):sum(), jobs.size:lt(2^63):sum()") ==
          "2\t2\t4\t4");
    // 2^53 + 1 is no double.
    CHECK(told("(jobs.size * 0 + 9007199254740993):gt(2^53):sum(), "
               "(jobs.slowdown * 0 + 2^53):lt(9007199254740993):sum()") == "4\t3");
    CHECK(told("list(jobs.slowdown + math.huge), list(jobs.slowdown * (0/0))") ==
          "inf inf inf nil\tnil nil nil nil");
  }

  TEST_CASE("statistics are over the values that are there") {
    CHECK(told("jobs.wait:sum(), jobs.wait:sum('ticks'), jobs.wait:mean(), "
               "jobs.size:sum(), jobs.size:mean()") ==
          "40.0\t40000000\t13.333333333333\t16\t4.0");
    CHECK(told("jobs.wait:min(), jobs.wait:max(), jobs.size:max(), jobs.state:max()") ==
          "0.0\t30.0\t8\tleft");
    CHECK(told("jobs.wait:median(), jobs.wait:quantile(0.75), jobs.size:quantile(1)") ==
          "10.0\t20.0\t8.0");
    CHECK(told("jobs.size:gt(2):mean(), jobs.size:gt(2):sum()") == "0.5\t2");
    CHECK(told("jobs.wait:where(jobs.size:gt(9)):mean(), #jobs.wait:where("
               "jobs.size:gt(9)), jobs.wait:where(jobs.size:gt(9)):sum()") ==
          "nil\t0\t0.0");
    CHECK(told("jobs.wait:where(jobs.user:eq(3)):max(), "
               "jobs.wait:where(jobs.user:eq(3)):median()") == "nil\tnil");
  }

  TEST_CASE("choosing") {
    CHECK(
        told("list(jobs.size:where(jobs.user:eq(1))), list(jobs.wait:at({2, 0, 1}))") ==
        "2 2\t30.0 nil 0.0");
    CHECK(told("list(jobs.size:at({0, 4})), list(jobs.state:at(jobs.user))") ==
          "-1 8\tfinished finished finished failed");
    CHECK(told("list(jobs.size:top(3)), list(jobs.wait:top(9))") == "4 2 1\t2 3 1");
  }

  TEST_CASE("map calls its function once for each distinct value") {
    const auto outcome = run_tool(
        "local calls = 0 "
        "local c = jobs.size:map(function(s) calls = calls + 1 return s * 10 end) "
        "print(calls, c, c[1], c[2], c[3], c[4]) "
        "local text = jobs.state:map(function(s) if s ~= 'left' then return s .. '!' "
        "end end) print(text, text[1], text[4]) "
        "print(jobs.wait:map(function(w) return w == nil end):sum()) "
        "print(jobs.size:map(function(s) if s > 2 then return s end end):mean())");
    CHECK(outcome.message.empty());
    CHECK(outcome.printed ==
          "3\tcolumn of 4 whole numbers\t20\t40\t20\t80\n"
          "column of 4 texts\tfinished!\tnil\n1\n6.0\n");
  }

  TEST_CASE("wrong calls say what to do") {
    CHECK(told("jobs.wait:men()") ==
          "t.lua:1: a column has no 'men', did you mean 'mean'?");
    CHECK(told("jobs.wait < jobs.size") ==
          "t.lua:1: compare columns with :lt, :le, :gt, :ge, :eq and :ne: Lua's < can "
          "only answer one boolean");
    CHECK(told("jobs.wait + jobs:first(2).wait") == "t.lua:1: columns of 4 and 2 rows");
    CHECK(told("jobs.wait:lt(jobs:first(2).wait)") ==
          "t.lua:1: columns of 4 and 2 rows");
    CHECK(told("jobs.state + 1") == "t.lua:1: texts do not calculate");
    CHECK(told("jobs.state:lt(1)") ==
          "t.lua:1: a column of texts does not compare with number");
    CHECK(told("jobs.size:eq(true)") ==
          "t.lua:1: a column of whole numbers does not compare with boolean");
    CHECK(told("jobs.state:mean()") == "t.lua:1: texts have no such number");
    CHECK(told("jobs.wait:quantile(2)") ==
          "t.lua:1: bad argument #1 to 'quantile': 2.0 is not a number from 0 to 1");
    CHECK(told("jobs.wait:at({5})") == "t.lua:1: row 5 of a column of 4 rows");
    CHECK(told("jobs.wait:at({'x'})") ==
          "t.lua:1: at: row numbers expected, got a string");
    CHECK(
        told("jobs.wait:where(jobs.size)") ==
        "t.lua:1: bad argument #1 to 'where': a mask, such as column:gt(0), expected, "
        "got a column");
    CHECK(told("jobs.size & jobs.size:gt(1)") ==
          "t.lua:1: & and | join masks, such as c:gt(0); this is a column of other "
          "values");
    CHECK(told("jobs.wait + nil") ==
          "t.lua:1: a column and a nil: columns calculate with numbers and columns");
    CHECK(told("jobs.size:map(function(s) return s > 2 and s or 'few' end)") ==
          "t.lua:1: map: the function answered texts and whole numbers");
    CHECK(told("jobs.wait.sum()") ==
          "t.lua:1: bad argument #1 to 'sum': a column expected, got nothing");
  }

  TEST_CASE("mean and quantile are those of the built-in metrics, to the last bit") {
    Budget budget;
    const auto numbers = Column::of_numbers(random_numbers(1));
    auto sorted = there(random_numbers(1));
    std::sort(sorted.begin(), sorted.end());
    CHECK(mean_of(*numbers, budget) ==
          exact_sum(sorted) / static_cast<double>(sorted.size()));
    for (const double q : {0.0, 0.37, 0.5, 0.95, 1.0}) {
      CHECK(quantile_of(*numbers, q, budget) == quantile(sorted, q));
    }
    const auto times = Column::of_times(random_times(2));
    Int128 ticks = 0;
    double n = 0;
    for (const auto time : random_times(2)) {
      if (time == kNever) continue;
      ticks += time;
      ++n;
    }
    CHECK(mean_of(*times, budget) == static_cast<double>(ticks) / (1e6 * n));
  }

  TEST_CASE("comparisons and arithmetic are those of doubles, row by row") {
    Budget budget;
    const auto x = random_numbers(3);
    const auto y = random_numbers(4);
    const auto times = random_times(5);
    const auto a = Column::of_numbers(x);
    const auto b = Column::of_numbers(y);
    const auto t = Column::of_times(times);
    const auto less = compare(a.get(), Compare::kLess, b.get(), budget);
    const auto unequal = compare(a.get(), Compare::kNotEqual, 1.0, budget);
    const auto late = compare(5e6, Compare::kLessEqual, t.get(), budget);
    const auto sum = calculate(a.get(), Arithmetic::kAdd, t.get(), budget);
    const auto ratio = calculate(a.get(), Arithmetic::kDivide, b.get(), budget);
    for (std::size_t row = 0; row < kMany; ++row) {
      const double seconds =
          times[row] == kNever ? std::nan("") : static_cast<double>(times[row]) / 1e6;
      CHECK((less->mask()[row] == 1) == (x[row] < y[row]));
      CHECK((unequal->mask()[row] == 1) == (!std::isnan(x[row]) && x[row] != 1.0));
      CHECK((late->mask()[row] == 1) == (5e6 <= seconds));
      const double wanted = x[row] + seconds;
      CHECK((sum->numbers()[row] == wanted || std::isnan(wanted)));
      CHECK(std::isnan(ratio->numbers()[row]) == std::isnan(x[row] / y[row]));
    }
  }

  TEST_CASE("rows are sorted stably, none last in both directions") {
    Budget budget;
    auto engine = random_stream(6, "test");
    std::vector<Time> values(kMany);
    for (auto& value : values) {
      value = static_cast<Time>(uniform(engine) * 50) - 25;
      if (value == 0) value = kNever;
    }
    const auto column = Column::of_times(values);
    for (const bool is_down : {false, true}) {
      std::vector<std::uint32_t> expected(kMany);
      std::iota(expected.begin(), expected.end(), 0U);
      std::stable_sort(expected.begin(), expected.end(), [&](auto i, auto j) {
        if (values[i] == kNever || values[j] == kNever)
          return values[j] == kNever && values[i] != kNever;
        return is_down ? values[i] > values[j] : values[i] < values[j];
      });
      CHECK(sorted_rows(*column, is_down, budget) == expected);
    }
  }
}
