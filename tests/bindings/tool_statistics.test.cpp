// `stats` in Lua.

#include <doctest/doctest.h>

#include "engine/compare/batch_means.hpp"
#include "engine/compare/confidence.hpp"
#include "tests/bindings/tool_scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("bindings/tool_statistics") {
  TEST_CASE("lists and columns have one mean, sum and quantile") {
    CHECK(told("stats.mean({1, 2, 6}), stats.sum({1, 2, 6}), "
               "stats.quantile({6, 1, 2}, 0.25), stats.mean({}), stats.sum({})") ==
          "3.0\t9.0\t1.5\tnil\t0.0");
    CHECK(told("stats.mean(jobs.wait), stats.sum(jobs.wait), stats.sum(jobs.size)") ==
          "13.333333333333\t40.0\t16");
    CHECK(told("stats.mean({3, false, 5})") == "4.0");
  }

  TEST_CASE("an interval is Student's") {
    // Mean 15.2, variance 1.60625, t of 4 degrees: 1.573659 at 95 %.
    CHECK(
        told("(function() local i = stats.interval({13, 16, 16, 15.25, 15.75}) return "
             "('%.4f %.4f %.4f %.6f %d'):format(i.mean, i.low, i.high, i.half_width, "
             "i.n) end)()") == "15.2000 13.6263 16.7737 1.573659 5");
    CHECK(told("stats.interval({13, 16, 16, 15.25, 15.75}, 0.9).half_width < 1.2084, "
               "stats.interval({5}), stats.interval({5, false})") == "true\tnil\tnil");
    CHECK(told("stats.interval({0, 0}).p, stats.interval({2, 2}).p, "
               "stats.interval({1, 3}).p < 0.3") == "1.0\t0.0\ttrue");
  }

  TEST_CASE("pairs are where both are there") {
    CHECK(told("(function() local i = stats.paired({3, 5, 9, false}, {1, 2, 3, 4}) "
               "return i.mean, i.n, ('%.6f'):format(i.half_width) end)()") ==
          fmt::format("3.6666666666667\t3\t{:.6f}",
                      t_interval(std::vector<double>{2, 3, 6}, 0.95)->half_width));
    CHECK(told("stats.paired({1}, {1, 2})") == "t.lua:1: columns of 1 and 2 rows");
    CHECK(told("stats.paired({1, false}, {false, 2})") == "nil");
  }

  TEST_CASE("values that are not paired are compared as Welch does") {
    CHECK(told("(function() local i = stats.unpaired({1, 2, 3}, {5, 6, 7}) return "
               "i.mean, i.n, ('%.5f %.5f'):format(i.p, i.half_width) end)()") ==
          fmt::format(
              "-4.0\t6\t0.00805 {:.5f}",
              welch(std::vector<double>{1, 2, 3}, std::vector<double>{5, 6, 7}, 0.95)
                  ->half_width));
    CHECK(told("stats.unpaired({1}, {1, 2})") == "nil");
  }

  TEST_CASE("holm, ranks and correlation") {
    CHECK(told("list(stats.holm({0.01, 0.04, 0.03}))") == "0.03 0.06 0.06");
    CHECK(told("stats.holm({2})") ==
          "t.lua:1: bad argument #1 to 'holm': each p is a number from 0 to 1");
    CHECK(told("list(stats.ranks({30, 10, false, 30}))") == "2.5 1.0 nil 2.5");
    CHECK(told("stats.correlation({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}), "
               "stats.correlation({1, 1}, {1, 2}), stats.correlation({}, {})") ==
          "0.8\tnil\tnil");
    CHECK(
        told("stats.correlation(stats.ranks(jobs.size), stats.ranks({1, 3, 1, 9}))") ==
        "1.0");
  }

  TEST_CASE("batches are those of one run, the first left out") {
    std::vector<double> values;
    std::string list;
    for (int i = 0; i < 63; ++i) {
      values.push_back((i * 37) % 11);
      list += fmt::format("{}, ", values.back());
    }
    BatchOptions options;
    options.batches = 5;
    options.confidence = 0.95;
    const auto expected = *batch_means(values, options);
    CHECK(
        told("(function() local b = stats.batches({" + list +
             "}, 5) return ('%.10f %.10f %d %.10f'):format(b.mean, b.half_width, b.n, "
             "b.lag_1_correlation) end)()") ==
        fmt::format("{:.10f} {:.10f} 5 {:.10f}", expected.estimate.mean,
                    expected.estimate.half_width, expected.lag_1_correlation));
    CHECK(told("stats.batches({1, 2, 3}), stats.batches({1, 2, 3}, 3), "
               "stats.batches(jobs.size, math.maxinteger)") == "nil\tnil\tnil");
  }

  TEST_CASE("the bootstrap draws from stream tool of the seed") {
    const std::string call =
        "stats.bootstrap({1, 2, 3, 4, 10}, function(c) return c:mean() end, { draws = "
        "500, confidence = 0.9 })";
    const std::string shown = "local b = " + call +
                              " return ('%.4f %.4f %.4f %d'):format(b.value, b.low, "
                              "b.high, b.n)";
    const auto first = told("(function() " + shown + " end)()");
    CHECK(first == told("(function() local _ = " + call + " " + shown + " end)()"));
    CHECK(first.starts_with("4.0000 "));
    CHECK(told("(function() local b = " + call +
               " return b.low < 3 and b.low > 1, b.high > 5 and b.high < 8 end)()") ==
          "true\ttrue");
    CHECK(told("stats.bootstrap({}, function() return 1 end)") == "nil");
    CHECK(told("stats.bootstrap({1}, function() return 'x' end)") ==
          "t.lua:1: bootstrap: the function answered string, expected a number");
    CHECK(told("stats.bootstrap({1}, function() error('mine', 0) end)") ==
          "t.lua:1: mine");
  }

  TEST_CASE("wrong values say which") {
    CHECK(told("stats.mean({1, 'x'})") ==
          "t.lua:1: values[2]: a number expected, or false for none, got string");
    CHECK(told("stats.mean({1, 0/0})").find("values[2]") != std::string::npos);
    CHECK(told("stats.mean(jobs.state)") ==
          "t.lua:1: bad argument #1 to 'mean': numbers expected, got a column");
    CHECK(told("stats.mean(nil)") ==
          "t.lua:1: bad argument #1 to 'mean': a column or a list of numbers expected, "
          "got nothing");
    CHECK(told("stats.interval({1, 2}, 1)") ==
          "t.lua:1: bad argument #2 to 'interval': a confidence is between 0 and 1");
    CHECK(told("stats.maen({1})") ==
          "t.lua:1: a table of statistics has no 'maen', did you mean 'mean'?");
  }
}
