// Keys as formulas: what a text means, and what is refused.

#include "bindings/key_formula.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)
using bindings::KeyFact;
using bindings::KeyFormula;

namespace {

// Of two jobs: job 1 has 2 processors, a walltime of 60 and waited for 10; job 2 came
// then, with 4 and 120.
std::vector<double> values_of(const std::string& text) {
  const auto formula = KeyFormula::parse(text, {{"weight", 3.0}});
  const auto read = [](KeyFact fact, std::size_t first, std::span<double> lane) {
    static const std::vector<std::vector<double>> kFacts{{2, 4},  {60, 120}, {0, 10},
                                                         {10, 0}, {1, 0.5},  {4, 4}};
    CHECK(first == 0);
    CHECK(lane.size() == 2);
    const auto& both = kFacts[static_cast<std::size_t>(fact)];
    std::copy(both.begin(), both.end(), lane.begin());
  };
  std::vector<double> values(2);
  Budget budget;
  formula.values(read, values, budget);
  return values;
}

double value_of(const std::string& text) { return values_of(text).front(); }

std::string refusal(const std::string& text) {
  try {
    (void)KeyFormula::parse(text, {{"weight", 3.0}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("bindings/key_formula") {
  TEST_CASE("a formula reads the job, the time it waited, its user and the machine") {
    CHECK(values_of("size") == std::vector{2.0, 4.0});
    CHECK(values_of("walltime") == std::vector{60.0, 120.0});
    CHECK(values_of("submit") == std::vector{0.0, 10.0});
    CHECK(values_of("waited") == std::vector{10.0, 0.0});
    CHECK(values_of("factor") == std::vector{1.0, 0.5});
    CHECK(values_of("size / machine") == std::vector{0.5, 1.0});
    CHECK(values_of("params.weight * size + waited") == std::vector{16.0, 12.0});
  }

  TEST_CASE("operators bind as in Lua") {
    CHECK(value_of("1 - 2 - 3") == -4.0);
    CHECK(value_of("8 / 2 / 2 * 3") == 6.0);
    CHECK(value_of("1 + 2 * 3") == 7.0);
    CHECK(value_of("(1 + 2) * 3") == 9.0);
    CHECK(value_of("-2 ^ 2") == -4.0);
    CHECK(value_of("2 ^ -1") == 0.5);
    CHECK(value_of("2 ^ 3 ^ 2") == 512.0);
    CHECK(value_of("2 * -3 - -1") == -5.0);
    CHECK(value_of("1e2 + .5") == 100.5);
    CHECK(value_of("1\t+\n2 ") == 3.0);
  }

  TEST_CASE("functions are those of Lua's math") {
    CHECK(value_of("abs(-3)") == 3.0);
    CHECK(value_of("max(2, 3) - min(2, 3)") == 1.0);
    CHECK(value_of("log(8, 2)") == 3.0);
    CHECK(value_of("log(1000, 10)") == 3.0);
    CHECK(value_of("log(exp(2))") == 2.0);
    CHECK(value_of("sqrt(size + 7)") == 3.0);
  }

  TEST_CASE("a text that is no formula is refused with its column") {
    const std::vector<std::pair<std::string, std::string>> refused{
        {"", "column 1: expected a number, a name or '(', but the formula ends"},
        {"size +", "column 7: expected a number, a name or '(', but the formula ends"},
        {"size size", "column 6: expected an operator or the end, got 's'"},
        {"size % 2", "column 6: expected an operator or the end, got '%'"},
        {"2 * (size", "column 10: expected ')', but the formula ends"},
        {"3size", "column 2: expected an operator, got 's'"},
        {"1e999", "column 1: this is no finite number"},
        {".", "column 1: this is no finite number"},
        {"waitd", "column 1: there is no 'waitd' (did you mean 'waited'?)"},
        {"2 * job.size", "column 5: there is no 'job'"},
        {"max(1)", "column 6: expected ',', got ')'"},
        {"abs(1, 2)", "column 6: expected ')', got ','"},
        {"params", "column 7: expected '.', but the formula ends"},
        {"params.wait", "column 8: no parameter 'wait' is a number"},
        {"params.wieght",
         "column 8: no parameter 'wieght' is a number (did you mean 'weight'?)"},
        {std::string(1025, '1'), "column 1: the formula has 1025 bytes, at most 1024"}};
    for (const auto& each : refused) {
      CAPTURE(each.first);
      CHECK(refusal(each.first).substr(0, each.second.size()) == each.second);
    }
  }

  TEST_CASE("a formula that is nested or waits too deep is refused, not followed") {
    const std::string open(200, '(');
    CHECK(refusal(open + "1" + std::string(200, ')')).find("nested too deep") !=
          std::string::npos);
    CHECK(refusal(std::string(200, '-') + "1").find("nested too deep") !=
          std::string::npos);
    std::string powers = "1";
    for (int i = 0; i < 40; ++i) powers += "^1";
    CHECK(refusal(powers).find("more than 32 values wait") != std::string::npos);
    powers = "1";
    for (int i = 0; i < 31; ++i) powers += "^1";
    CHECK(refusal(powers).empty());
  }

  TEST_CASE("many jobs are read some at a time, in their order") {
    const auto formula = KeyFormula::parse("size * 2", {});
    const auto read = [](KeyFact, std::size_t first, std::span<double> lane) {
      std::iota(lane.begin(), lane.end(), static_cast<double>(first));
    };
    std::vector<double> values(1000);
    Budget budget;
    formula.values(read, values, budget);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == 2.0 * static_cast<double>(i));
    }
    CHECK(budget.charged() == 3000);  // steps
  }

  TEST_CASE("what waits or is the factor of a user changes with time") {
    CHECK(KeyFormula::parse("1 - waited", {}).ages());
    CHECK(KeyFormula::parse("2 * factor", {}).ages());
    CHECK_FALSE(KeyFormula::parse("size * walltime + submit / machine", {}).ages());
  }
}
