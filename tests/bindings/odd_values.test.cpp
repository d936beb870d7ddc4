// Every method of every object of every sandbox with odd values: an error that names
// the call, or a value, and the process goes on.  Methods come from the records.

#include <doctest/doctest.h>

#include <set>

#include "bindings/policy_cases.hpp"
#include "tests/bindings/scene.hpp"
#include "tests/machines/fractional/packing_scene.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/kinds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// `old` is a handle of an earlier decision, or of a run that is over.
constexpr std::string_view kValues =
    "local values = { false, true, {}, 'x', -1, 0/0, 2^53, 9007199254740993, 1e308, "
    "math.mininteger, math.maxinteger, 1/0, 0.5, print, { {} } } "
    "values[#values + 1] = old values[#values + 1] = more ";

// Calls each of these methods of `object` with no value, each value, and pairs of them.
constexpr std::string_view kTry = R"lua(
local function try(object, what, methods)
  for _, name in ipairs(methods) do
    local found, method = pcall(function() return object[name] end)
    if not found then error(what .. " has no " .. name) end
    local function call(...)
      local ok, why = pcall(method, ...)
      calls = calls + 1
      if not ok and type(why) ~= "string" then error(name .. ": no text") end
      if not ok and why:find("'?'", 1, true) then error(name .. ": " .. why) end
    end
    call() call(object) call(nil, nil)
    for _, a in ipairs(values) do
      call(a) call(object, a) call(object, job, a) call(object, nil, a)
      for i = 1, #values, 3 do
        call(object, a, values[i]) call(object, job, a, values[i])
        call(object, values[i], nil, a)
      end
    end
    -- the name that a script can see
    local ok, why = pcall(function() return object[name](object, print, print, print) end)
  end
  for _, key in ipairs(values) do
    pcall(function() return object[key] end)
    pcall(function() object[key] = 1 end)
    pcall(function() return object .. key end)
    pcall(function() return object < key end)
    pcall(function() return #object end)
    pcall(function() return object() end)
  end
end
)lua";

std::string methods_of(const bindings::Family& family) {
  std::string list;
  for (const auto& primitive : family.primitives) {
    const bool is_method = primitive.form() == bindings::Form::kMethod;
    if (is_method) list += fmt::format("'{}', ", primitive.name);
  }
  return "{ " + list + "}";
}

const bindings::Family& family(std::string_view type) {
  for (const auto& each : bindings::families()) {
    if (each.type == type) return each;
  }
  throw std::runtime_error("no such family");
}

std::string tried(std::string_view type, const std::string& object) {
  return fmt::format("try({}, '{}', {}) ", object, type, methods_of(family(type)));
}

struct Stage {
  TestMachine machine;
  // Type and how a policy comes to such an object.
  std::vector<std::pair<std::string_view, std::string>> objects;
};

// Each family on a machine that has it.
std::vector<Stage> stages() {
  const auto all =
      "(function() local l = {} for j in queue:all() do l[#l + 1] = j end "
      "return l end)()";
  const auto packed = std::string("cluster.packing:mcb(") + all + ")";
  return {{a_machine(4),
           {{"View", "queue"},
            {"Cluster", "cluster"},
            {"Book", "cluster:book()"},
            {"Plan", "cluster:reserve(job)"},
            {"Job", "job"},
            {"Shares", "cluster.shares"},
            {"View", "queue:by('widest')"}}},
          {a_two_tier_machine(4),
           {{"Tiers", "cluster.tiers"}, {"Cluster", "cluster"}, {"Job", "job"}}},
          {a_network_machine(4),
           {{"Network", "cluster.network"},
            {"Placement", "cluster.network:embed(job)"},
            {"Cluster", "cluster"},
            {"Plan", "cluster:reserve(job)"}}},
          {with_hosts({{"host", 2, 2}}),
           {{"Hosts", "cluster.hosts"}, {"Book", "cluster:book()"}}},
          {a_fractional_machine(4, 0.125),
           {{"Packer", "cluster.packing"}, {"Packed", packed}}}};
}

// Two to begin with, and one at each of two later decisions.
std::vector<Job> odd_jobs() {
  auto jobs = two_jobs();
  jobs.push_back(a_job(3, 1, 1, 30, 60));
  jobs.push_back(a_job(4, 2, 1, 30, 60));
  return jobs;
}

std::set<std::string_view> types_of_policies() {
  std::set<std::string_view> types;
  for (const auto& stage : stages()) {
    for (const auto& [type, object] : stage.objects) types.insert(type);
  }
  return types;
}

}  // namespace

TEST_SUITE("bindings/odd_values") {
  TEST_CASE("every object of the API is tried in some sandbox") {
    auto types = types_of_policies();
    types.insert("Run");    // of cases
    types.insert("Draft");  // of packers
    for (const auto& each : bindings::families()) {
      CAPTURE(each.type);
      CHECK(types.contains(each.type));
    }
  }

  TEST_CASE("in a policy an odd value is an error of the script or an answer") {
    for (const auto& stage : stages()) {
      for (const auto& [type, object] : stage.objects) {
        const auto& of_type = type;
        CAPTURE(of_type);
        const auto& of_object = object;
        CAPTURE(of_object);
        // Twice: in the second decision handles of the first are old.
        const auto text =
            "local calls, old, more = 0 return { orders = { widest = function(j) "
            "return "
            "-j.size end }, schedule = function(queue, cluster) "
            "local job = queue:head() if not job or cluster:now() > 10 then return "
            "end " +
            std::string(kValues) + std::string(kTry) + "local object = " + object +
            " if object then " + tried(type, "object") +
            " end old = object more = cluster:running() print(calls) end }";
        const auto said = play(text, odd_jobs(), stage.machine);
        CHECK(said.error.empty());
        if (!said.error.empty()) MESSAGE(said.error);
        CHECK_FALSE(said.printed.empty());
      }
    }
  }

  TEST_CASE(
      "F23: in a case, too: `run` of this run, of another, and of one that is over") {
    const auto body = std::string(kValues) + std::string(kTry) + tried("Run", "run");
    const auto text =
        "local calls, old, more, job = 0, nil, nil, 1 return { "
        "{ 'one', processors = 4, jobs = { { 0, 2, 30, 60 }, { 0, 4, 30, 60 } }, "
        "starts = { 0, 30 }, versus = 'fcfs', check = function(run) " +
        body +
        " old, more = run.why, run assert(calls > 100) end, holds = function(run, "
        "other) "
        "local ok, why = pcall(more.why, more, 1) assert(not ok and why:find('is "
        "over')) " +
        body + " run = other " + body +
        " return true end }, "
        "{ 'why', processors = 4, jobs = { { 0, 2, 30 } }, starts = { 0 }, "
        "check = function(run) for _, at in ipairs { 1e308, 0/0, -1e300 } do "
        "local ok, why = pcall(run.why, run, 1, at) assert(not ok) "
        "if not why:find(\"to 'why'\", 1, true) then error(why) end end end } }";
    const bindings::PolicyFile cases{"x", "x.test.lua", text};
    const bindings::PolicyFile fcfs{
        "x", "x.lua",
        "return { schedule = function(queue, cluster) cluster:start_all(queue) end }"};
    for (std::size_t number = 0; number < 2; ++number) {
      CAPTURE(number);
      CHECK(case_verdict(cases, number, fcfs) == "");
    }
  }

  TEST_CASE("every example of a run is true") {
    for (const auto& primitive : family("Run").primitives) {
      CAPTURE(primitive.example);
      const auto text = fmt::format(
          "return {{ {{ 'x', processors = 4, jobs = {{ {{ 0, 2, 30, 60 }}, {{ 0, 4, "
          "30, "
          "60 }} }}, starts = {{ 0, 30 }}, check = function(run) return ({}) == true "
          "end }} }}",
          primitive.example);
      CHECK(case_verdict({"x", "x.test.lua", text}, 0,
                         {"x", "x.lua",
                          "return { schedule = function(queue, cluster) "
                          "cluster:start_all(queue) end }"}) == "");
    }
  }

  TEST_CASE("in a packer and its drafts, too") {
    const auto values = "local calls, old, more = 0 " + std::string(kValues);
    const auto packs = pack_with(
        packer(values + std::string(kTry) + tried("Packer", "packing") +
               tried("Packed", "packing:mcb(jobs)") + " return packing:mcb(jobs)"));
    CHECK(packs.error.empty());
    const auto fills =
        pack_with(filler(values + std::string(kTry) + tried("Draft", "draft")));
    CHECK(fills.error.empty());
  }

  TEST_CASE("looked into by the debugger, too") {
    for (const auto& stage : stages()) {
      bindings::LuaPolicy policy(
          {"x", "x.lua",
           "return { orders = { widest = function(j) return -j.size end }, schedule = "
           "function(queue, cluster) end }"},
          {});
      sim::Settings settings;
      settings.shares.emplace();
      const auto jobs = two_jobs();
      sim::Simulation simulation(stage.machine, settings, jobs, policy,
                                 make_model(stage.machine, jobs));
      (void)simulation.advance(0);
      for (const auto& [type, object] : stage.objects) {
        const auto& of_object = object;
        CAPTURE(of_object);
        // A plan is made by an action, which is refused there.
        const auto text = fmt::format(
            "(function() local calls, old, more, job = 0, nil, nil, queue:head() {} {} "
            "local is_made, object = pcall(function() return {} end) "
            "if is_made and object then {} end return calls > 0 or not is_made end)()",
            kValues, kTry, object, tried(type, "object"));
        CHECK(policy.evaluate(simulation, text) == "true");
      }
    }
  }
}
