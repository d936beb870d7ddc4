// A policy file as a whole: what its table may say, what is refused, how it is called.

#include "bindings/lua_policy.hpp"

#include <doctest/doctest.h>
#include <locale.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "engine/base/random_stream.hpp"
#include "tests/bindings/scene.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using bindings::LuaPolicy;
using bindings::PolicyOptions;

// The file's table with these fields beside `schedule`.
std::string table(const std::string& fields) {
  return "return { schedule = function() end, " + fields + " }";
}

std::string refusal(const std::string& text, ErrorCode code = ErrorCode::kPolicy,
                    std::map<std::string, std::string> parameters = {}) {
  PolicyOptions options;
  options.parameters = std::move(parameters);
  try {
    const LuaPolicy policy({"mine", "dir/mine.lua", text}, options);
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "";
}

const std::string kParams =
    "params = { depth = { default = 100, min = 0, max = 1000, help = 'how deep' }, "
    "block = { default = true }, rule = { default = 'one', values = { 'one', 'two' } } "
    "}";

std::string label(std::map<std::string, std::string> parameters) {
  PolicyOptions options;
  options.parameters = std::move(parameters);
  return LuaPolicy({"mine", "mine.lua", table(kParams)}, options).traits().label;
}

struct Refused {
  const char* fields;
  const char* says;
};

std::string order_by(const std::string& fields) {
  return "return { order = 'mine', params = { weight = { default = 3 }, block = { "
         "default = true } }, orders = { mine = { " +
         fields + " } }, schedule = function(queue) print(queue) end }";
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

TEST_SUITE("bindings/lua_policy") {
  TEST_CASE("a file must return a table with a function schedule") {
    CHECK(refusal("return 1") ==
          "dir/mine.lua: the file must return a table with a function 'schedule'");
    CHECK(refusal("") ==
          "dir/mine.lua: the file must return a table with a function 'schedule'");
    CHECK(refusal("return {}")
              .find("dir/mine.lua: the policy has no function 'schedule'") == 0);
    CHECK(refusal("return { schedule = 1 }") ==
          "dir/mine.lua: schedule must be a function");
  }

  TEST_CASE("whatever is wrong with the table is refused with the file and the field") {
    static const std::vector<Refused> kRefused{
        {"on_submit = 1", "on_submit must be a function"},
        {"on_end = 'x'", "on_end must be a function"},
        {"name = 1", "name must be text"},
        {"paper = {}", "paper must be text"},
        {"on_sumbit = print",
         "there is no field 'on_sumbit' (did you mean 'on_submit'?)"},
        {"passes = 'some'", "passes must be \"every\" or \"when_a_job_fits\""},
        {"promises = 'much'",
         "promises must be \"easy\", \"conservative\", \"top_first\", \"in_order\" or "
         "\"first_if_it_fits\""},
        {"orders = 1", "orders must be a table"},
        {"orders = { print }", "the keys of orders must be names"},
        {"orders = { a = 1 }",
         "an order is a function(job, cluster), or { key = function, refresh = "
         "\"every_pass\" or seconds }"},
        {"orders = { a = { key = 1 } }", "key must be a function"},
        {"orders = { a = { key = print, refresh = 0 } }",
         "refresh must be \"every_pass\", or seconds, more than 0"},
        {"orders = { a = { key = print, refresh = 1/0 } }",
         "refresh must be \"every_pass\", or seconds, more than 0"},
        {"orders = { a = { key = print, refresh = 'always' } }",
         "refresh must be \"every_pass\", or seconds, more than 0"},
        {"orders = { a = { key = print, refresh = true } }",
         "refresh must be \"every_pass\", or seconds, more than 0"},
        {"orders = { a = { key = print, refesh = 60 } }",
         "there is no field 'refesh' (did you mean 'refresh'?)"},
        {"order = 'a'", "order: there is no 'a' in orders"},
        {"order = 'fairshare'", "(did you mean 'fair_share'?)"},
        {"promises = 7", "promises must be text"},
        {"promises = function() return 'much' end", "promises must be \"easy\""},
        {"promises = function() return 7 end", "promises must return text or nil"},
        {"order = 1", "order must be text"},
        {"params = 1", "params must be a table"},
        {"params = { 1 }", "the keys of params must be names"},
        {"params = { a = 1 }", "a parameter is a table"},
        {"params = { a = {} }", "params.a needs a default"},
        {"params = { a = { default = 0/0 } }", "a default must be finite"},
        {"params = { a = { defualt = 1 } }",
         "there is no field 'defualt' (did you mean 'default'?)"},
        {"params = { a = { default = 5, max = 4 } }",
         "params.a: the default lies outside min and max"},
        {"params = { a = { default = 5, min = 'x' } }", "min must be a finite number"},
        {"params = { a = { default = 'x' } }", "params.a: a text needs values"},
        {"params = { a = { default = 'x', values = { 'y' } } }",
         "params.a: a text needs values"},
        {"params = { a = { default = 'x', values = { 1 } } }",
         "values must be a list of texts"},
        {"params = { a = { default = 1, help = 1 } }", "help must be text"},
    };
    for (const auto& refused : kRefused) {
      CAPTURE(refused.fields);
      const auto text = refusal(table(refused.fields));
      CAPTURE(text);
      CHECK(text.find("dir/mine.lua: ") == 0);
      CHECK(text.find(refused.says) != std::string::npos);
    }
  }

  TEST_CASE("fields that look like none of ours are the policy's own business") {
    CHECK(refusal(table("helper = 1, version = '2', [1] = 2")).empty());
  }

  TEST_CASE("the table says what the engine may rely on") {
    const LuaPolicy policy(
        {"mine", "mine.lua",
         table(
             "name = 'Mine', paper = 'Me 2020', passes = 'when_a_job_fits', promises = "
             "'easy', orders = { b = { key = print, refresh = 60 }, a = print, c = { "
             "key = print, refresh = 'every_pass' } }, order "
             "= "
             "'b'")},
        {});
    CHECK(policy.name() == "Mine");
    CHECK(policy.paper() == "Me 2020");
    const auto& traits = policy.traits();
    CHECK(traits.label == "mine");
    CHECK(traits.passes == sim::Passes::kWhenAJobFits);
    CHECK(traits.promise == sim::Promise::kEasy);
    REQUIRE(traits.orders.size() == 3);
    CHECK(traits.orders[2].refresh == Duration{0});
    CHECK(traits.orders[0].name == "a");
    CHECK_FALSE(traits.orders[0].refresh);
    CHECK(traits.orders[1].refresh == seconds(60));
    CHECK(traits.default_order == 2);
  }

  TEST_CASE("parameters off their defaults are in the label, by name") {
    CHECK(label({}) == "mine");
    CHECK(label({{"depth", "100"}}) == "mine");
    CHECK(label({{"depth", "7"}}) == "mine(depth=7)");
    CHECK(label({{"rule", "two"}, {"block", "false"}, {"depth", "0.5"}}) ==
          "mine(block=false,depth=0.5,rule=two)");
  }

  TEST_CASE("a value that does not belong to its parameter is refused") {
    const auto refused = [](const std::string& name, const std::string& value) {
      return refusal(table(kParams), ErrorCode::kUsage, {{name, value}});
    };
    CHECK(refused("depth", "-1") ==
          "mine: depth = -1: expected a number from 0 up to 1000");
    CHECK(refused("depth", "1001").find("expected") != std::string::npos);
    for (const auto* value : {"", "x", "1x", "nan", "inf", "1e999"}) {
      CAPTURE(value);
      CHECK(refused("depth", value).find("a number from 0") != std::string::npos);
    }
    CHECK(refused("block", "yes") == "mine: block = yes: expected true or false");
    CHECK(refused("rule", "three") == "mine: rule = three: expected one of one, two");
    CHECK(refused("dept", "1") ==
          "mine: there is no parameter 'dept' (did you mean "
          "'depth'?); it has block, depth, rule");
    CHECK(refusal(table(""), ErrorCode::kUsage, {{"x", "1"}}) ==
          "mine: there is no parameter 'x'; it has none");
  }

  TEST_CASE("the script reads its parameters, whole numbers as integers") {
    PolicyOptions options;
    options.parameters = {{"depth", "7"}, {"rule", "two"}};
    const auto said = play("return { " + kParams +
                               ", schedule = function(queue, cluster) local p = "
                               "cluster.params print(p.depth, p.block, p.rule) end }",
                           {a_job(1, 0, 1, 1)}, a_machine(4), options);
    CHECK(said.printed == "7\ttrue\ttwo\n");
  }

  TEST_CASE("a script may change its own copy of its parameters, but add none") {
    const auto said = play("return { " + kParams +
                               ", schedule = function(queue, cluster) local p = "
                               "cluster.params p.depth = 9 print(p.depth) "
                               "print(pcall(function() p.dept = 9 end)) "
                               "print(getmetatable(p)) end }",
                           {a_job(1, 0, 1, 1)}, a_machine(4));
    CHECK(said.printed ==
          "9\nfalse\ttest.lua:1: values of the engine cannot be changed\nlocked\n");
  }

  TEST_CASE("the hooks run before the pass: ends by job, then arrivals") {
    const auto said = play(R"(
local function say(what) return function(job, cluster) print(cluster:now(), what, job.id) end end
return { on_submit = say('in'), on_end = say('out'),
  schedule = function(queue, cluster)
    print(cluster:now(), 'pass', cluster:happened('submit'), cluster:happened('end'),
          cluster:happened('wake'))
    for job in queue:startable() do cluster:start(job) end
    if cluster:now() == 0 then cluster:wake_at(3) end
  end })",
                           {a_job(1, 0, 2, 5), a_job(2, 0, 2, 5), a_job(3, 5, 1, 1)});
    CHECK(said.printed ==
          "0.0\tin\t1\n0.0\tin\t2\n0.0\tpass\ttrue\tfalse\tfalse\n"
          "3.0\tpass\tfalse\tfalse\ttrue\n5.0\tout\t1\n5.0\tout\t2\n5.0\tin\t3\n"
          "5.0\tpass\ttrue\ttrue\tfalse\n6.0\tout\t3\n6.0\tpass\tfalse\ttrue\tfalse\n");
  }

  TEST_CASE("actions raise in hooks and keys; the message names the job") {
    const auto in_hook = play(
        "return { on_submit = function(job, cluster) cluster:start(job)"
        " end, schedule = function() end }");
    CHECK(in_hook.fails_with("start: not allowed in a hook"));
    CHECK(in_hook.fails_with("job 1"));
    const auto in_key = play(R"(
local c
return { orders = { odd = function(job) if c then c:wake_at(9) end return 1 end },
  schedule = function(queue, cluster) c = cluster end })",
                             {a_job(1, 0, 1, 1), a_job(2, 1, 1, 1)});
    CHECK(in_key.fails_with(
        "wake_at: not allowed in an order's key or a function passed in"));
    CHECK(in_key.fails_with("job 2"));
  }

  TEST_CASE("a key is given the job and the cluster, of which it may ask") {
    const auto said = play(R"(
return { order = 'aged', params = { weight = { default = 2 } },
  orders = { aged = { refresh = 'every_pass', key = function(job, cluster)
    return -(cluster:now() - job.submit) * cluster.params.weight / cluster:size() * job.size
  end } },
  schedule = function(queue, cluster)
    print(queue)
    local head = queue:head()
    if head then cluster:start(head) end
  end })",
                           {a_job(1, 0, 4, 10), a_job(2, 1, 1, 1), a_job(3, 4, 4, 1)});
    CHECK(said.error.empty());
    // At 10 job 2 has waited 9 s and job 3, four times as large, 6 s.
    CHECK(said.printed ==
          "queue of 1 job: 1\nqueue of 1 job: 2\nqueue of 2 jobs: 2, 3\n"
          "queue of 2 jobs: 3, 2\nqueue of 1 job: 2\nqueue of 0 jobs\n");
  }

  TEST_CASE("a key that raises in a refresh names its job") {
    const auto said = play(R"(
return { orders = { late = { refresh = 'every_pass', key = function(job, cluster)
    return job.id == 2 and cluster:now() >= 1 and 1/0 or 1 end } },
  schedule = function(queue, cluster) cluster:wake_at(cluster:now() + 1) end })");
    CHECK(said.fails_with("order 'late' must return a finite number, got inf"));
    CHECK(said.fails_with("at t=1, job 2"));
  }

  TEST_CASE("a global cluster is said to be an argument, and never to be itself") {
    const auto said = play(
        "return { orders = { old = function(job) return "
        "cluster:now() end }, schedule = function() end }");
    CHECK(said.fails_with("(global 'cluster') (it is an argument: "));
    CHECK_FALSE(said.fails_with("did you mean 'cluster'"));
  }

  TEST_CASE("a key must be a finite number") {
    for (const auto& [value, got] :
         {std::pair{"nil", "got nil"}, std::pair{"'7'", "got string"},
          std::pair{"0/0", "nan"}, std::pair{"1/0", "got inf"}}) {
      const auto said =
          play(fmt::format("return {{ orders = {{ odd = function(job) return "
                           "{} end }}, schedule = function() end }}",
                           value));
      CAPTURE(said.error);
      CHECK(said.fails_with("order 'odd' must return a finite number, got "));
      CHECK(said.fails_with(got));
    }
  }

  TEST_CASE("a key refused at a suspension can be caught, and the job runs on") {
    auto machine = a_machine(4);
    machine.preemption = true;
    const auto said = play(R"(
return { orders = { odd = function(job) return job.state == 'waiting' and 1 or nil end },
  schedule = function(queue, cluster)
    local job = queue:head()
    if not job then return end
    cluster:start(job)
    print(pcall(cluster.suspend, cluster, job))
    print(job.state, queue:length(), cluster:idle())
  end })",
                           {a_job(1, 0, 3, 5)}, machine);
    CHECK(said.error.empty());
    CHECK(said.printed.find("must return a finite number, got nil") !=
          std::string::npos);
    CHECK(said.printed.find("running\t0\t1\n") != std::string::npos);
  }

  TEST_CASE("orders hold from Lua, the default one for the queue itself") {
    const auto said = play(R"(
return { orders = { shortest = function(job) return job.walltime end }, order = 'shortest',
  schedule = function(queue, cluster)
    local t = {}
    for job in queue:all() do t[#t + 1] = job.id end
    print(table.concat(t, ' '))
    for job in queue:startable() do cluster:start(job) end
  end })",
                           {a_job(1, 0, 4, 9), a_job(2, 0, 4, 3), a_job(3, 0, 4, 5)});
    CHECK(said.printed == "2 3 1\n3 1\n1\n\n");
  }

  TEST_CASE("require finds a library once, and it counts as a source") {
    PolicyOptions options;
    std::int64_t asked = 0;
    options.library =
        [&](std::string_view name) -> std::optional<bindings::LoadedSource> {
      ++asked;
      if (name != "help") return std::nullopt;
      return bindings::LoadedSource{"lib/help.lua", "return { go = function() end }"};
    };
    const LuaPolicy policy(
        {"mine", "mine.lua",
         "local a, b = require 'help', require 'help' assert(a == b) "
         "return { schedule = a.go }"},
        options);
    CHECK(asked == 1);
    REQUIRE(policy.sources().size() == 2);
    CHECK(policy.sources()[0].name == "mine.lua");
    CHECK(policy.sources()[1].name == "lib/help.lua");
    CHECK(play("return { schedule = function() require 'help' end }", two_jobs(),
               a_machine(4), options)
              .fails_with("require"));
  }

  TEST_CASE("the same seed draws the same numbers, another seed others") {
    const auto draws = [](std::uint64_t seed) {
      PolicyOptions options;
      options.seed = seed;
      return play(once("print(math.random(1000000), cluster:random(1000000), "
                       "math.random())"),
                  two_jobs(), a_machine(4), options)
          .printed;
    };
    CHECK(draws(1) == draws(1));
    CHECK(draws(1) != draws(2));
  }

  TEST_CASE("crossings count entries into the script and calls out of it") {
    const auto idle = play(table(""), {a_job(1, 0, 1, 1)});
    CHECK(idle.crossings == 1);  // the job is never started: one pass
    const auto busy = play(
        "return { on_submit = function() end, schedule = function(queue, cluster) "
        "local job "
        "= queue:head() if job then cluster:start(job) end end }",
        {a_job(1, 0, 1, 1)});
    CHECK(busy.crossings ==
          1 + (1 + 2) + (1 + 1));  // hook; pass, head, start; pass, head
  }

  TEST_CASE("while a file is loaded there is no simulation to ask") {
    const LuaPolicy first({"a", "a.lua", table("")}, {});
    const LuaPolicy second({"b", "b.lua", table("")}, {});
    CHECK(first.crossings() == 0);
    CHECK(second.traits().label == "b");
  }

  TEST_CASE("a policy writes and reads numbers alike whatever locale the host has") {
    const locale_t german = newlocale(LC_ALL_MASK, "de_DE.UTF-8", nullptr);
    if (german == nullptr) {
      MESSAGE("skipped: the locale de_DE.UTF-8 is not installed");
      return;
    }
    const locale_t before = uselocale(german);
    const auto said = play(once("print(cluster:now() + 0.5, tonumber('2.5'))"),
                           {a_job(1, 0, 1, 10)}, a_machine(4));
    CHECK(uselocale(before) == german);
    freelocale(german);
    CHECK(said.error.empty());
    CHECK(said.printed == "0.5\t2.5\n");
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
