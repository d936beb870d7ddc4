// Jobs as a script sees them, and what every wrong call says.

#include <doctest/doctest.h>

#include "engine/audit/audit_failure.hpp"
#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Wrong {
  const char* call;
  const char* says;
};

constexpr Wrong kWrongCalls[]{
    {"cluster:wake_at(0/0)", "is not a time in seconds (nil means never)"},
    {"cluster:wake_at(1/0)", "inf is not a time in seconds (nil means never)"},
    {"cluster:wake_at(2e13)", "is not a time in seconds"},
    {"cluster:wake_at('soon')",
     "bad argument #1 to 'wake_at': seconds expected, got string"},
    {"cluster:wake_at(0)", "wake_at: 0 is not later than now (t=0)"},
    {"cluster:wake_at(-5)", "wake_at: -5 is not later than now (t=0)"},
    {"cluster:start()", "bad argument #1 to 'start': a job expected, got nothing"},
    {"cluster:start(1)", "bad argument #1 to 'start': a job expected, got number"},
    {"cluster:start(queue)", "bad argument #1 to 'start': a job expected, got table"},
    {"cluster:start(cluster:reserve(job))", "a job expected, got a plan"},
    {"cluster:start(queue:by('widest'))", "a job expected, got a view"},
    {"cluster:start(job, 4)", "a set of processors or { under = plan } expected"},
    {"cluster:start(job, { under = job })",
     "bad argument #2 to 'start': under: a plan expected"},
    {"cluster:start(job, { place = 3 })",
     "place: a placement or a set of processors expected"},
    {"cluster:start(job, { undr = cluster:reserve(job) })",
     "there is no option 'undr' (did you mean 'under'?)"},
    {"cluster:start(job) cluster:start(job)", "start: job 1 is running (t=0)"},
    {"cluster:suspend(job)", "suspend: job 1 is waiting (t=0)"},
    {"cluster:start(job) cluster:suspend(job)", "this machine allows no preemption"},
    {"cluster:reject(job) cluster:start(job)",
     "start: job 1 has already been rejected (t=0)"},
    {"cluster:start(job) cluster:reject(job)", "reject: job 1 is running (t=0)"},
    {"cluster:start(job) cluster:start_all(cluster:running())",
     "start: job 1 is running (t=0)"},
    {"cluster:start_all()",
     "bad argument #1 to 'start_all': a view, a selection or the book expected"},
    {"cluster:start_all(job)", "a view, a selection or the book expected"},
    {"cluster:start_all((queue:all()))", "a view, a selection or the book expected"},
    {"cluster.start_all(queue)", "start_all: call it with a colon"},
    {"cluster:backfill()", "bad argument #1 to 'backfill': a view expected"},
    {"cluster:backfill(cluster:book())", "a view expected"},
    {"cluster:backfill(queue:all())", "a view expected"},
    {"cluster:backfill(queue, 0.5)",
     "bad argument #2 to 'backfill': 0.5 is not a whole number"},
    {"cluster:backfill(queue, -2)", "-2 is less than -1"},
    {"cluster:backfill(queue, job)", "a whole number expected, got a job"},
    {"cluster.backfill(queue)", "backfill: call it with a colon"},
    {"cluster:start(job) cluster:reserve(job)", "reserve: job 1 is running (t=0)"},
    {"cluster.start(job)", "start: call it with a colon: cluster:start(...)"},
    {"cluster.now()", "now: call it with a colon: cluster:now(...)"},
    {"queue.head()", "head: call it on a view, with a colon: queue:head(...)"},
    {"cluster:book().next()", "next: call it with a colon: book:next(...)"},
    {"cluster:strat(job)", "cluster has no member 'strat' (did you mean 'start'?)"},
    {"queue:heads()", "queue has no member 'heads' (did you mean 'head'?)"},
    {"local x = job.waltime",
     "a job has no member 'waltime' (did you mean 'walltime'?)"},
    {"local x = job.length",
     "a job has no member 'length': true run times are hidden, because no scheduler "
     "knows them; use job.walltime, the user's estimate"},
    {"local x = job.run_time", "true run times are hidden"},
    {"local x = job[1]", "a job has no member [1]"},
    {"local x = job[{}]", "a job has no member [table]"},
    {"for j in queue do end",
     "a view is not a list: walk it with `for job in "
     "queue:all() do`, count it with queue:length()"},
    {"for j in queue:by('widest') do end", "a view is not a list"},
    {"for i, j in ipairs(queue) do end", "a view is not a list"},
    {"for i, j in ipairs(queue:by('widest')) do end", "a view is not a list"},
    {"for i = 1, #queue do end", "a view is not a list"},
    {"for i, j in pairs(queue) do end", "a view is not a list"},
    {"for i, j in pairs(queue:by('widest')) do end", "a view is not a list"},
    {"table.sort(queue, function(a, b) return a.size < b.size end)",
     "a view is not a list"},
    {"table.insert(queue, job)", "a view is not a list"},
    {"local x = next(queue)", "a view is not a list"},
    {"local x = #queue:by('widest')", "a view is not a list"},
    {"local x = queue[1]", "a view is not a list"},
    {"local x = queue:by('widest')[1]", "a view is not a list"},
    {"local x = #job", "a job is neither a function nor a list"},
    {"cluster:reserve(job)()", "a plan is neither a function nor a list"},
    {"cluster:reserve(job, 3)",
     "bad argument #2 to 'reserve': { keep = processors } expected"},
    {"cluster:reserve(job, { kep = 3 })",
     "there is no option 'kep' (did you mean 'keep'?)"},
    {"cluster:reserve(job, { keep = -1 })",
     "bad argument #2 to 'reserve': keep: a whole number, 0 or more, expected"},
    {"cluster:reserve(job, { keep = 0.5 })",
     "keep: a whole number, 0 or more, expected"},
    {"cluster:reserve(job, { keep = '1' })",
     "keep: a whole number, 0 or more, expected"},
    {"local x = cluster:reserve(job).strat",
     "a plan has no member 'strat' (did you mean "
     "'start'?)"},
    {"local x = queue:by('widest').haed",
     "a view has no member 'haed' (did you mean 'head'?)"},
    {"cluster:book():updat()", "book has no member 'updat' (did you mean 'update'?)"},
    {"cluster.tiers:swop(job)",
     "cluster.tiers has no member 'swop' (did you mean 'swap'?)"},
    {"local x = cluster.params.depth", "cluster.params has no member 'depth'"},
    {"cluster.params.depth = 1", "values of the engine cannot be changed"},
    {"job.size = 1", "values of the engine cannot be changed"},
    {"cluster.nwo = 1", "values of the engine cannot be changed"},
    {"queue.hed = 1", "values of the engine cannot be changed"},
    {"local x = job < 3", "a job expected, got number"},
    {"local x = job < cluster:reserve(job)", "a job expected, got a plan"},
    {"queue:by('shortest')",
     "bad argument #1 to 'by': the policy declares no order 'shortest'"},
    {"queue:by(7)", "bad argument #1 to 'by': text expected, got number"},
    {"queue:fitting('background')", "this machine has no tiers"},
    {"queue:tightest(1)",
     "bad argument #1 to 'tightest': a list of weights expected, got number"},
    {"queue:tightest({})",
     "bad argument #1 to 'tightest': a weight for each kind expected: there are 1"},
    {"queue:tightest({ 1, 1 })", "a weight for each kind expected: there are 1"},
    {"queue:tightest({ 0 / 0 })", "a weight expected for kind 1, got "},
    {"queue:tightest({ 'one' })", "a weight expected for kind 1, got string"},
    {"queue:after()", "bad argument #1 to 'after': a job expected, got nothing"},
    {"queue:backfillable()",
     "bad argument #1 to 'backfillable': a plan expected, got "
     "nothing"},
    {"queue:backfillable(cluster:reserve(job), -1)",
     "bad argument #2 to 'backfillable': -1 is less than 0"},
    {"queue:backfillable(cluster:reserve(job), 1.5)", "1.5 is not a whole number"},
    {"cluster:idle('memory')", "this machine has one kind of resource"},
    {"cluster:idle(2)", "this machine has one kind of resource"},
    {"cluster:used_fraction()", "this machine has one kind of resource"},
    {"cluster:happened('start')", "there is no kind of event 'start'"},
    {"cluster:has('teirs')",
     "bad argument #1 to 'has': there is no family 'teirs' (did you mean 'tiers'?)"},
    {"cluster:has(3)", "text expected, got number"},
    {"local x = cluster.teirs",
     "cluster has no member 'teirs' (did you mean 'tiers'?)"},
    {"cluster:because(('x'):rep(121))", "because: the reason has 121 bytes"},
    {"cluster:because(1)", "text expected, got number"},
    {"cluster:random(3, 1)", "interval is empty"},
    {"cluster:book():update(queue, 'often')",
     "\"early_ends\", \"every_pass\" or \"start_now\" expected"},
    {"cluster:book():earliest(0, 5)",
     "bad argument #1 to 'earliest': 0 is less than 1"},
    {"cluster:book():earliest(1, 0)", "a length must be more than 0"},
    {"cluster:book():earliest(1, 5, -1)", "that time has passed"},
    {"cluster:book():free_at(-1)", "that time has passed"},
    {"cluster:start(job) cluster:book():place(job)",
     "place: only a job in the queue can have a reservation"},
    {"cluster:reserve(job):admits(job, -1)", "a delay cannot be negative"},
    {"cluster:reserve(job):spare_of('memory')",
     "this machine has one kind of resource"},
    {"job:declared_use(1)", "this machine has no tiers"},
};

// Throws like an auditor when a job starts.
class Alarm : public sim::Observer {
 public:
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record&) override {
    throw audit::AuditFailure({audit::kCapacity, 0, {1}, "planted"});
  }
  void finish(Time) override {}
};

}  // namespace

TEST_SUITE("bindings/handles") {
  TEST_CASE("each wrong call raises, saying where and what") {
    for (const auto& wrong : kWrongCalls) {
      CAPTURE(wrong.call);
      const auto said = play(once(wrong.call));
      CAPTURE(said.error);
      CHECK(said.code == ErrorCode::kPolicy);
      CHECK(said.fails_with(wrong.says));
      CHECK(said.fails_with("test.lua:5: "));
      CHECK(said.fails_with("decision 1 at t=0"));
    }
  }

  TEST_CASE("a wrong call that pcall catches says the same, and the run goes on") {
    for (const auto& wrong : kWrongCalls) {
      CAPTURE(wrong.call);
      const auto said = play(once("local ok, why = pcall(function() " +
                                  std::string(wrong.call) + " end) print(ok, why)"));
      CHECK(said.error.empty());
      CHECK(said.printed.find("false") == 0);
      CHECK(said.printed.find(wrong.says) != std::string::npos);
    }
  }

  TEST_CASE("a function used as a number, and swapped arguments, are named") {
    for (const char* text :
         {"local fits = cluster.idle >= 4", "local n = cluster.idle + 1",
          "local fits = 4 < cluster.idle"}) {
      CAPTURE(text);
      CHECK(play(once(text))
                .fails_with("(a function is called with parentheses: cluster:idle())"));
    }
    CHECK(play(once("for job in cluster:all() do end"))
              .fails_with("cluster has no member 'all', but queue has: schedule gets "
                          "(queue, cluster)"));
    CHECK(play(once("queue:start(1)"))
              .fails_with("queue has no member 'start', but cluster has: schedule gets "
                          "(queue, cluster)"));
  }

  TEST_CASE("what the sandbox does not have is said to be withheld") {
    CHECK(play(once("local t = io.open('x')"))
              .fails_with("test.lua:5: attempt to index a nil value (global 'io') (not "
                          "in the sandbox: a policy reaches no files, clock or "
                          "processes, docs/sandbox.md)"));
    CHECK(play(once("local t = os.time()"))
              .fails_with("(not in the sandbox: cluster:now() is the time"));
  }

  TEST_CASE("a primitive that has no name where it is called says its own") {
    const auto said = [](const std::string& call) {
      return play(once("print(select(2, pcall(" + call + ")))"), two_jobs(),
                  a_two_tier_machine(4))
          .printed;
    };
    CHECK(said("cluster.size, cluster, 'memory'").find("bad argument #2 to 'size': ") !=
          std::string::npos);
    CHECK(said("cluster.tiers.swap, cluster.tiers, 1")
              .find("bad argument #2 to 'swap': a job expected, got number") !=
          std::string::npos);
    CHECK(said("job.declared_use, job, 'x'").find("#2 to 'declared_use': ") !=
          std::string::npos);
    CHECK(said("queue.head").find("head: call it on a view, with a colon") !=
          std::string::npos);
  }

  TEST_CASE("a wrong call changes nothing") {
    const std::string facts =
        "local function facts() return queue:length() .. ' ' .. cluster:idle() .. ' ' "
        ".. "
        "job.state .. ' ' .. tostring(cluster:book():of(job)) end local before = "
        "facts() ";
    for (const auto& wrong : kWrongCalls) {
      const std::string call(wrong.call);
      const bool acts = call.find("start(job) ") == 8 || call.find("reject(job) ") == 8;
      if (acts) continue;  // its first call is a right one
      CAPTURE(call);
      const auto said = play(once(facts + "pcall(function() " + call +
                                  " end) print(before == facts() or facts())"));
      CHECK(said.printed == "true\n");
    }
  }

  TEST_CASE("what the engine throws for other reasons leaves Lua uncatchably") {
    Alarm alarm;
    const auto said =
        play(once("print(pcall(cluster.start, cluster, job)) print('on')"), two_jobs(),
             a_machine(4), {}, &alarm);
    CHECK(said.code == ErrorCode::kAudit);
    CHECK(said.error ==
          "audit: capacity broken (C1, docs/model.md#c1) at t=0, job 1: planted");
    CHECK(said.printed.empty());
  }

  TEST_CASE("the fields of a job follow its life") {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(5);
    const auto said = play(
        R"(
local job
local function show(cluster)
  print(cluster:now(), job.state, job.start, job.elapsed, job.expected_end,
        job.walltime_left, job.frozen)
end
return {
  schedule = function(queue, cluster)
    local t = cluster:now()
    job = job or queue:head()
    if t == 0 then show(cluster) cluster:start(job) cluster:wake_at(10) end
    show(cluster)
    if t == 10 then cluster:suspend(job) show(cluster) cluster:wake_at(20) end
    if t == 20 then cluster:start(job) show(cluster) cluster:wake_at(62) end
  end,
})",
        {a_job(1, 0, 2, 80, 40), a_job(2, 100, 1, 1)}, machine);
    CHECK(said.error.find("job 1 has left: only id, submit and state are kept") !=
          std::string::npos);
    CHECK(said.printed ==
          "0.0\twaiting\tnil\tnil\tnil\t40.0\tfalse\n"
          "0.0\trunning\t0.0\t0.0\t40.0\t40.0\tfalse\n"
          "10.0\trunning\t0.0\t10.0\t40.0\t30.0\tfalse\n"
          "10.0\tsuspended\t0.0\t10.0\tnil\t30.0\tfalse\n"
          "20.0\tsuspended\t0.0\t20.0\tnil\t30.0\tfalse\n"
          "20.0\trunning\t0.0\t20.0\t55.0\t30.0\ttrue\n"
          "25.0\trunning\t0.0\t25.0\t55.0\t30.0\tfalse\n"
          "62.0\trunning\t0.0\t62.0\t115.0\t-7.0\tfalse\n"
          "95.0\tfinished\t0.0\t95.0\tnil\t-40.0\tfalse\n");
  }

  TEST_CASE("a job rejected stays readable until its decision is over") {
    const auto said = play(R"(
local kept
return { schedule = function(queue, cluster)
  if not kept then
    kept = queue:head()
    cluster:reject(kept)
    print(kept.state, kept.size)
    cluster:start(queue:head())
    return
  end
  print(kept.id, kept.submit, kept.state, pcall(function() return kept.size end))
end })");
    CHECK(said.printed.find("rejected\t2\n1\t0.0\trejected\tfalse\t") == 0);
    CHECK(said.printed.find("job 1 has left") != std::string::npos);
  }

  TEST_CASE("what the trace does not say is nil, what it says is a number") {
    auto jobs = two_jobs();
    jobs[0].group = 3;
    jobs[0].executable = 0;
    jobs[0].queue_class = 2;
    jobs[0].partition = 1;
    jobs[0].memory_kib = 1536 * 1024;
    const auto said = play(once("for _, j in ipairs { job, queue:by('widest'):head() } "
                                "do print(j.user, j.group, "
                                "j.executable, j.class, j.partition, j.memory) end"),
                           jobs);
    CHECK(said.printed == "7\t3\t0\t2\t1\t1.5\nnil\tnil\tnil\tnil\tnil\tnil\n");
  }

  TEST_CASE("jobs compare by arrival and serve as keys; pairs puts them behind texts") {
    const auto said = play(once(R"(
local other = queue:by('widest'):head()
print(job < other, other < job, job <= job, job == queue:head(), job == other)
local seen = { [other] = 'b', [job] = 'a', name = 'n' }
print(seen[queue:head()], seen[other])
for key, value in pairs(seen) do print(tostring(key), value) end
)"));
    CHECK(said.printed ==
          "true\tfalse\ttrue\ttrue\tfalse\na\tb\nname\tn\njob 1\ta\njob 2\tb\n");
  }

  TEST_CASE("handles of an earlier decision raise, jobs do not") {
    const auto said = play(R"(
local old
return { orders = { widest = function(job) return -job.size end },
schedule = function(queue, cluster)
  if not old then
    local walk, state = queue:all()
    old = { job = queue:head(), plan = cluster:reserve(queue:head()),
            view = queue:by('widest'), walk = walk, state = state }
    cluster:start(old.job)
    return
  end
  print(old.job.state)
  for _, f in ipairs { function() return old.plan.start end,
                       function() return old.view:head() end,
                       function() return old.walk(old.state) end,
                       function() return queue:backfillable(old.plan) end } do
    print((select(2, pcall(f)):gsub('^.-%d+: ', '')))
  end
  for job in queue:fitting() do cluster:start(job) end
end })");
    CHECK(said.printed.find(
              "finished\nthis plan belongs to an earlier decision: make a new one\n"
              "this view belongs to an earlier decision: make a new one\n"
              "this selection belongs to an earlier decision: make a new one\n"
              "this plan belongs to an earlier decision: make a new one\n") == 0);
  }
}
