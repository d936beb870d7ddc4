// F1 to F16: what a policy file or a cases file made the program hold, show or do.

#include <doctest/doctest.h>

#include <algorithm>

#include "bindings/policy_cases.hpp"
#include "engine/sim/book.hpp"
#include "study/tests/case_settings.hpp"
#include "tests/bindings/scene.hpp"

using namespace berth;
using namespace berth::test;

namespace {

bindings::Limits small() {
  bindings::Limits limits;
  limits.time_seconds = 20;
  limits.memory_mib = 32;
  return limits;
}

Played play_small(const std::string& text) {
  bindings::PolicyOptions options;
  options.limits = small();
  return play(text, two_jobs(), a_machine(4), options);
}

Played read_cases(const std::string& text) {
  Played said;
  try {
    (void)bindings::read_policy_cases({"x", "x.test.lua", text}, small(),
                                      study::fields_of_cases());
  } catch (const Error& error) {
    said.error = error.what();
    said.code = error.code();
  }
  CHECK(said.error.size() <= 16 * 1024);
  return said;
}

bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' || c == '\n';
  });
}

}  // namespace

TEST_SUITE("bindings/regress_f1_f16") {
  TEST_CASE("F1: of several wrong options the first in the order of bytes is named") {
    // Eight keys in a new table each time: all orders of a hash table occur.
    const auto said = play(once(R"(
      for i = 1, 100 do
        local options = {}
        for _, letter in ipairs { "h", "c", "a", "e", "b", "g", "d", "f" } do
          options[letter .. "_" .. i] = 1
        end
        local _, why = pcall(cluster.start, cluster, job, options)
        if not why:find("there is no option 'a_" .. i .. "'", 1, true) then print(why) end
      end
      local _, why = pcall(cluster.start, cluster, job, { [7] = 1, zz = 2 })
      print(why))"));
    CHECK(said.printed ==
          "bad argument #3 to 'start': options have names: under, place, "
          "instead_of\n");
  }

  TEST_CASE("F1: of several wrong fields of a policy or a case one is always named") {
    for (int i = 0; i < 20; ++i) {
      CHECK(play("return { schedul=1, paramz=1, ordres=1, nme=1, papr=1, "
                 "schedule=function() end }")
                .error == "test.lua: there is no field 'nme' (did you mean 'name'?)");
      CHECK(read_cases("return { { 'c', processors = 8, dd=4, aa=1, cc=3, bb=2, jobs = "
                       "{}, starts = {} } }")
                .error.starts_with("x.test.lua: c: there is no field 'aa'; it has "));
    }
  }

  TEST_CASE("F2: a list of values, and its texts, have bounds") {
    const auto values = [](const std::string& fill) {
      return play_small("local v = {} " + fill +
                        " v[#v + 1] = 'a' return { params = { p = { default = 'a', "
                        "values = v } }, schedule = function() end }");
    };
    CHECK(values("for i = 1, 1023 do v[i] = tostring(i) end").error.empty());
    CHECK(values("for i = 1, 1024 do v[i] = 'b' end").error ==
          "test.lua: values has 1025 texts, at most 1024 are allowed");
    CHECK(values("v[1] = ('x'):rep(4097)").error ==
          "test.lua: one of values has 4097 bytes, at most 4096 are allowed");
    CHECK(values("v[1] = ('x'):rep(4096)").error.empty());
  }

  TEST_CASE("F2: what is kept of shared texts counts under the memory limit") {
    // 64 parameters of 1,024 values of 4 KiB: 256 MiB from a few KiB of Lua.
    const auto said = play_small(R"(
      local v, p = {}, {}
      for i = 1, 1024 do v[i] = ("x"):rep(4096) end
      for i = 1, 64 do p["p" .. i] = { default = v[1], values = v } end
      return { params = p, schedule = function() end })");
    CHECK(said.code == ErrorCode::kMemory);
    CHECK(said.error.starts_with("test.lua: memory limit: 32 MiB live"));
  }

  TEST_CASE("F2: cases are bounded in number, and counted under the memory limit") {
    CHECK(read_cases("local t = {} for i = 1, 10001 do t[i] = {} end return t").error ==
          "x.test.lua: 10001 cases, at most 10000 are allowed");
    const auto said = read_cases(R"(
      local jobs, starts, t = {}, {}, {}
      for i = 1, 10000 do jobs[i], starts[i] = { 0, 1, 1 }, 0 end
      local case = { "c", processors = 1, jobs = jobs, starts = starts }
      for i = 1, 10000 do t[i] = case end
      return t)");
    CHECK(said.code == ErrorCode::kMemory);
    CHECK(said.error.starts_with("x.test.lua: memory limit: 32 MiB live"));
    CHECK(read_cases("local jobs = {} for i = 1, 100001 do jobs[i] = 1 end return { { "
                     "'c', processors = 1, jobs = jobs, starts = {} } }")
              .error == "x.test.lua: c: 100001 jobs, at most 100000 are allowed");
  }

  TEST_CASE("F2: reading a file ends at its time limit") {
    bindings::Limits limits;
    limits.time_seconds = 0.1;
    limits.memory_mib = 0;
    std::string error;
    try {  // three million jobs; no line of the file runs meanwhile
      (void)bindings::read_policy_cases({"x", "x.test.lua", R"(
        local job, jobs, starts, t = { 0, 1, 1 }, {}, {}, {}
        for i = 1, 100000 do jobs[i], starts[i] = job, 0 end
        local case = { "c", processors = 1, jobs = jobs, starts = starts }
        for i = 1, 30 do t[i] = case end
        return t)"},
                                        limits, study::fields_of_cases());
    } catch (const Error& failed) {
      CHECK(failed.code() == ErrorCode::kTime);
      error = failed.what();
    }
    CHECK(error.starts_with("x.test.lua: time limit: this load ran for 0.1 s"));
  }

  TEST_CASE("F3: names have at most 200 bytes, orders are at most 64") {
    const auto orders = [](const std::string& fill) {
      return play_small("local o = {} " + fill +
                        " return { orders = o, schedule = function() end }");
    };
    CHECK(orders("o[('x'):rep(200)] = function() return 1 end").error.empty());
    CHECK(orders("o[('x'):rep(201)] = function() return 1 end").error ==
          "test.lua: a name in orders has 201 bytes, at most 200 are allowed");
    CHECK(orders("for i = 1, 65 do o['o' .. i] = function() return 1 end end").error ==
          "test.lua: orders has 65 orders, at most 64 are allowed");
    CHECK(orders("o[1] = print o.x = print").error ==
          "test.lua: the keys of orders must be names");
    CHECK(play_small("local p = {} for i = 1, 257 do p['p' .. i] = { default = 1 } end "
                     "return { params = p, schedule = function() end }")
              .error == "test.lua: params has 257 parameters, at most 256 are allowed");
    // A field of the policy's own may have any name.
    CHECK(play_small("return { [('y'):rep(1 << 19)] = 1, schedule = function() end }")
              .error.empty());
  }

  TEST_CASE("F3: a long word in a message is cut") {
    const auto said = play(once(R"(
      local long = ("x"):rep(1 << 20)
      for _, wrong in ipairs {
        function() return queue:by(long) end, function() return cluster[long] end,
        function() return cluster:start(job, { [long] = 1 }) end,
        function() return cluster:happened(long) end,
        function() return cluster.params[long] end,
      } do
        local _, why = pcall(wrong)
        print(#why < 300, why:find(("x"):rep(60) .. "...", 1, true) ~= nil)
      end)"));
    CHECK(said.error.empty());
    CHECK(said.printed ==
          "true\ttrue\ntrue\ttrue\ntrue\ttrue\ntrue\ttrue\ntrue\ttrue\n");
  }

  TEST_CASE("F4: processors of a case are checked in the width that keeps them") {
    const auto with = [](const std::string& processors) {
      return read_cases("return { { 'a', processors = " + processors +
                        ", jobs = { { 0, 1, 1 } }, starts = { 0 } } }");
    };
    const std::pair<const char*, const char*> kWrong[] = {
        {"4294967295", "4294967295 is above 10000000"},
        {"4294967297", "4294967297 is above 10000000"},
        {"2147483648", "2147483648 is above 10000000"},
        {"100001", "100001 is above 100000, the most that a case has"},
        {"0", "0 is below 1"},
        {"-1", "-1 is below 1"},
        {"1.5", "1.5 is not a whole number"},
        {"1 << 62", "4611686018427387904 is above 10000000"},
        {"1e300", "1.e+300 is not a whole number"}};
    for (const auto& [wrong, says] : kWrong) {
      CHECK(with(wrong).error == std::string("x.test.lua: a: processors: ") + says);
    }
    CHECK(with("0/0").error == "x.test.lua: a: processors must be a finite number");
    CHECK(with("8.0").error.empty());
  }

  TEST_CASE("F5: names of a policy or a case are escaped in messages and labels") {
    const std::string escape = R"(local e = "\27]0;OWNED\7\n\r\27[2J")";
    for (const auto& said :
         {play(escape + "return { order = 'x' .. e, orders = { ['o' .. e] = print }, "
                        "schedule = print }"),
          play(escape + "return { params = { [e] = {} }, schedule = print }"),
          play(escape +
               "return { params = { [e] = { default = 'a' .. e, values = { e } "
               "} }, schedule = print }"),
          play(escape + "return { ['schedul' .. e:sub(1, 1)] = 1 }"),
          read_cases(escape + "return { { e, processors = 8, [e] = 1 } }")}) {
      CAPTURE(said.error);
      CHECK(said.code == ErrorCode::kPolicy);
      CHECK(is_plain(said.error));
      CHECK(said.error.find('\n') == std::string::npos);
    }
    const auto cases = bindings::read_policy_cases(
        {"x", "x.test.lua",
         escape + "return { { e, processors = 8, jobs = {}, starts = {} } }"},
        small(), study::fields_of_cases());
    CHECK(cases.at(0).name == "\\x1b]0;OWNED\\x07\\x0a\\x0d\\x1b[2J");
    bindings::PolicyOptions options;
    options.parameters["p\n"] = "b\x1b";
    const bindings::LuaPolicy policy(
        {"na\x07me", "test.lua",
         "return { params = { ['p\\n'] = { default = 'a', values = { 'a', 'b\\27' } } "
         "}, schedule = print }"},
        options);
    CHECK(policy.traits().label == "na\\x07me(p\\x0a=b\\x1b)");
  }

  TEST_CASE("F13: keys and hooks only read the book") {
    for (const char* change : {"book:place(job)", "book:drop(job)", "book:rebuild()",
                               "book:update()", "book:rebuild(queue)"}) {
      CAPTURE(change);
      const auto key = play(std::string(R"(
        local book, queue
        return {
          orders = { k = function(job) if book then )") +
                                change + R"( end return 1 end },
          schedule = function(q, cluster)
            book, queue = cluster:book(), q
            cluster:start_all(q)
          end })",
                            {a_job(1, 0, 4, 10), a_job(2, 1, 4, 10)});
      CHECK(key.fails_with("not allowed in an order's key or a function passed in"));
      CHECK(key.code == ErrorCode::kPolicy);
      for (const char* hook : {"on_submit", "on_end"}) {
        const auto said = play(std::string("return { ") + hook +
                               " = function(job, cluster) local book, queue = "
                               "cluster:book() local ok, why = pcall(function() " +
                               change +
                               " end) print(ok, why) end, schedule = function(q, c) "
                               "c:start_all(q) end }");
        CHECK(said.printed.find("true") == std::string::npos);
        CHECK(said.printed.find("not allowed in a hook") != std::string::npos);
      }
    }
  }

  TEST_CASE("F13: keys and hooks may ask the book") {
    const auto said = play(R"(
      local book
      return {
        orders = { k = function(job)
          if book then return (book:of(job) or 0) + (book:next() or 0) end
          return 1
        end },
        on_submit = function(job, cluster) print(cluster:book():of(job)) end,
        schedule = function(queue, cluster)
          book = cluster:book()
          book:update(queue)
          cluster:start_all(book)
          cluster:wake_at(book:next())
        end })");
    CHECK(said.error.empty());
    CHECK(said.printed == "nil\nnil\n");
  }

  TEST_CASE("F13: changes of the book that are not told yet are bounded") {
    constexpr std::size_t kMost = std::size_t{1} << 20U;
    std::size_t most = 0;
    ScriptedPolicy policy([&](sim::Simulation& world) {
      if (world.world().now() > 0) return;
      for (std::size_t i = 0; i < kMost; ++i) {
        (void)sim::Book(world).place(JobId{0});
        sim::Book(world).drop(JobId{0});
        most = std::max(most, world.parts().world.book().changes().size());
      }
      CHECK(world.actions().start(JobId{0}));
    });
    (void)run({a_job(1, 0, 1, 1)}, a_machine(1), policy);
    CHECK(most >= kMost);
    CHECK(most <= kMost + 1);
  }

  TEST_CASE("F15: plans beyond the last are not made") {
    const auto said = play_small(once(R"(
      for i = 1, 65536 do cluster:reserve(job) end
      print("65536")
      pcall(cluster.reserve, cluster, job)
      print("beyond"))"));
    CHECK(said.printed == "65536\n");
    CHECK(said.error.find("65,537 plans in one decision (limit 65,536)") !=
          std::string::npos);
  }

  TEST_CASE("F16: accesses in the indices of a row count with it") {
    std::string chain = "a";
    for (int i = 0; i < 40; ++i) chain += "[a.b.b.b.b.b.b.b.b.b.b.b.b.b.b]";
    const auto said = play("return { schedule = function(q, c)\nlocal a = {}\nreturn " +
                           chain + " end }");
    CHECK(said.error.starts_with("test.lua:3: more than 200 accesses in a row"));
  }
}

TEST_SUITE("bindings/load_errors") {
  TEST_CASE("what the compiler refuses without a place names the file that it is in") {
    const auto deep = "return " + std::string(5000, '(') + "1" + std::string(5000, ')');
    CHECK(play(deep).error.starts_with("test.lua:1: C stack overflow"));
    bindings::PolicyOptions options;
    options.library = [&](std::string_view) {
      return std::optional(bindings::LoadedSource{"lib/deep.lua", deep});
    };
    CHECK(play("require('deep')", two_jobs(), a_machine(4), options)
              .error.starts_with("lib/deep.lua:1: C stack overflow"));
  }

  TEST_CASE("every other error of a load names its file, too") {
    for (const char* wrong :
         {"return", "x = ", "error({})", "error('no', 0)", "error()", "error(nil)",
          "local function f() return f() + 1 end f()", "return setmetatable({}, 1)",
          "return { schedule = 1 }", "return 1", "require('no')", "\27Lua", "x = \"",
          "goto x", "--[[", "error(setmetatable({}, { __tostring = error }))"}) {
      CAPTURE(wrong);
      const auto said = play(wrong);
      CAPTURE(said.error);
      CHECK(said.code == ErrorCode::kPolicy);
      CHECK(said.error.starts_with("test.lua:"));
    }
  }
}
