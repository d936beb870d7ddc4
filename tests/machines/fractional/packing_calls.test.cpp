// Packers, packings and drafts as a script sees them.

#include <doctest/doctest.h>

#include <cmath>

#include "engine/machines/fractional/pack/adapt.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/raise.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"
#include "tests/machines/fractional/pack/instances.hpp"
#include "tests/machines/fractional/packing_scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Budget budget;  // without limits

// MCB8 as the paper has it, by a draft.
constexpr const char* kMcb8 = R"(
local function first(draft, host, wants_cpu)
  for task, cpu, memory in draft:fitting(host, "max") do
    if (cpu >= memory) == wants_cpu then return task end
  end
end

local function fill(draft)
  for host in draft:hosts() do
    repeat
      local cpu, memory = draft:free(host)
      local wants_cpu = cpu >= memory
      local task = first(draft, host, wants_cpu) or first(draft, host, not wants_cpu)
    until not (task and draft:put(task, host))
  end
end

return { pack = function(packing, jobs) return packing:search(jobs, fill) end }
)";

// A walk over the hosts beside draft:choose, which must name the same one.
constexpr const char* kBestFit = R"(
local scores = {
  cosine = function(cpu, memory, c, m)
    return (cpu * c + memory * m) / math.sqrt((cpu * cpu + memory * memory) * (c * c + m * m))
  end,
  dot = function(cpu, memory, c, m) return cpu * c + memory * m end,
  norm = function(cpu, memory, c, m)
    return -((c - cpu) * (c - cpu) + (m - memory) * (m - memory))
  end,
}

local function fill(draft, by)
  for task, cpu, memory in draft:tasks("max") do
    local best, most
    for host, c, m in draft:hosts(task) do
      local score = scores[by](cpu, memory, c, m)
      if not best or score > most then best, most = host, score end
    end
    assert(draft:choose(task, by) == best)
    if not best then return end
    draft:put(task, best)
  end
end

return { pack = function(packing, jobs)
  local packed, why
  for _, by in ipairs({ "dot", "norm", "cosine" }) do
    packed, why = packing:search(jobs, function(draft) fill(draft, by) end)
    local whole = packing:search(jobs, function(draft) draft:put_all("max", by) end)
    assert((whole and whole.yield) == (packed and packed.yield))
    for _, job in ipairs(packed and jobs or {}) do
      assert(whole:host_of(job, 1) == packed:host_of(job, 1))
    end
  end
  return packed, why
end }
)";

std::vector<pack::Problem> random_instances(int count) {
  pack::RandomInstances random("bindings");
  std::vector<pack::Problem> problems;
  for (int i = 0; i < count; ++i) problems.push_back(random.next());
  return problems;
}

// As it came from the packer, without what is left given out.
Packed plain(const std::string& call, const pack::Problem& problem) {
  return pack_with(
      packer("local p, why = packing:" + call + " return p and p:raised('none'), why"),
      problem);
}

void check_same(const Packed& said, const pack::Packing& wanted) {
  CHECK(said.error.empty());
  CHECK(said.packing.outcome == wanted.outcome);
  CHECK(said.packing.hosts == wanted.hosts);
  CHECK(said.packing.yield == wanted.yield);
}

struct Wrong {
  const char* call;
  const char* says;
};

constexpr Wrong kWrongCalls[]{
    {"packing:mcb()", "bad argument #1 to 'mcb': a list of jobs expected"},
    {"packing:mcb({ 1 })", "a list of jobs expected"},
    {"packing:mcb({ job, job })", "job 1 stands in the list twice"},
    {"packing.mcb(jobs)", "mcb: call it with a colon: packing:mcb(...)"},
    {"packing:mcb(jobs, { key = 'min' })", "a key is \"sum\", \"difference\""},
    {"packing:mcb(jobs, { keys = 'max' })", "did you mean 'key'?"},
    {"packing:mcb(jobs, 8)", "a table of options expected"},
    {"packing:mcb(jobs, { key = function() return 0/0 end })",
     "a key must be a finite number"},
    {"packing:mcb(jobs, { key = function() return 'x' end })",
     "a key must be a finite number"},
    {"packing:mcb(jobs, { key = function() error('mine') end })", "mine"},
    {"packing:mcb(jobs, { key = function() packing:mcb(jobs) end })",
     "a fill or a key may only use its own draft"},
    {"packing:greedy(jobs, { backtrack = -1 })", "backtrack: a number >= 0 expected"},
    {"packing:exact(jobs, { solver = 'cbc' })", "\"search\" or \"milp\" expected"},
    {"packing:search(jobs)", "a function of a draft expected"},
    {"packing:search(jobs, print, { yield = 1.5 })", "yield: at most 1 expected"},
    {"packing:search(jobs, print, { tolerance = 0 })", "tolerance: at least 1e-9"},
    {"packing:best(jobs, {})", "1 to 64 fills and names expected"},
    {"packing:best(jobs, { 'mcb9' })", "a fill is a function, or \"mcb1\" to \"mcb8\""},
    {"packing:improve(job)", "a packing expected, got a job"},
    {"packing:fit(jobs)", "packing has no member 'fit'"},
    {"print(packing:mcb(jobs).yeild)",
     "a packing has no member 'yeild' (did you mean 'yield'?)"},
    {"packing:mcb(jobs):raised('most')",
     "\"average\", \"max_min\" or \"none\" expected"},
    {"packing:mcb({ jobs[2] }):yield_of(job)", "the packing does not have this job"},
    {"packing:mcb(jobs):host_of(job, 3)", "the job has 2 tasks"},
    {"print(job.walltime)", "a job of a packing study has no member 'walltime'"},
    {"return 1", "pack must return a packing, or nil; got number"},
    {"return (packing:mcb({ job }))", "pack must return a packing of all jobs"},
};

constexpr Wrong kWrongFills[]{
    {"draft:put(4, 0)", "there is no task 4"},
    {"draft:put(0, 0)", "0 is less than 1"},
    {"draft:put(1, 2)", "there is no host 2"},
    {"draft:put(1, 0) draft:put(1, 1)", "it is on host 0; take it off first"},
    {"draft:choose(4, 'dot')", "there is no task 4"},
    {"draft:choose(1, 'cos')", "\"cosine\", \"dot\" or \"norm\" expected"},
    {"draft:choose(1)", "'choose'"},
    {"draft:put_all('cosine')", "'put_all'"},
    {"draft:put_all('least', 'dot')", "a key is \"sum\", \"difference\""},
    {"draft:take(1)", "it is on no host"},
    {"draft:tasks('min')", "a key is \"sum\", \"difference\""},
    {"draft:tasks(function() return 1/0 end)", "a key must be a finite number"},
    {"draft:put(1, 0) draft:keep(job)", "a task of the job is on a host already"},
    {"draft.full = true", "values of the engine cannot be changed"},
    {"print(draft.full)", "a draft has no member 'full'"},
    {"packing:mcb(jobs)", "a fill or a key may only use its own draft"},
};

}  // namespace

TEST_SUITE("machines/fractional/packing_calls") {
  TEST_CASE("every example of packers, packings and drafts is true") {
    int tried = 0;
    for (const auto& family : bindings::families()) {
      for (const auto& primitive : family.primitives) {
        const std::string example(primitive.example);
        CAPTURE(example);
        const bool is_of_run = primitive.name == "admit" || primitive.name == "apply";
        if (is_of_run) continue;  // tests/bindings/families.test.cpp
        const auto print = "print((" + example + ") == true)";
        if (family.type == "Packer" || family.type == "Packed") {
          CHECK(pack_with(packer(print)).printed == "true\n");
        } else if (family.type == "Draft") {
          CHECK(pack_with(filler(print)).printed == "true\n");
        } else {
          continue;
        }
        ++tried;
      }
    }
    CHECK(tried == 32);
  }

  TEST_CASE("wrong calls name the call, the argument and what is wrong") {
    for (const auto& wrong : kWrongCalls) {
      CAPTURE(wrong.call);
      const auto said = pack_with(packer(wrong.call));
      CAPTURE(said.error);
      CHECK(said.fails_with(wrong.says));
      CHECK(said.fails_with("test.lua"));
      CHECK(said.fails_with("instance 1"));
      CHECK(said.code == ErrorCode::kPolicy);
    }
    for (const auto& wrong : kWrongFills) {
      CAPTURE(wrong.call);
      const auto said = pack_with(filler(wrong.call));
      CAPTURE(said.error);
      CHECK(said.fails_with(wrong.says));
      CHECK(said.code == ErrorCode::kPolicy);
    }
  }

  TEST_CASE("a script may catch a wrong call and go on") {
    const auto said = pack_with(packer(
        "print(pcall(packing.search, packing, jobs, function() error('no') end)) "
        "return packing:mcb(jobs)"));
    CHECK(said.printed.find("false") == 0);
    CHECK(said.packing.packed());
  }

  TEST_CASE("a draft is over when its fill is") {
    const auto said = pack_with(packer(
        "local kept packing:search(jobs, function(draft) kept = draft end, { yield = 1 "
        "}) return kept.yield"));
    CHECK(said.fails_with("this draft belongs to an earlier call"));
  }

  TEST_CASE("jobs and packings of one instance are none of the next") {
    bindings::LuaPolicy policy(
        {"test", "test.lua",
         "local job, p return { pack = function(packing, jobs) if job then print(pcall("
         "function() return job.id end)) print(pcall(function() return p.yield end)) "
         "end job = jobs[1] p = packing:mcb(jobs) return p end }"},
        [] {
          bindings::PolicyOptions options;
          options.print = [](std::string_view line) {
            CHECK(line.find("earlier") != std::string_view::npos);
          };
          return options;
        }());
    const auto problem = two_packed_jobs();
    CHECK(pack_by(policy, {problem, 1, 1, {}, {}}).packed());
    CHECK(pack_by(policy, {problem, 2, 1, {}, {}}).packed());
  }

  TEST_CASE("a fill that spins or hoards meets the limits of a decision") {
    bindings::PolicyOptions options;
    options.limits.time_seconds = 0.05;
    const auto problem = two_packed_jobs();
    const auto code_of = [&](const std::string& text) {
      bindings::LuaPolicy policy({"test", "test.lua", text}, options);
      try {
        (void)pack_by(policy, {problem, 1, 1, {}, {}});
      } catch (const Error& error) {
        return error.code();
      }
      return ErrorCode::kDefect;
    };
    CHECK(code_of(filler("while true do end")) == ErrorCode::kTime);
    CHECK(code_of(filler("pcall(function() while true do end end)")) ==
          ErrorCode::kTime);
    options.limits.time_seconds = 10;
    options.limits.memory_mib = 8;
    CHECK(code_of(filler("local t = {} while true do t[#t + 1] = { 1 } end")) ==
          ErrorCode::kMemory);
    options.limits.memory_mib = 64;
    // The limit of packings, which is not caught.
    CHECK(code_of(packer("while true do packing:mcb(jobs) end")) == ErrorCode::kMemory);
    CHECK(code_of(packer("while true do pcall(packing.mcb, packing, jobs) end")) ==
          ErrorCode::kMemory);
  }

  TEST_CASE("a packer of a file does what the library does") {
    for (const auto& problem : random_instances(300)) {
      check_same(plain("mcb(jobs)", problem), pack::mcb(problem, budget));
      check_same(plain("mcb(jobs, { key = 'ratio', descending = false })", problem),
                 pack::mcb(problem, budget, pack::mcb_rule(3)));
      check_same(
          plain("greedy(jobs, { sorted = true, backtrack = 1000 })", problem),
          pack::greedy_backtracking(problem, budget, pack::TaskOrder::kByMemory, 1000));
      check_same(plain("exact(jobs)", problem), pack::exact(problem, budget).packing);
      check_same(plain("adapt(jobs)", problem),
                 pack::adapted(problem, budget, pack::kUnlimited));
      check_same(plain("best(jobs, { 'mcb8', 'mcb5', 'mcb6', 'mcb7' })", problem),
                 pack::meta(problem, budget));
    }
  }

  TEST_CASE("MCB8 by a draft is MCB8, task for task") {
    for (const auto& problem : random_instances(300)) {
      auto wanted = pack::mcb(problem, budget);
      if (wanted.packed()) {
        wanted =
            pack::raised(problem, budget, std::move(wanted), pack::Raising::kAverage);
      }
      const auto said = pack_with(kMcb8, problem);
      check_same(said, wanted);
      CHECK(said.packing.yields == wanted.yields);
    }
  }

  TEST_CASE("what a draft chooses is the best of a walk over its hosts") {
    int packed = 0;
    for (const auto& problem : random_instances(300)) {
      const auto said = pack_with(kBestFit, problem);
      CHECK(said.error.empty());
      packed += said.packing.packed() ? 1 : 0;
    }
    CHECK(packed > 100);
  }

  TEST_CASE("MCB8 with a key of the script is MCB8") {
    for (const auto& problem : random_instances(100)) {
      check_same(plain("mcb(jobs, { key = math.max })", problem),
                 pack::mcb(problem, budget));
    }
  }

  TEST_CASE("improvement keeps what it was given within a budget") {
    for (const auto& problem : random_instances(100)) {
      const auto from = pack::greedy(problem, budget, pack::TaskOrder::kByMemory);
      if (!from.packed()) continue;
      const auto said =
          pack_with(packer("local p = packing:greedy(jobs, { sorted = true }) return "
                           "packing:improve(p):raised('none')"),
                    problem);
      check_same(said, pack::improved(problem, budget, from));
    }
  }

  TEST_CASE("rounding draws by seed and instance") {
    const pack::PackingRules rules{{}, {}, pack::RelaxedSource::kUniform};
    const auto text = packer("return packing:rounding(jobs, { epsilon = 0.01 })");
    for (const auto& problem : random_instances(50)) {
      const auto parts = pack::relaxed_parts(problem, budget, rules.relaxed_source);
      if (!parts) continue;
      const auto wanted =
          pack::rounded(problem, budget, *parts, 0.01, pack::rounding_draws(1, 1));
      CHECK(pack_with(text, problem, rules).packing.hosts == wanted.hosts);
    }
  }

  TEST_CASE("a part of the jobs is packed by itself") {
    const auto said = pack_with(packer(
        "print(jobs[1] < jobs[2], jobs[2]) "
        "local p = packing:mcb({ jobs[2] }) print(p.yield, p:host_of(jobs[2])) for job "
        "in p:jobs() do print(job.id, p:yield_of(job)) end return packing:mcb(jobs)"));
    CHECK(said.printed == "true\tjob 2\n1.0\t0\n2\t1.0\n");
  }

  TEST_CASE("with one yield only that one is tried, and given to all") {
    const auto said = pack_with(packer(
        "return packing:search(jobs, function(draft) for task in draft:tasks() do "
        "draft:put(task, 1) end end, { yield = 0.5 })"));
    CHECK(said.packing.hosts == pack::Hosts{1, 1, 1});
    CHECK(said.packing.yields == std::vector<double>{0.5, 0.5});
    CHECK(said.packing.effort.packs == 1);
  }

  TEST_CASE("work is what a packer charges, without what raising the yields takes") {
    const auto work = [](const pack::Problem& problem, const char* text) {
      return pack_with(packer(text), problem).packing.effort.work;
    };
    for (const auto& problem : random_instances(20)) {
      Budget alone;
      if (!pack::mcb(problem, alone).packed()) continue;
      const auto once = work(problem, "return packing:mcb(jobs)");
      CHECK(once >= alone.charged());
      CHECK(work(problem, "packing:mcb(jobs) return packing:mcb(jobs)") == 2 * once);
      CHECK(work(problem, "return packing:mcb(jobs):raised('average')") > once);
    }
  }

  TEST_CASE("what a draft keeps is not renumbered") {
    pack::Problem problem{
        pack::Items({{1, 1, 0.5, 0.3}, {2, 1, 0.5, 0.3}, {3, 1, 0.5, 0.3}}), 3};
    problem.present = {2, 1, pack::kNoHost};
    const auto said = pack_with(
        packer("return packing:search(jobs, function(draft) draft:keep() for task in "
               "draft:tasks() do draft:put(task, 0) end end)"),
        problem);
    CHECK(said.packing.hosts == pack::Hosts{2, 1, 0});
    CHECK(said.packing.yield == 1);
  }

  TEST_CASE("what cannot fit has a reason and needs no fill") {
    const pack::Problem problem{pack::Items({{1, 1, 0.5, 1.5}}), 3};
    const auto said =
        pack_with(packer("print(packing:mcb(jobs)) print(packing:bound(jobs)) return "
                         "packing:search(jobs, function() error('never called') end)"),
                  problem);
    CHECK(said.printed == "nil\tno_packing\nnil\n");
    CHECK(said.error.empty());
    CHECK(said.packing.outcome == pack::Outcome::kTooBig);
  }

  TEST_CASE("no job: packed at yield 1") {
    const auto said = pack_with(packer("return packing:mcb(jobs)"), {pack::Items(), 3});
    CHECK(said.packing.packed());
    CHECK(said.packing.yield == 1);
  }

  TEST_CASE("a file with `pack` alone says what it is for when it is to schedule") {
    bindings::LuaPolicy policy({"test", "test.lua", packer("return nil")}, {});
    CHECK(policy.has_hook("pack"));
    CHECK_FALSE(policy.has_schedule());
  }
}
