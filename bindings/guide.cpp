#include "bindings/guide.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "bindings/examples.hpp"
#include "bindings/machine_calls.hpp"

namespace berth::bindings {

namespace {

constexpr std::array kTopics{
    Topic{
        "policy", "",
        R"(A policy is one Lua file that returns a table.  Only `schedule` is required; a field whose
name is none of these is the policy's own, unless it looks like a misspelling of one.

Times are seconds; `nil` means never.  "Not now" is `nil, reason`; a wrong call raises and
ends the run.  An action takes effect at once.

| function | may read | may do | is called |
|---|---|---|---|
| `schedule` | everything below | everything | once at each pass |
| `on_submit`, `on_end`, `on_host`, `on_hit` | everything below | `reject`, `wake_at`, `because` | once a job, before the pass |
| `estimate` | everything below | nothing: an action raises | once a job, as it has entered the queue; again when it returns after a hit |
| an order's `key` | the job, questions to `cluster`, `cluster.params` | nothing: an action raises | once a job, or as `refresh` says |
| a function passed into a call | as `schedule` | nothing | as the call says |

`berth new policy mine` writes one to begin with, `berth check mine.lua` tries it: on a machine
of 32 processors with 200 jobs of several users under every rule of the audit, then on the
[cases](#cases) of `mine.test.lua` beside it.)",
        R"(return {
  schedule = function(queue, cluster)
    for job in queue:startable() do cluster:start(job) end
  end,
}
)"},
    Topic{
        "schedule", "",
        R"(`schedule(queue, cluster)` makes the decisions of one pass.  All events of an instant are applied
first (ends, submits, the wake-up), then the hooks run, then `schedule`, once.  `queue` holds the
jobs that wait or are suspended, in the policy's `order`; `cluster` is the machine.)",
        R"(return {
  schedule = function(queue, cluster)
    local refused = cluster:start_all(queue)
    if refused and cluster:idle() > 0 then cluster:start_all(queue:fitting()) end
  end,
}
)"},
    Topic{
        "on_submit", "",
        R"(`on_submit(job, cluster)` is called before the pass of the instant at which the job comes, by
(submit, id).)",
        R"(return {
  on_submit = function(job, cluster)
    if job.size > cluster:size() // 2 and job.walltime > 24 * 3600 then cluster:reject(job) end
  end,
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
)"},
    Topic{
        "on_end", "",
        R"(`on_end(job, cluster)` is called before the pass of the instant at which the job ends, by job id
and before `on_submit`.  What a script counts by job or by user is given back here; the fields of
the job can still be read.)",
        R"(local used = {}                       -- processors by user
return {
  on_end = function(job)
    local user = job.user or -1
    used[user] = (used[user] or 0) - job.size
  end,
  schedule = function(queue, cluster)
    for job in queue:fitting() do
      local user = job.user or -1
      if cluster:start(job) then used[user] = (used[user] or 0) + job.size end
    end
  end,
}
)"},
    Topic{
        "on_host", "",
        R"(`on_host(host, up, cluster)` is called for each host, or processor of a pool, that drains, goes down or
comes back, by number, after `on_end` and before `on_hit`.)",
        R"(local down = 0
return {
  on_host = function(host, up) down = down + (up and -1 or 1) end,
  schedule = function(queue, cluster)
    if down < cluster:size() // 2 then cluster:start_all(queue) end
  end,
}
)"},
    Topic{
        "on_hit", "",
        R"(`on_hit(job, cluster)` is called for each job that lost a host, by job id: it waits again, is
returning to the queue, or has failed (`job.state`), and `job.attempt` counts the attempts that it
lost.  What a script counts for running jobs is given back here, too; a job that fails has an
`on_end` besides.)",
        R"(local hits = {}
return {
  on_hit = function(job) hits[job.id] = job.attempt end,
  schedule = function(queue, cluster)
    for job in queue:fitting() do
      if (hits[job.id] or 0) < 3 then cluster:start(job) end
    end
  end,
}
)"},
    Topic{
        "estimate", "",
        R"(`estimate(job, cluster)` answers how many seconds the job is expected to run, or nil for its
walltime; what is more than the walltime counts as the walltime.  It is called when the job has
entered the queue, after `on_submit`, or after `on_hit` of a job that is back.  Plans, reservations
and expected ends then go by it; the walltime stays the limit, and `job.estimate` is what is in
force.  Machines of sharing `exclusive` take estimates.)",
        R"(local took = {}                       -- by user
return {
  on_end = function(job) took[job.user or -1] = job.elapsed end,
  estimate = function(job) return took[job.user or -1] end,
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
)"},
    Topic{
        "name", "",
        R"(`name` is a title for readers of the file.  Commands and tables call the policy by its file.)",
        R"(return {
  name = "First come, first served",
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
)"},
    Topic{"paper", "", R"(`paper` is the source, shown by `berth policies`.)",
          R"(return {
  paper = "Mu'alem and Feitelson 2001",
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
)"},
    Topic{
        "params", "",
        R"(`params` are what can be set from outside: each has a `default` that is a number (with `min`
and `max`), a boolean, or a text out of `values`, and a line of `help`.  A script reads them as
`cluster.params.depth`; a run sets them by `--policy mine:depth=10`, `policies = [{ name =
"./mine.lua", depth = 10 }]` or `--set policies.mine.depth=10`.  A policy with a parameter off its
default is called `mine(depth=10)`.)",
        R"(return {
  params = {
    depth = { default = 100, min = 0, max = 1e6, help = "jobs tried behind the first" },
    block = { default = false, help = "start no job behind the first" },
    order = { default = "easy", values = { "easy", "first_fit" }, help = "what may pass" },
  },
  schedule = function(queue, cluster)
    local params = cluster.params
    if params.block then
      cluster:start_all(queue)
    elseif params.order == "easy" then
      cluster:backfill(queue, params.depth)
    else
      cluster:start_all(queue:fitting())
    end
  end,
}
)"},
    Topic{
        "orders", "",
        R"(`orders` are further orders of the queue: a key for each job, least first, ties by (submit, id).
The key is a finite number; anything else raises.  `queue:by("shortest")` is the queue in that
order.

* `shortest = function(job, cluster)`: the key is computed once, when the job enters the queue: at
  its submit, and again each time it returns from a suspension.
* `{ key = function(job, cluster), refresh = "every_pass" }`: the keys of all members are computed
  anew at each pass that is made.  It costs one call a job and pass.
* `{ key = ..., refresh = 300 }`: at the first pass at or after each multiple of so many seconds;
  that pass is never left out.
* `{ formula = "-waited * size", refresh = "every_pass" }`: the key is a formula, computed without
  a call of the script, several times faster where the queue is long.  A function of the parameters
  may return it.

A formula is arithmetic as Lua writes it, with `+ - * / ^`, parentheses and `abs exp log max min
sqrt` (`log(x, 2)` has a base), over

| name | |
|---|---|
| `size`, `walltime`, `submit` | of the job, in processors and seconds |
| `waited` | seconds since its submit |
| `factor` | `cluster.shares:factor(job)`, where jobs name users |
| `machine` | `cluster:size()` |
| `params.NAME` | a parameter that is a number |

One that reads `waited` or `factor` needs `refresh`; the keys of others are computed once.

A key that depends on more than the job (the clock, a table of the script) needs `refresh`.  This
is checked: `berth check` and `--audit full` compute keys again when their jobs leave the queue,
and fail if one has changed ([rule P2](model.md#p2)).  The order of a view does not change during a
decision.)",
        R"(return {
  orders = {
    shortest = function(job) return job.walltime end,
    oldest_first_of_the_wide = {
      refresh = 3600,
      key = function(job, cluster) return -(cluster:now() - job.submit) * job.size end,
    },
    most_waited_area = { refresh = 3600, formula = "-waited * size" },
  },
  schedule = function(queue, cluster)
    cluster:start_all(queue:by("oldest_first_of_the_wide"))
    cluster:start_all(queue:by("shortest"):fitting())
  end,
}
)"},
    Topic{
        "order", "",
        R"(`order` names the order in which `schedule` is given the queue; absent: by (submit, id).  Two
orders need no declaration: `"submit"`, and `"fair_share"` where jobs name users ([shares](model.md#shares)).)",
        R"(return {
  order = "shortest",
  orders = { shortest = function(job) return job.walltime end },
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
)"},
    Topic{
        "embedding", "",
        R"(`embedding` says where a plain `start` puts the VMs of a job on a network: a name
([embeddings](model.md#embeddings)), or a table with an order of servers of one's own, by a
`weight(slots, job, network)` for each number of idle slots or a
`server_weight(server, job, network)` for each server; larger ones come first.  `fill`, `scope` and
`whole_server_first` are those of the model.  Ignored on other machines ([networks.md](networks.md)).)",
        R"(return {
  embedding = { server_weight = function(server, _, network) return -network:uplink(server) end },
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
)"},
    Topic{
        "passes", "",
        R"(`passes = "when_a_job_fits"` states that `schedule` does nothing at a pass where no member of the
queue fits and no wake-up is due: it starts nothing, sets no wake-up, changes no book, draws no
number.  The engine then leaves such passes out, which saves time and changes no schedule.  The
default, `"every"`, leaves none out.  `berth check` and `--audit full` make the passes and fail if
one acts ([rule P1](model.md#p1)).)",
        R"(return {
  passes = "when_a_job_fits",
  schedule = function(queue, cluster) cluster:start_all(queue:fitting()) end,
}
)"},
    Topic{
        "promises", "",
        R"(`promises` names what the policy claims; the audit then judges it, see [model.md](model.md):

| value | claim |
|---|---|
| `"easy"` | the first job is never delayed ([R1](model.md#r1)) |
| `"conservative"` | a reservation never moves later ([R2](model.md#r2)) |
| `"top_first"` | the oldest job would not fit even without those that overtook it ([R3](model.md#r3)) |
| `"in_order"` | jobs start in the policy's order ([R4](model.md#r4)) |
| `"first_if_it_fits"` | the first job starts as soon as it fits ([R5](model.md#r5)) |

It may be a function of the parameters that returns one of them, or nil.)",
        R"(return {
  promises = "in_order",
  passes = "when_a_job_fits",
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
)"},
    Topic{
        "require", "",
        R"(`require "name"`, while the file is loaded, gives what `lib/name.lua` returns: the one beside
the policy, else the installed one.  Names are of `a-z`, `0-9` and `_`.  The libraries of Lua are
`math`, `string` and `table`, without files, clock or processes ([sandbox.md](sandbox.md)).)",
        R"(local sum = 0
return {
  schedule = function(queue, cluster)
    for job in queue:startable() do
      cluster:start(job)
      sum = sum + math.max(job.walltime, 1) * job.size
    end
  end,
}
)"},
    Topic{
        "cases", "",
        R"(`NAME.test.lua` beside `NAME.lua` returns a list of cases, small workloads of which the starts are
known, and properties of all workloads.  `berth test` and `berth check` run them.

```
return {
  { "the short job passes the wide one",
    processors = 4,
    jobs = { { 0, 3, 10 }, { 1, 4, 5 }, { 2, 1, 6, 8, user = 3 } },
    starts = { 0, 10, 2 } },
}
```

A job is `{ submit, size, length[, walltime] }` and may have `user = number` and `needs = { memory = 2,
gpu = 1 }`, what it needs besides processors (memory in GiB); without a walltime its estimate is exact.
On hosts a need is that of each chunk: of each processor, or with `needs = { chunks = 2, gpu = 1 }` of
each of two equal parts of the size; so `gpu = 2` of a job of 4 processors is 8 in all.  Of a kind of
the whole machine (`resources`, and of a pool all) it is that of the job, in all; memory of a pool is
times `chunks`, which is 1 if not given.  With devices there are also `gpus`, `share` and the texts
`types = "V100|T4"` and `class = "training"`.  A job that the empty machine cannot hold is rejected at its
submit: its `why` is `too_big`, and the message says what it lacks.
A start is a time, or `false`: the job must not start.  A case may have

* `params = { ... }` of the policy;
* of the machine `sharing` and `cpu_use`, `memory = GiB`, `resources = { licence = 30 }`, or in place of
  `processors` a list of groups `hosts = { { count = 4, processors = 16, memory = 64, gpu = 2 } }`;
* of the shares `half_life`, `weights = { [user] = weight }` and `charge = "dominant"`;
* `cycle = seconds` between passes, `pass = "event"`, `ties = "submits_first"`;
* every other key of a scenario (`berth run --help-keys`) in a table of its section, such as
  `machine = { migration_cost = 20 }`, but for those of jobs, of files and of studies.

Besides `starts`, or instead, a case may have `ends` and `why` by number of the job, `order`, `check =
function(run)`, and `holds = function(run, other)`, where `other` is the run of the policy that
`versus` names.  In place of `jobs` it may have `random = { jobs = 100, runs = 200 }`, or in place of
machine and jobs `scenario = "x.toml"` or `trace = "x.swf"`: see [testing.md](testing.md).)",
        R"(return {
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
)"},
    Topic{"refusals", "",
          R"(An action that cannot be done now returns `nil` and a word.  `start`:

| word | meaning |
|---|---|
| `busy` | too few processors are idle; it may succeed later |
| `held` | the plan of `under` does not admit the job now, where it would sit |
| `too_big` | it can never succeed on this machine |
| `no_embedding` | the network has no room for it now |
| `hosts_down` | it would fit with the hosts that are down |
| `window`, `user_window` | it would run into a window of maintenance, or of other users |
| `foreground_busy`, `no_room` | two tiers: a foreground slot is occupied; too few usable background slots |
| `no_packing`, `over_budget` | shared hosts: no room now; more memory would move than the budget allows |

The options of `start`: `place` is where (a set of processors, or a placement of hosts or the network,
which is for the job that it was made for: for any other it is a wrong call); `under` is a plan of
`cluster:reserve`: the job starts only if the plan admits it in the very place that it would take;
`instead_of` is a list of running jobs that are suspended in the same step, if the job then starts.
With both, on hosts and networks, the job has to end by the start of the plan, because its place is
known only once the others have gone.

`job.state` is `"waiting"`, `"running"`, `"suspended"`, `"finished"`, `"failed"` or `"rejected"`.)",
          R"(return {
  schedule = function(queue, cluster)
    for job in queue:all() do
      local started, why = cluster:start(job)
      if why == "too_big" then cluster:reject(job) end
      if not started then return end
    end
  end,
}
)"},
};

constexpr std::array kIdioms{
    Topic{"largest_first", "EASY in another order", "", kExampleLargestFirst},
    Topic{"wfp3", "EASY in an order that ages", "", kExampleWfp3},
    Topic{"user_limit", "At most so many jobs of a user", "", kExampleUserLimit},
    Topic{"selective", "Selective backfilling, with the book", "", kExampleSelective},
    Topic{"keep_tenth", "A part of the machine kept for short jobs", "",
          kExampleKeepTenth},
    Topic{"walk", "Walking a queue", "", kExampleWalk},
    Topic{"debug", "Debugging", "", kExampleDebug},
};

}  // namespace

std::span<const Topic> policy_topics() {
  static const auto kAll = [] {
    std::vector<Topic> all;
    const auto* const behind =
        std::find_if(kTopics.begin(), kTopics.end(),
                     [](const Topic& topic) { return topic.name == "require"; });
    all.insert(all.end(), kTopics.begin(), behind);
    // Fields that only some machines read stand behind the common ones.
    for (const auto& calls : machine_calls()) {
      all.insert(all.end(), calls.topics.begin(), calls.topics.end());
    }
    all.insert(all.end(), behind, kTopics.end());
    return all;
  }();
  return kAll;
}

std::span<const Topic> idioms() { return kIdioms; }

}  // namespace berth::bindings
