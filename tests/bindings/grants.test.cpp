// What a job is given: random policies that keep, swap and mix placements, plans and
// reservations, on every machine; and the wrong calls that were possible once.

#include <doctest/doctest.h>

#include <map>

#include "engine/audit/auditor.hpp"
#include "tests/bindings/scene.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Tries twelve random calls a pass, each with values that it has kept from this pass or
// from earlier ones, for this job or for others.  After each call it adds up what is
// idle, held and reserved.
constexpr std::string_view kWild = R"lua(
local kept = { places = {}, plans = {}, rooms = {}, packings = {} }
local passes, told = 0, {}
local function count(what) told[what] = (told[what] or 0) + 1 end

return { schedule = function(queue, cluster)
  passes = passes + 1
  local has = { tiers = cluster:has("tiers"), network = cluster:has("network"),
                hosts = cluster:has("hosts"), packing = cluster:has("packing") }
  local has_book = not has.network and not has.packing
  local function R(n) return cluster:random(n) end
  local function any(list) if #list > 0 then return list[R(#list)] end end
  local function waiting() local l = {} for j in queue:all() do l[#l + 1] = j end return l end
  local function running() local l = {} for j in cluster:running() do l[#l + 1] = j end return l end
  local is_settled = false   -- the book knows of every start
  -- Sums of fractions of seconds differ from what they are in whole ticks.
  local function ticks(seconds) return math.floor(seconds * 1e6 + 0.5) end

  local function check(what)
    if has.packing then return end
    for kind = 1, cluster:kinds() do
      local held = 0
      for job in cluster:running() do
        if job.tier ~= "background" then held = held + cluster:need(job, kind) end
      end
      local sum = cluster:idle(kind) + held
      if sum ~= cluster:size(kind) then
        error(what .. ": idle + held = " .. sum .. " of " .. cluster:size(kind))
      end
    end
    if not (has_book and is_settled) then return end
    local book = cluster:book()
    for _, ahead in ipairs { 0, 1, 2, 5, 9, 14, 30, 77 } do
      local at = cluster:now() + ahead
      local sum = book:free_at(at)
      for job in cluster:running() do
        if job.expected_end and ticks(job.expected_end) > ticks(at) then
          sum = sum + job.size
        end
      end
      for job in queue:all() do
        local from = book:of(job)
        local frozen = has.tiers and cluster.tiers:freeze(job) or 0
        local span = frozen + math.max(1, job.walltime_left)
        if from and ticks(from) <= ticks(at) and ticks(at) < ticks(from + span) then
          sum = sum + job.size
        end
      end
      if sum ~= cluster:size() then
        error(what .. ": free + held + reserved at " .. at .. " = " .. sum)
      end
    end
  end

  local function place(job)
    if has.hosts then
      return cluster.hosts:choose(job, R(2) == 1 and function() return R(3) end or nil)
    end
    if has.network then
      if R(3) > 1 then return cluster.network:embed(job, { empty = R(4) == 1 }) end
      local vms, left = {}, job.size
      while left > 0 do
        local server, n = R(cluster.network:slots() * 2) - 1, R(left)
        vms[server] = (vms[server] or 0) + n
        left = left - n
      end
      local switch = cluster.network:switches()()
      return cluster.network:place(job, switch, vms)
    end
  end
  local function start(job, options, whose)
    local book_due = has_book and cluster:book():of(job)
    local ok, done, why = pcall(cluster.start, cluster, job, options)
    if ok and done then
      if whose and whose ~= job then error("the placement of another job was taken") end
      is_settled = false
      count("started")
    else
      count(ok and tostring(why) or "wrong")
    end
  end
  local function options(job)
    local o, whose = {}, nil
    if R(2) == 1 then o.under = any(kept.plans) end
    local kind = R(3)
    if kind == 1 and #kept.places > 0 then
      local p = any(kept.places)
      o.place, whose = p[1], p[2]
    elseif kind == 2 then
      o.place = any(kept.rooms)
    elseif kind == 3 and R(3) == 1 then
      o.instead_of = { any(running()) }
    end
    return o, whose
  end

  local calls = {
    function(job) local o, whose = options(job) start(job, o, whose) end,
    function(job) local o, whose = options(job) start(job, o, whose) end,
    function(job) start(job) end,
    function(job)
      local ok, p = pcall(place, job)
      if ok and p then kept.places[#kept.places + 1] = { p, job } end
    end,
    function(job)
      local ok, plan = pcall(cluster.reserve, cluster, job)
      if ok and plan then
        kept.plans[#kept.plans + 1] = plan
        local ok, room = pcall(plan.room, plan, any(waiting()))
        if ok and room then kept.rooms[#kept.rooms + 1] = room end
      end
    end,
    function(job)
      if not has_book then return end
      local book = cluster:book()
      local view = R(2) == 1 and queue or queue:of(R(4))
      local how = R(4)
      if how == 1 then book:rebuild(view) is_settled = true
      elseif how == 2 then
        book:update(view, ({ "early_ends", "every_pass", "start_now" })[R(3)])
        is_settled = true
      elseif how == 3 then book:place(job)
      else book:drop(job) end
      if how <= 2 then
        local members = {}
        for j in view:all() do members[j.id] = true end
        for j in queue:all() do
          if book:of(j) and not members[j.id] then error("a reservation of no member") end
        end
      end
    end,
    function() if has_book then is_settled = false cluster:start_all(cluster:book()) end end,
    function() local r = running() if #r > 0 then pcall(cluster.suspend, cluster, any(r)) is_settled = false end end,
    function(job)
      if not has.tiers then return end
      local how = ({ "start_background", "swap", "migrate", "restart", "reserve" })[R(5)]
      local r = running()
      local ok, got = pcall(cluster.tiers[how], cluster.tiers, R(2) == 1 and job or any(r) or job, any(kept.rooms))
      if ok and how == "reserve" and got then kept.plans[#kept.plans + 1] = got end
      if ok and got then is_settled = false end
    end,
    function(job)
      if not has.packing then return end
      local all = waiting()
      for _, j in ipairs(running()) do all[#all + 1] = j end
      if #all == 0 then return end
      local ok, packed = pcall(cluster.packing.mcb, cluster.packing, all)
      if ok and packed then kept.packings[#kept.packings + 1] = packed end
      local ok, done = pcall(cluster.packing.apply, cluster.packing, any(kept.packings), { pause = R(2) == 1 })
      count(ok and "applied" or "wrong packing")
    end,
  }
  for _ = 1, 12 do
    local job = any(waiting())
    if not job then break end
    local number = R(#calls)
    calls[number](job)
    check("call " .. number)
  end
  if passes > 80 then
    for job in queue:startable() do cluster:start(job) end
  elseif queue:length() > 0 then
    cluster:wake_at(cluster:now() + R(3))
  end
  if passes % 40 == 0 then
    for _, what in ipairs { "started", "held", "wrong" } do
      print(what, told[what] or 0)
      told[what] = 0
    end
  end
end }
)lua";

struct Tried {
  std::string error;
  std::map<std::string, std::int64_t> told;
};

Tried try_wild(const TestMachine& machine, const std::vector<Job>& jobs,
               std::uint64_t seed) {
  Tried tried;
  bindings::PolicyOptions options;
  options.seed = seed;
  options.print = [&tried](std::string_view line) {
    const auto tab = line.find('\t');
    tried.told[std::string(line.substr(0, tab))] +=
        std::stoll(std::string(line.substr(tab + 1)));
  };
  try {
    bindings::LuaPolicy policy({"wild", "wild.lua", std::string(kWild)}, options);
    sim::Settings settings;
    settings.shares.emplace();
    sim::Simulation simulation(machine, settings, jobs, policy,
                               make_model(machine, jobs));
    audit::Auditor auditor({machine, settings, jobs, policy.traits()},
                           law_of(machine, jobs), audit::Thoroughness::kFull);
    simulation.audience().observe(auditor);
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const std::exception& error) {
    tried.error = error.what();
  }
  return tried;
}

std::vector<std::pair<std::string, TestMachine>> all_machines() {
  std::vector<std::pair<std::string, TestMachine>> all;
  all.emplace_back("pool", a_machine(8));
  all.emplace_back("pool of kinds", a_pool(8, 16, {{"licence", 3}}));
  all.emplace_back("hosts",
                   with_hosts({{"thin", 2, 2, 4 * kGib}, {"fat", 1, 4, kGib}}));
  all.emplace_back("two tiers", a_two_tier_machine(8));
  all.emplace_back("network", a_network_machine(8));
  all.emplace_back("fractions", a_fractional_machine(8, 0.5));
  for (auto& [name, machine] : all) machine.preemption = true;
  return all;
}

// The placement of a small job, for one of eight VMs.
const std::string kForeign =
    "return { schedule = function(queue, cluster) local small, big "
    "for job in queue:all() do if job.size == 1 then small = job else big = job end "
    "end\n"
    "if not big or big.state == 'running' then return end "
    "local place = PLACE(small)\n"
    "CALL end }";

Played foreign(const std::string& place, const std::string& call,
               const TestMachine& machine) {
  auto text = kForeign;
  text.replace(text.find("PLACE"), 5, place);
  text.replace(text.find("CALL"), 4, call);
  return play(text, {a_job(1, 0, 1, 100), a_job(2, 0, 8, 100)}, machine);
}

}  // namespace

TEST_SUITE("bindings/grants") {
  TEST_CASE("whatever a policy mixes, what is idle, held and reserved is the machine") {
    std::map<std::string, std::int64_t> told;
    for (const auto& [name, machine] : all_machines()) {
      for (std::uint64_t seed = 1; seed <= rounds(12); ++seed) {
        const auto& of_name = name;
        CAPTURE(of_name);
        CAPTURE(seed);
        RandomShape shape;
        shape.jobs = 20;
        shape.overruns = true;
        auto jobs = random_jobs(seed, shape);
        for (auto& job : jobs) job.set_memory(job.id % 3 * kGib / 8);
        const auto tried = try_wild(machine, jobs, seed);
        CHECK(tried.error.empty());
        if (!tried.error.empty()) MESSAGE(tried.error);
        for (const auto& [what, times] : tried.told) told[what] += times;
      }
    }
    CHECK(told["started"] > 100);
    CHECK(told["held"] > 0);
    CHECK(told["wrong"] > 0);
  }

  TEST_CASE("F22: a placement of another job is a wrong call, and nothing is taken") {
    for (const auto& [place, machine] :
         {std::pair{std::string("cluster.network:embed"), a_network_machine(8)},
          std::pair{std::string("cluster.hosts:choose"),
                    TestMachine(with_hosts({{"host", 4, 2}}))}}) {
      const auto& of_place = place;
      CAPTURE(of_place);
      const auto colon = place.find(':');
      const auto call = place.substr(0, colon) + "." + place.substr(colon + 1);
      const auto of =
          "(function(j) return " + call + "(" + place.substr(0, colon) + ", j) end)";
      const auto said = foreign(of, "cluster:start(big, { place = place })", machine);
      CAPTURE(said.error);
      CHECK(said.code == ErrorCode::kPolicy);
      CHECK(said.fails_with(
          "test.lua:3: start: the placement was made for job 1, and can be that of no "
          "other job"));
      CHECK(foreign(of,
                    "print(pcall(cluster.start, cluster, big, { place = place }), "
                    "big.state, cluster:idle()) cluster:start(small)",
                    machine)
                .printed.starts_with("false"));
      CHECK(foreign(of,
                    "pcall(cluster.start, cluster, big, { place = place }) "
                    "print(big.state, cluster:idle())",
                    machine)
                .printed.starts_with("waiting\t8\n"));
    }
  }

  TEST_CASE("F25: a book made anew of some jobs has no reservation of another job") {
    const auto with = [](const std::string& call) {
      return play(
          "return { schedule = function(queue, cluster) local book = "
          "cluster:book() local a, b = queue:of(1):head(), queue:of(2):head() "
          "if a and b then book:place(a) " +
              call +
              " print(book:of(a), book:of(b), book:free_at(0)) book:drop(a) "
              "print(book:free_at(0)) end cluster:start_all(queue) end }",
          [] {
            std::vector jobs{a_job(1, 0, 3, 10), a_job(2, 0, 1, 10)};
            jobs[0].user = 1;
            jobs[1].user = 2;
            return jobs;
          }());
    };
    for (const auto* call : {"book:rebuild(queue:of(2))", "book:update(queue:of(2))"}) {
      const auto said = with(call);
      CHECK(said.error.empty());
      CHECK(said.printed == "nil\t0.0\t3\n3\n");
    }
    CHECK(with("book:rebuild()").printed == "0.0\t0.0\t0\n3\n");
  }

  TEST_CASE("F49: a plan is asked about the placement that will be taken") {
    // Job 1 has half of the memory of host 2 until 10; job 2 is planned for then,
    // there. Job 3 ends behind that: on the two idle processors of host 2 it would be
    // in the way, on host 0 it is not.
    const auto machine =
        with_hosts({{"a", 1, 2, kGib}, {"b", 1, 1, kGib}, {"c", 1, 3, 4 * kGib}});
    const std::string policy =
        "return { schedule = function(queue, cluster) if cluster:now() > 0 then "
        "cluster:start_all(queue) return end "
        "local j = {} for job in queue:all() do j[job.id] = job end "
        "cluster:start(j[1]) local plan = cluster:reserve(j[2]) print(plan.start) "
        "local function on(host) return cluster.hosts:choose(j[3], function(h) return "
        "h "
        "== host and 1 or 0 end) end "
        "print(cluster:start(j[3], { place = on(2), under = plan })) "
        "print(cluster:start(j[3], { place = on(0), under = plan })) end }";
    std::vector jobs{a_job(1, 0, 1, 10), a_job(2, 0, 2, 10), a_job(3, 0, 2, 50)};
    jobs[0].set_memory(2 * kGib);
    jobs[1].set_memory(2 * kGib);
    const auto said = play(policy, jobs, machine);
    CHECK(said.error.empty());
    CHECK(said.printed == "10.0\nnil\theld\ntrue\n");
  }
}
