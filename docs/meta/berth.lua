---@meta _
-- Written by `berth api --meta`.  Do not edit: change bindings/ and write it again.

---@alias seconds number   simulated seconds, always a float; nil means never

---@alias job_state
---| "waiting"
---| "running"
---| "suspended"
---| "finished"
---| "rejected"
---| "failed"

---@alias tier
---| "foreground"
---| "background"

---Kinds of event that lead to a pass.
---@alias event
---| "submit"
---| "end"
---| "foreground_end"
---| "background_end"
---| "unfrozen"
---| "wake"
---| "capacity"

---Why a request was not granted now.  An expected answer, never an error.
---@alias refusal
---| "busy"             # not enough is free now; may succeed later
---| "held"             # would break the plan it was started under
---| "too_big"          # can never succeed on this machine
---| "foreground_busy"  # a foreground slot it needs is taken
---| "no_room"          # no slot left for it
---| "no_embedding"     # the network cannot carry it now
---| "no_packing"       # the hosts cannot hold it now
---| "over_budget"      # would move more memory than allowed

---A walk over jobs: `for job in queue:fitting() do ... end`.
---@alias Selection fun(): Job?

---Processors a job may use.
---@class Processors

---Where a job sits on a network.
---@class Placement

---Jobs on hosts with their shares.
---@class Packing

---What a policy file returns.
---@class Policy
---@field schedule fun(queue: View, cluster: Cluster)
---@field on_submit? fun(job: Job, cluster: Cluster)
---@field on_end? fun(job: Job, cluster: Cluster)
---@field name? string
---@field paper? string
---@field params? table<string, table>
---@field orders? table<string, function|table>
---@field order? string
---@field passes? "every"|"when_a_job_fits" # what may be left out
---@field promises? "easy"|"conservative"|"top_first"

---A job: a small read-only value.
---@class (exact) Job
---@field size integer Processors asked for.
---@field id integer The trace's own number.
---@field walltime seconds The user's estimate of the run time.
---@field submit seconds When it was submitted.
---@field state job_state Where it is in its life.
---@field user integer? The user's number; nil if the trace has none.
---@field group integer? The group's number; nil if unknown.
---@field executable integer? The program's number; nil if unknown.
---@field class integer? The trace's queue number; nil if unknown.
---@field partition integer? The trace's partition; nil if unknown.
---@field start seconds? Its first start; nil if it never ran.
---@field elapsed seconds? Time since its first start; nil if it never ran.
---@field expected_end seconds? End of its planned time while it runs (now + grace once overrun), else nil.
---@field walltime_left seconds Walltime less progress, or less time since the start where speed is not guaranteed; below 0 once it has overrun.
---@field tier tier? The tier it runs in; nil on a machine without tiers.
---@field frozen boolean Whether it stands still after a move.
---@field memory number? GiB asked for by each processor; nil if none.
---@field cpu number? Processor share it needs; nil if none is given.
---@field bandwidth number? Mb/s of each VM; nil if none is given.
---@operator lt(Job): boolean
---@operator le(Job): boolean
local Job = {}

---Declared processor use of process i (machines with tiers).
---
---```lua
---not pcall(job.declared_use, job, 1)
---```
---@param i integer
---@return number?
function Job:declared_use(i) end

---An ordered set of jobs: the queue and its other orders.
---@class (exact) View
local View = {}

---First member; nil if the view is empty.
---
---```lua
---queue:head() == job
---```
---@return Job?
function View:head() end

---Members now.
---
---```lua
---queue:length() == 2
---```
---@return integer
function View:length() end

---Every member, in order.
---
---```lua
---(function() for j in queue:all() do return j == job end end)()
---```
---@return Selection
function View:all() end

---Members behind `job`.
---
---```lua
---(function() for j in queue:after(job) do return j.size == 4 end end)()
---```
---@param job Job
---@return Selection
function View:after(job) end

---Members in order while they fit; ends at the first that does not.
---
---```lua
---(function() for j in queue:startable() do return j == job end end)()
---```
---@return Selection
function View:startable() end

---Members (behind `after`) that fit now; with "background" those that fit the usable background slots.
---
---```lua
---(function() for j in queue:fitting(job) do return j.size == 4 end end)()
---```
---@param after? Job|"background"
---@return Selection
function View:fitting(after) end

---Members behind the last plan's job that fit now and that every plan admits; with a number last, only among the first so many members behind it.
---
---```lua
---(function() cluster:start(job); local plan = cluster:reserve(queue:head()); for j in queue:backfillable(plan) do return false end return true end)()
---```
---@param plan Plan
---@param ... Plan|integer
---@return Selection
function View:backfillable(plan, ...) end

---The fitting member that leaves the least idle; ties in order; nil if none.
---
---```lua
---queue:tightest().size == 4
---```
---@return Job?
function View:tightest() end

---The same members in an order that the policy declares, ties by (submit, id).
---
---```lua
---queue:by("widest"):head().size == 4
---```
---@param order string
---@return View
function View:by(order) end

---Nil if it could start now (under the plan), else why not.
---
---```lua
---queue:why_not(job) == nil
---```
---@param job Job
---@param plan? Plan
---@return refusal?
---@return integer? needed
---@return integer? available
---@return Job? by
function View:why_not(job, plan) end

---The machine, and what a policy can do to it.
---@class (exact) Cluster
---@field params table The policy's parameters with the values in force.
---@field tiers Tiers Two-tier machines.
---@field network Network Machines with a network.
---@field packing Packing Machines with fractional shares.
---@field shares Shares Fair shares of users.
local Cluster = {}

---The time.
---
---```lua
---cluster:now() == 0
---```
---@return seconds
function Cluster:now() end

---What is idle (default kind: processors).
---
---```lua
---cluster:idle() == 4
---```
---@param kind? string|integer
---@return integer
function Cluster:idle(kind) end

---What the machine has.
---
---```lua
---cluster:size() == 4
---```
---@param kind? string|integer
---@return integer
function Cluster:size(kind) end

---Part of the capacity that is in use.
---
---```lua
---cluster:used_fraction("processors") == 0
---```
---@param kind string|integer
---@return number
function Cluster:used_fraction(kind) end

---Part of the capacity that the job asks for.
---
---```lua
---cluster:need_fraction(job, 1) == 0.5
---```
---@param job Job
---@param kind string|integer
---@return number
function Cluster:need_fraction(job, kind) end

---How many kinds of resource there are.
---
---```lua
---cluster:kinds() == 1
---```
---@return integer
function Cluster:kinds() end

---Running jobs by (expected_end, id), as they are at the call; background jobs, whose end nobody can expect, come last.
---
---```lua
---(function() cluster:start(job); for j in cluster:running() do return j == job end end)()
---```
---@return Selection
function Cluster:running() end

---Start a waiting job, or resume a suspended one, now: all of it or none.
---
---```lua
---cluster:start(job) == true and job.state == "running"
---```
---@param job Job
---@param where? Processors|table
---@return true?
---@return refusal? why
function Cluster:start(job, where) end

---Start the members of a view, what a selection shows, or who is due in the book, in order, until one is refused: that one; nil if all were started.
---
---```lua
---cluster:start_all(queue).size == 4 and cluster:idle() == 2
---```
---@param jobs View|Selection|Book
---@return Job?
function Cluster:start_all(jobs) end

---Take a running job off the machine; its progress is kept and it returns to its place in the queue.
---
---```lua
---not pcall(cluster.suspend, cluster, job)
---```
---@param job Job
function Cluster:suspend(job) end

---A waiting job leaves for good.
---
---```lua
---(function() cluster:reject(job) return queue:length() == 1 end)()
---```
---@param job Job
function Cluster:reject(job) end

---A pass at `time`, later than now; the last call counts, nil clears.
---
---```lua
---not pcall(cluster.wake_at, cluster, cluster:now())
---```
---@param time? seconds
function Cluster:wake_at(time) end

---Whether events of this kind led to this pass.
---
---```lua
---cluster:happened("submit")
---```
---@param kind event
---@return boolean
function Cluster:happened(kind) end

---Reason (at most 120 bytes) attached to the next action of this decision.
---
---```lua
---cluster:because("it fits") == nil
---```
---@param text string
function Cluster:because(text) end

---As math.random, from the policy's own stream.
---
---```lua
---cluster:random(6) <= 6
---```
---@param m? integer
---@param n? integer
---@return number
function Cluster:random(m, n) end

---Whether the machine has tiers, network, packing or shares.
---
---```lua
---cluster:has("network") == false
---```
---@param family string
---@return boolean
function Cluster:has(family) end

---When the job could start by what is expected now; nothing is changed.
---
---```lua
---cluster:reserve(job).start == cluster:now()
---```
---@param job Job
---@return Plan?
---@return refusal? why
function Cluster:reserve(job) end

---A pass of EASY: start members in order until one is refused, reserve for it, and start whoever behind it does not delay it; only the first `depth` behind it are tried (nil, -1: all). The reservation; nil if there is none.
---
---```lua
---cluster:backfill(queue).job.size == 4 and cluster:idle() == 2
---```
---@param view View
---@param depth? integer
---@return Plan?
function Cluster:backfill(view, depth) end

---The policy's own reservations, kept between decisions.
---
---```lua
---cluster:book() == cluster:book()
---```
---@return Book
function Cluster:book() end

---Give all tasks of a job this yield at once (fractional machines).
---
---```lua
---not pcall(cluster.share, cluster, job, 1)
---```
---@param job Job
---@param yield number
function Cluster:share(job, yield) end

---When a job could start, and what is left over then.
---@class (exact) Plan
---@field job Job The job it was made for.
---@field start seconds The shadow time; now if the job fits now.
---@field spare integer Processors left over at that instant; negative once overdrawn.
---@field broken boolean Whether a start overdrew it.
local Plan = {}

---Whether a start now, frozen for `delay` first, respects the plan.
---
---```lua
---cluster:reserve(job):admits(queue:tightest()) == nil
---```
---@param job Job
---@param delay? seconds
---@return "in_time"|"spare"|nil
function Plan:admits(job, delay) end

---The processors the job may use under the plan; nil if none.
---
---```lua
---cluster:reserve(job):room(queue:tightest()) == nil
---```
---@param job Job
---@param delay? seconds
---@return Processors?
function Plan:room(job, delay) end

---What is left over of one kind of resource.
---
---```lua
---cluster:reserve(job):spare_of("processors") == 2
---```
---@param kind string|integer
---@return integer
function Plan:spare_of(kind) end

---Reservations kept between decisions.
---@class (exact) Book
local Book = {}

---A missed promise rebuilds in order; an early end (or "every_pass") gives every member its earliest start, never later than before ("start_now": those alone that can start at once); else new members are placed.
---
---```lua
---cluster:book():update() == "placed"
---```
---@param view? View
---@param compress? string
---@return "rebuilt"|"compressed"|"placed"|"unchanged"
function Book:update(view, compress) end

---Earliest start for one job, kept; nil: never.
---
---```lua
---cluster:book():place(job) == cluster:now()
---```
---@param job Job
---@return seconds?
function Book:place(job) end

---Give up its reservation; nothing happens if it has none.
---
---```lua
---cluster:book():drop(job) == nil
---```
---@param job Job
function Book:drop(job) end

---Its reserved start; nil if it has none.
---
---```lua
---cluster:book():of(job) == nil
---```
---@param job Job
---@return seconds?
function Book:of(job) end

---All reservations again, in this order.
---
---```lua
---(function() cluster:book():rebuild(queue) return cluster:book():of(job) == 0 end)()
---```
---@param view? View
function Book:rebuild(view) end

---Members whose reservation is now or earlier.
---
---```lua
---(function() cluster:book():update() for j in cluster:book():due() do return j == job end end)()
---```
---@return Selection
function Book:due() end

---Smallest later start; nil if there is none.
---
---```lua
---cluster:book():next() == nil
---```
---@return seconds?
function Book:next() end

---Earliest start at which `amount` stay free for `length`.
---
---```lua
---cluster:book():earliest(1, 60) == cluster:now()
---```
---@param amount integer
---@param length seconds
---@param from? seconds
---@return seconds?
function Book:earliest(amount, length, from) end

---Processors neither expected to be busy nor reserved at `time`.
---
---```lua
---cluster:book():free_at(0) == 4
---```
---@param time seconds
---@return integer
function Book:free_at(time) end

---Foreground and background slots of processors.
---@class (exact) Tiers
local Tiers = {}

---Queue plus background jobs, by (submit, id).
---
---```lua
---cluster.tiers:candidates():head() == job
---```
---@return View
function Tiers:candidates() end

---A waiting job onto usable background slots, least used foreground first.
---
---```lua
---cluster.tiers:start_background(job) and job.tier == "background"
---```
---@param job Job
---@return true?
---@return refusal? why
function Tiers:start_background(job) end

---A background job to the foreground in place.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:swap(job)
---```
---@param job Job
---@param room? Processors
---@return true?
---@return refusal? why
function Tiers:swap(job, room) end

---A background job to the foreground elsewhere, from the beginning.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:restart(job)
---```
---@param job Job
---@param room? Processors
---@return true?
---@return refusal? why
function Tiers:restart(job, room) end

---A background job to the foreground elsewhere, frozen for the migration cost.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:migrate(job)
---```
---@param job Job
---@param room? Processors
---@return true?
---@return refusal? why
function Tiers:migrate(job, room) end

---How long it would stand still if moved up now; 0 if it waits or can swap.
---
---```lua
---cluster.tiers:freeze(job) == 0
---```
---@param job Job
---@return seconds
function Tiers:freeze(job) end

---As cluster:reserve, with a background job pinned to its processors.
---
---```lua
---cluster.tiers:reserve(job).start == 0
---```
---@param job Job
---@return Plan?
---@return refusal? why
function Tiers:reserve(job) end

---Declared processor use of process i; nil if unknown.
---
---```lua
---cluster.tiers:use(job, 1) <= 1
---```
---@param job Job
---@param i integer
---@return number?
function Tiers:use(job, i) end

---Declared use of the foreground process above process i of a background job; 0 if there is none, nil if unknown.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:above(job, 1) == 0
---```
---@param job Job
---@param i integer
---@return number?
function Tiers:above(job, i) end

---Guaranteed bandwidth on a network.
---@class (exact) Network
local Network = {}

---Where the job could sit with its bandwidth guaranteed.
---
---```lua
---not pcall(cluster.network.embed, cluster.network)
---```
---@param job Job
---@param options? table
---@return Placement?
---@return refusal? why
function Network:embed(job, options) end

---Whether the empty network would take it.
---
---```lua
---not pcall(cluster.network.empty_embeds, cluster.network)
---```
---@param job Job
---@return boolean
function Network:empty_embeds(job) end

---Slots of the machine.
---
---```lua
---not pcall(cluster.network.slots, cluster.network)
---```
---@return integer
function Network:slots() end

---Slots that are free.
---
---```lua
---not pcall(cluster.network.idle_slots, cluster.network)
---```
---@return integer
function Network:idle_slots() end

---Largest request that has arrived, in Mb/s.
---
---```lua
---not pcall(cluster.network.max_bandwidth, cluster.network)
---```
---@return number
function Network:max_bandwidth() end

---Rate of a server link, in Mb/s.
---
---```lua
---not pcall(cluster.network.link_rate, cluster.network)
---```
---@return number
function Network:link_rate() end

---Fractional shares of hosts.
---@class (exact) Packing
local Packing = {}

---Multi-capacity bin packing, largest smallest yield.
---
---```lua
---not pcall(cluster.packing.mcb, cluster.packing)
---```
---@param jobs Job[]
---@param options? table
---@return Packing?
---@return refusal? why
function Packing:mcb(jobs, options) end

---Job by job onto the least loaded host.
---
---```lua
---not pcall(cluster.packing.greedy, cluster.packing)
---```
---@param jobs Job[]
---@param options? table
---@return Packing?
---@return refusal? why
function Packing:greedy(jobs, options) end

---Randomised rounding of the relaxed program.
---
---```lua
---not pcall(cluster.packing.rounding, cluster.packing)
---```
---@param jobs Job[]
---@param options? table
---@return Packing?
---@return refusal? why
function Packing:rounding(jobs, options) end

---The mixed integer program.
---
---```lua
---not pcall(cluster.packing.exact, cluster.packing)
---```
---@param jobs Job[]
---@param options? table
---@return Packing?
---@return number? gap
function Packing:exact(jobs, options) end

---The yield that no packing exceeds.
---
---```lua
---not pcall(cluster.packing.bound, cluster.packing)
---```
---@param jobs Job[]
---@return number
function Packing:bound(jobs) end

---A packing near the present one.
---
---```lua
---not pcall(cluster.packing.adapt, cluster.packing)
---```
---@param jobs Job[]
---@param options table
---@return Packing?
---@return refusal? why
function Packing:adapt(jobs, options) end

---The same with raised yields.
---
---```lua
---not pcall(cluster.packing.raise_average, cluster.packing)
---```
---@param packing Packing
---@return Packing
function Packing:raise_average(packing) end

---Starts, migrations and shares in one atomic step.
---
---```lua
---not pcall(cluster.packing.apply, cluster.packing)
---```
---@param packing Packing
---@return true?
---@return refusal? why
function Packing:apply(packing) end

---Who used how much, fading with time.
---@class (exact) Shares
local Shares = {}

---Decayed use of a user.
---
---```lua
---not pcall(cluster.shares.usage, cluster.shares)
---```
---@param user integer
---@return number
function Shares:usage(user) end

---Share weight of a user.
---
---```lua
---not pcall(cluster.shares.weight, cluster.shares)
---```
---@param user integer
---@return number
function Shares:weight(user) end

---Place of a user by use and weight.
---
---```lua
---not pcall(cluster.shares.rank, cluster.shares)
---```
---@param user integer
---@return integer
function Shares:rank(user) end
