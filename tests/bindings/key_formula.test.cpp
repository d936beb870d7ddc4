// Keys as formulas: what a text means, what is refused, and that Lua gives the same.

#include "bindings/key_formula.hpp"

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "engine/base/random_stream.hpp"
#include "tests/bindings/scene.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)
using bindings::KeyFormula;

namespace {

std::string order_by(const std::string& fields) {
  return "return { order = 'mine', params = { weight = { default = 3 }, block = { "
         "default = true } }, orders = { mine = { " +
         fields + " } }, schedule = function(queue) print(queue) end }";
}

// The keys of the order "mine" of all that wait at the second pass, at 10: job 1 (2
// processors, submitted at 0, walltime 60) and job 2 (4, at 10, 120), both of user 7.
std::vector<double> keys_at_10(const std::string& formula) {
  std::vector jobs{a_job(1, 0, 2, 30, 60), a_job(2, 10, 4, 30, 120)};
  for (auto& job : jobs) job.user = 7;
  const auto policy =
      policy_of(order_by("refresh = 'every_pass', formula = '" + formula + "'"));
  const auto machine = a_machine(4);
  sim::Settings settings;
  settings.shares.emplace();
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  REQUIRE(simulation.to_pass(kNever));
  simulation.close_pass();
  REQUIRE(simulation.to_pass(kNever));
  std::vector<double> keys(2);
  policy->keys(simulation, 0, std::array{JobId{0}, JobId{1}}, keys);
  return keys;
}

double value_of(const std::string& formula) { return keys_at_10(formula).front(); }

std::string refusal(const std::string& formula) {
  try {
    (void)KeyFormula::parse(formula, {{"weight", 3.0}, {"block", true}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A random expression in which all numbers are floats.
class Expressions {
 public:
  explicit Expressions(std::uint64_t seed)
      : stream_(random_stream(seed, "test.formulas")) {}

  std::string draw(int depth) {
    const auto kind = depth == 0 ? number(0, 1) : number(0, 7);
    if (kind == 0) return one_of({"1.0", "2.0", "0.25", "10.0", "3.5"});
    if (kind == 1) {
      return one_of({"size", "walltime", "submit", "waited", "factor", "machine",
                     "params.weight"});
    }
    const auto left = draw(depth - 1);
    if (kind == 2) return "- " + left;
    if (kind == 3) return "(" + left + ")";
    if (kind == 4) return one_of({"abs", "exp", "log", "sqrt"}) + "(" + left + ")";
    const auto right = draw(depth - 1);
    if (kind == 5) {
      return one_of({"log", "max", "min"}) + "(" + left + ", " + right + ")";
    }
    return left + one_of({" + ", " - ", " * ", " / ", " ^ "}) + right;
  }

 private:
  std::size_t number(std::size_t low, std::size_t high) {
    return boost::random::uniform_int_distribution<std::size_t>(low, high)(stream_);
  }
  std::string one_of(const std::vector<std::string>& words) {
    return words[number(0, words.size() - 1)];
  }

  RandomEngine stream_;
};

// The keys of the jobs of the second pass in an order with this key, or what is wrong
// with the first that has none.
std::string first_keys(const std::string& key, const std::vector<Job>& jobs) {
  const auto policy = policy_of(
      "local abs, exp, log, max, min, sqrt = math.abs, math.exp, math.log, math.max, "
      "math.min, math.sqrt\n"
      "return { params = { weight = { default = 0.75 } }, orders = { mine = { refresh "
      "= 'every_pass', " +
      key + " } }, schedule = function(queue, cluster) cluster:start_all(queue) end }");
  const auto machine = a_machine(8);
  sim::Settings settings;
  settings.shares.emplace();
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  std::vector<JobId> present;
  std::vector<double> keys;
  try {
    (void)simulation.to_pass(kNever);
    simulation.close_pass();
    (void)simulation.to_pass(kNever);
    for (std::uint32_t i = 0; i < jobs.size(); ++i) {
      if (simulation.world().jobs().holds(JobId{i})) present.push_back(JobId{i});
    }
    keys.resize(present.size());
    policy->keys(simulation, 0, present, keys);
  } catch (const Error& error) {
    const std::string_view text = error.what();
    return std::string(text.substr(text.find("must return"), 30));
  }
  std::string text;
  for (const double each : keys) text += fmt::format("{} ", each + 0.0);
  return text;
}

}  // namespace

TEST_SUITE("bindings/key_formula") {
  TEST_CASE("a formula reads the job, the time it waited, its user and the machine") {
    CHECK(keys_at_10("size") == std::vector{2.0, 4.0});
    CHECK(keys_at_10("walltime") == std::vector{60.0, 120.0});
    CHECK(keys_at_10("submit") == std::vector{0.0, 10.0});
    CHECK(keys_at_10("waited") == std::vector{10.0, 0.0});
    CHECK(keys_at_10("factor") == std::vector{1.0, 1.0});
    CHECK(keys_at_10("size / machine") == std::vector{0.5, 1.0});
    CHECK(keys_at_10("params.weight * size + waited") == std::vector{16.0, 12.0});
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
        {"params.wait", "column 8: there is no parameter 'wait'"},
        {"params.block", "column 8: the parameter 'block' is no number"},
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

  TEST_CASE("a file says what is wrong with its formula, and where") {
    const std::vector<std::pair<std::string, std::string>> refused{
        {"formula = 'size +'", "test.lua: orders.mine: formula: column 7: expected"},
        {"formula = 1", "test.lua: formula must be text, or a function of"},
        {"formula = function() end", "orders.mine: formula must return text"},
        {"formula = 'size', key = print",
         "orders.mine has a key and a formula: leave one of them out"},
        {"formula = '-waited'",
         "orders.mine: waited and factor change with time: say refresh"},
        {"refresh = 1, formula = function() error('no') end", "no"},
        {"formla = 'size'", "there is no field 'formla' (did you mean 'formula'?)"}};
    for (const auto& [fields, says] : refused) {
      const auto said = play(order_by(fields));
      CAPTURE(said.error);
      CHECK(said.fails_with(says));
      CHECK(said.code == ErrorCode::kPolicy);
    }
  }

  TEST_CASE("a formula may come from the parameters") {
    const auto text = order_by(
        "formula = function(params) return params.block and '-size' or 'size' end");
    bindings::PolicyOptions options;
    CHECK(play(text, two_jobs(), a_machine(4), options).printed ==
          "queue of 2 jobs: 2, 1\n");
    options.parameters = {{"block", "false"}};
    CHECK(play(text, two_jobs(), a_machine(4), options).printed ==
          "queue of 2 jobs: 1, 2\n");
  }

  TEST_CASE("the keys of a formula that reads no time are computed once") {
    const auto constant =
        policy_of(order_by("refresh = 'every_pass', formula = 'walltime * size'"));
    CHECK_FALSE(constant->traits().orders.front().refresh);
    const auto ageing =
        policy_of(order_by("refresh = 60, formula = 'walltime * waited'"));
    CHECK(ageing->traits().orders.front().refresh == seconds(60));
  }

  TEST_CASE("a key that is no finite number names its order, instant and job") {
    const auto said =
        play(order_by("refresh = 'every_pass', formula = '1 / (size - 4)'"));
    CHECK(said.fails_with("test.lua: order 'mine' must return a finite number, got "));
    CHECK(said.fails_with("at t=0, job 2"));
    CHECK(said.code == ErrorCode::kPolicy);
  }

  TEST_CASE("a formula that reads users needs jobs that name them") {
    const auto text = order_by("refresh = 'every_pass', formula = 'factor'");
    const auto said = play(text, {a_job(1, 0, 2, 30)});
    CHECK(said.fails_with("orders.mine.formula: factor: this machine has no shares"));
    CHECK(play(text).error.empty());
  }

  TEST_CASE("the work of formulas is work of the engine, and limited as such") {
    bindings::PolicyOptions options;
    options.limits.work_units = 20000;
    const auto text = order_by(
        "refresh = 'every_pass', formula = 'waited + size + size + size + size'");
    std::vector<Job> jobs;
    for (int i = 1; i <= 3000; ++i) jobs.push_back(a_job(i, 0, 1, 10));
    const auto said = play(text, jobs, a_machine(4), options);
    CAPTURE(said.error);
    CHECK(said.fails_with("work limit (20,000 units) reached"));
    CHECK(said.code == ErrorCode::kTime);
  }

  TEST_CASE("a formula gives what the same expression gives in Lua") {
    for (std::uint64_t seed = 1; seed <= rounds(40, 400); ++seed) {
      const auto expression = Expressions(seed).draw(4);
      CAPTURE(expression);
      const auto jobs = random_jobs(seed, {});
      CHECK(first_keys("formula = '" + expression + "'", jobs) ==
            first_keys("key = function(job, cluster)\n"
                       "local params, size = cluster.params, job.size + 0.0\n"
                       "local walltime, submit = job.walltime, job.submit\n"
                       "local waited = cluster:now() - submit\n"
                       "local factor = cluster.shares:factor(job)\n"
                       "local machine = cluster:size() + 0.0\n"
                       "return " +
                           expression + " end",
                       jobs));
    }
  }
}
