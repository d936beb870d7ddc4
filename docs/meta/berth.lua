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
---| "returning"

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
---| "host"
---| "window"

---Why a request was not granted now.  An expected answer, never an error.
---@alias refusal
---| "busy"             # not enough is free now; may succeed later
---| "held"             # would break the plan it was started under
---| "too_big"          # can never succeed on this machine
---| "foreground_busy"  # a foreground slot of its processors is taken
---| "no_room"          # too few usable slots
---| "no_embedding"     # the network has no room for it now
---| "hosts_down"       # it would fit with the hosts that are down
---| "window"           # it would run into a window of maintenance
---| "user_window"      # it would run into a window of other users
---| "limit"            # a limit of its user, group or queue bars it

---A walk over jobs: `for job in queue:fitting() do ... end`.
---@alias Selection fun(): Job?

---Processors a job may use.
---@class Processors

---An order of the queue: a key for each job, least first; one of the first two.
---@class Order
---@field key? fun(job: Job, cluster: Cluster): number
---@field formula? string|fun(params: table): string # over numbers of the job
---@field refresh? "every_pass"|number # when keys are computed anew; absent: never

---An order of servers of the policy's own: one of the two weights, larger ones first.
---@class Embedding
---@field weight? fun(slots: integer, job: Job, network: Network): number
---@field server_weight? fun(server: integer, job: Job, network: Network): number
---@field fill? "largest"|"count_up"|"whole_or_count_up"
---@field scope? "smallest_subtree"|"core_only"
---@field whole_server_first? boolean

---@alias promise "easy"|"conservative"|"top_first"|"in_order"|"first_if_it_fits"

---A switch of a network; tostring gives "edge 3".
---@class Switch

---What a policy file returns.
---@class Policy
---@field schedule? fun(queue: View, cluster: Cluster)
---@field pack? fun(packing: Packer, jobs: Job[], params: table): Packed?, string?
---@field on_submit? fun(job: Job, cluster: Cluster)
---@field on_end? fun(job: Job, cluster: Cluster)
---@field on_host? fun(host: integer, up: boolean, cluster: Cluster)
---@field on_hit? fun(job: Job, cluster: Cluster)
---@field estimate? fun(job: Job, cluster: Cluster): number? # seconds; nil: the walltime
---@field name? string
---@field paper? string
---@field params? table<string, table>
---@field orders? table<string, Order|fun(job: Job, cluster: Cluster): number>
---@field embedding? string|Embedding # where a plain start puts the VMs of a job, on a network
---@field order? string
---@field passes? "every"|"when_a_job_fits" # what may be left out
---@field promises? promise|fun(params: table): promise? # what the audit holds it to

---A job: a small read-only value.
---@class (exact) Job
---@field size integer Processors requested.
---@field id integer Its number in the trace.
---@field walltime seconds The user's estimate of the run time.
---@field submit seconds When it was submitted.
---@field state job_state Its present state.
---@field user integer? The user's number; nil if the trace has none.
---@field group integer? The group's number; nil if unknown.
---@field executable integer? The program's number; nil if unknown.
---@field class integer|string|nil The trace's queue number, or where the machine reads classes of jobs that; nil if unknown.
---@field partition integer? The trace's partition; nil if unknown.
---@field start seconds? Its first start, or of a job that lost a host that of its last attempt; nil if it never ran.
---@field elapsed seconds? Time since that start; nil if it never ran.
---@field expected_end seconds? Of a running job: its planned end, or a later instant once that has passed; else nil.
---@field estimate seconds What it is planned for: the walltime, or what the policy's `estimate` said, if that is less.
---@field walltime_left seconds Walltime less progress, or less the time since its start where speed is not guaranteed; negative once it has overrun.
---@field attempt integer Which of its attempts runs or ran last, from 1; 0 if it never ran.
---@field saved seconds Work that it keeps of attempts that lost a host: up to its last complete checkpoint.
---@field frozen boolean Whether it is frozen after a migration.
---@field memory number? GiB requested per processor, or needed by each task; nil if none.
---@field chunks integer Equal parts, each whole on one host; 1 in a pool.
---@field tier tier? The tier it runs in; nil on a machine without tiers.
---@field bandwidth number? Mb/s of each VM; nil on a machine without a network.
---@field cpu number? Part of a host that each task can use; nil if none is given.
---@field yield number? The part of its CPU need that a running job gets (machines shared by fractions); else nil.
---@field virtual_time seconds? Seconds at full speed that it has been given so far (machines shared by fractions); else nil.
---@field gpus integer? Devices that a chunk of it needs, 0 for none; nil on a machine without devices.
---@field share integer? Parts of one device that a chunk needs; nil: whole devices, or none.
---@field types string? Types of devices that it may use, as "V100|T4"; nil: any.
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

---Number of members, barred ones among them.
---
---```lua
---queue:length() == 2
---```
---@return integer
function View:length() end

---Every member, in order, also one that a limit bars from starting.
---
---```lua
---(function() for j in queue:all() do return j == job end end)()
---```
---@return Selection
function View:all() end

---Every member that no limit bars (see [limits]), in order: all of them where there are none. The selections below show no others, either.
---
---```lua
---(function() for j in queue:shown() do return j == job end end)()
---```
---@return Selection
function View:shown() end

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

---Members (behind `after`) that fit now; with "background", members that fit the usable background slots.
---
---```lua
---(function() for j in queue:fitting(job) do return j.size == 4 end end)()
---```
---@param after? Job|"background"
---@return Selection
function View:fitting(after) end

---Members behind the last plan's job that fit now and that every plan admits; with a number last, only among the first so many members behind that job.
---
---```lua
---(function() cluster:start(job); local plan = cluster:reserve(queue:head()); for j in queue:backfillable(plan) do return false end return true end)()
---```
---@param plan Plan
---@param ... Plan|integer
---@return Selection
function View:backfillable(plan, ...) end

---The fitting member that leaves the least idle: the part of each kind of resource, times its weight (1 each without a list), in sum; ties (1e-12) in order; nil if none.
---
---```lua
---queue:tightest().size == 4 and queue:tightest({ -1 }).size == 2
---```
---@param weights? number[]
---@return Job?
function View:tightest(weights) end

---The same members in an order that the policy declares, in "submit" or in "fair_share"; ties by (submit, id).
---
---```lua
---queue:by("widest"):head().size == 4
---```
---@param order string
---@return View
function View:by(order) end

---The numbers of the users with members in the view, by their first members, as of the call; -1: jobs that name none.
---
---```lua
---(function() for user in queue:users() do return user == 7 end end)()
---```
---@return fun(): integer?
function View:users() end

---The members of one user, in the order of the view; -1: jobs that name no user.
---
---```lua
---queue:of(7):head() == job and queue:of(job):length() == 1
---```
---@param who Job|integer
---@return View
function View:of(who) end

---Nil if the job could start now (under the plan), else the reason; on a machine with several kinds of resource the first that lacks, in whose unit the two numbers are, or "chunks" where no set of hosts has room for them.
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
---@return string? kind
function View:why_not(job, plan) end

---The machine, and what a policy can do to it.
---@class (exact) Cluster
---@field params table The policy's parameters and their values.
---@field tiers Tiers Foreground and background slots (machines with two tiers).
---@field network Network Servers with slots, and the links between them (machines with a network).
---@field packing Packer Packers: jobs in, a packing out (machines shared by fractions); the first argument of `pack`, too.
---@field shares Shares What users have been charged, and their weights (workloads that name users).
---@field hosts Hosts Hosts with processors, memory and other kinds (machines with hosts).
local Cluster = {}

---The time.
---
---```lua
---cluster:now() == 0
---```
---@return seconds
function Cluster:now() end

---Idle amount of one kind of resource (default: processors).
---
---```lua
---cluster:idle() == 4
---```
---@param kind? string|integer
---@return integer
function Cluster:idle(kind) end

---Amount that the machine has (default: processors).
---
---```lua
---cluster:size() == 4
---```
---@param kind? string|integer
---@return integer
function Cluster:size(kind) end

---Amount that the machine has on hosts that are up and in no window that has begun (default: processors).
---
---```lua
---cluster:capacity() == 4
---```
---@param kind? string|integer
---@return integer
function Cluster:capacity(kind) end

---The windows that are announced and have not ended, by their beginnings: of each name, from, to, processors, and lists of its hosts (in a pool none) and users (of maintenance none).
---
---```lua
---#cluster:windows() == 0
---```
---@return table
function Cluster:windows() end

---Amount in use (default: processors).
---
---```lua
---cluster:used() == 0
---```
---@param kind? string|integer
---@return integer
function Cluster:used(kind) end

---What the job asks for in all (default: processors).
---
---```lua
---cluster:need(job) == 2
---```
---@param job Job
---@param kind? string|integer
---@return integer
function Cluster:need(job, kind) end

---What one of its equal chunks asks for; of machine-wide kinds the whole.
---
---```lua
---cluster:chunk(job) == 2
---```
---@param job Job
---@param kind? string|integer
---@return integer
function Cluster:chunk(job, kind) end

---Name of a kind, by its number.
---
---```lua
---cluster:kind(1) == "processors"
---```
---@param number integer
---@return string
function Cluster:kind(number) end

---The part of the capacity that is in use.
---
---```lua
---cluster:used_fraction("processors") == 0
---```
---@param kind string|integer
---@return number
function Cluster:used_fraction(kind) end

---The part of the capacity that the job requests.
---
---```lua
---cluster:need_fraction(job, 1) == 0.5
---```
---@param job Job
---@param kind string|integer
---@return number
function Cluster:need_fraction(job, kind) end

---Number of kinds of resource.
---
---```lua
---cluster:kinds() == 1
---```
---@return integer
function Cluster:kinds() end

---Running jobs by (expected_end, id), as of the call; jobs without an expected end come last.
---
---```lua
---(function() cluster:start(job); for j in cluster:running() do return j == job end end)()
---```
---@return Selection
function Cluster:running() end

---Start a waiting job or resume a suspended one now, whole or not at all; options: place, under, instead_of.
---
---```lua
---cluster:start(job) == true and job.state == "running"
---```
---@param job Job
---@param where? Processors|Placement|table
---@return true?
---@return refusal? why
function Cluster:start(job, where) end

---Start the members of a view, a selection, or those due in the book, in order, until one is refused; returns that one, nil if all were started.
---
---```lua
---cluster:start_all(queue).size == 4 and cluster:idle() == 2
---```
---@param jobs View|Selection|Book
---@return Job?
function Cluster:start_all(jobs) end

---Suspend a running job; it keeps its progress and its place in the queue.
---
---```lua
---not pcall(cluster.suspend, cluster, job)
---```
---@param job Job
function Cluster:suspend(job) end

---Remove a waiting job for good.
---
---```lua
---(function() cluster:reject(job) return queue:length() == 1 end)()
---```
---@param job Job
function Cluster:reject(job) end

---Request a pass at `time`, later than now; the last call counts, nil cancels. Beyond 2^51 ticks (71 years) what reads as now is the next tick.
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

---Attach a reason (at most 120 bytes) to the next action of this decision.
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

---Whether the machine has this family of calls, such as "tiers".
---
---```lua
---cluster:has("tiers") == false
---```
---@param family string
---@return boolean
function Cluster:has(family) end

---Earliest start of the job by expected ends; changes nothing. With { keep = n } on a pool: with n more processors idle, beyond which the spare is counted.
---
---```lua
---cluster:reserve(job).spare == 2 and cluster:reserve(job, { keep = 1 }).spare == 1
---```
---@param job Job
---@param options? table
---@return Plan?
---@return refusal? why
function Cluster:reserve(job, options) end

---A pass of EASY: start members in order until one is refused, make a plan for it, and start the members behind it that the plan admits, among the first `depth` behind it (nil, -1: all); returns the plan, nil if there is none.
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

---Give all tasks of a running job this part, 0 to 1, of their CPU need; nil and "busy" if a host has not so much left (machines shared by fractions).
---
---```lua
---not pcall(cluster.share, cluster, job, 0.5)
---```
---@param job Job
---@param yield number
---@return true?
---@return refusal? why
function Cluster:share(job, yield) end

---When a job could start, and what is left over then.
---@class (exact) Plan
---@field job Job The job that the plan is for.
---@field start seconds Earliest start by expected ends (shadow time); now if the job fits now.
---@field spare integer? Processors left over at `start`; negative once overdrawn; nil on a network.
---@field broken boolean Whether a start overdrew it.
local Plan = {}

---Whether the job may start now, frozen for `delay` first: it ends by `start`, or fits beside the plan's job; nil: neither.
---
---```lua
---cluster:reserve(job):admits(queue:tightest()) == nil
---```
---@param job Job
---@param delay? seconds
---@return "in_time"|"spare"|nil
function Plan:admits(job, delay) end

---The processors that the job may use under the plan; nil if none.
---
---```lua
---cluster:reserve(job):room(queue:tightest()) == nil
---```
---@param job Job
---@param delay? seconds
---@return Processors?
function Plan:room(job, delay) end

---What is left over of one kind of resource; nil on a network.
---
---```lua
---cluster:reserve(job):spare_of("processors") == 2
---```
---@param kind string|integer
---@return integer?
function Plan:spare_of(kind) end

---Reservations kept between decisions.
---@class (exact) Book
local Book = {}

---Bring the book up to date: after a missed promise rebuild it in order; after an early end (or always, "every_pass") give every member its earliest start, never later than before ("start_now": only members that can then start at once); else place new members. Jobs that are not in the view lose their reservations.
---
---```lua
---cluster:book():update() == "placed"
---```
---@param view? View
---@param compress? string
---@return "rebuilt"|"compressed"|"placed"|"unchanged"
function Book:update(view, compress) end

---Reserve the earliest start of one job, in place of the reservation it may have; nil: never.
---
---```lua
---cluster:book():place(job) == cluster:now()
---```
---@param job Job
---@return seconds?
function Book:place(job) end

---Give up the job's reservation, if it has one.
---
---```lua
---cluster:book():drop(job) == nil
---```
---@param job Job
function Book:drop(job) end

---Reserved start of the job; nil if it has none.
---
---```lua
---cluster:book():of(job) == nil
---```
---@param job Job
---@return seconds?
function Book:of(job) end

---Make all reservations anew, in this order; jobs that are not in the view have none.
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

---Earliest reservation later than now; nil if there is none.
---
---```lua
---cluster:book():next() == nil
---```
---@return seconds?
function Book:next() end

---Earliest start at which `amount` processors stay free for `length`.
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

---Where a job would be put on a network.
---@class (exact) Placement
---@field level integer Level of its switch: 1 for an edge switch, and so on; 0: it is in one server.
---@field switch Switch? Where its virtual switch sits; nil if it is in one server at level 0.
---@field reserved number Mb/s on all links together.
---@field hidden boolean Whether nothing is reserved.
local Placement = {}

---Its VMs on a server.
---
---```lua
---cluster.network:embed(job):vms(0) == 2
---```
---@param server integer
---@return integer
function Placement:vms(server) end

---Its servers with their VMs, ascending; for loops.
---
---```lua
---cluster.network:embed(job):servers()() == 0
---```
---@return fun(): integer?
---@return integer?
function Placement:servers() end

---A packing: a host for each task, a yield for each job.
---@class (exact) Packed
---@field yield number The smallest yield of a job.
---@field mean_yield number The mean yield over jobs.
---@field moved number Memory of the tasks that would change host, in GiB.
---@field migrations integer Jobs that would change host.
local Packed = {}

---The yield of a job.
---
---```lua
---packing:mcb(jobs):yield_of(job) == 1
---```
---@param job Job
---@return number
function Packed:yield_of(job) end

---The host of a task, counted from 1 (1).
---
---```lua
---packing:greedy(jobs):host_of(job) == 0
---```
---@param job Job
---@param task? integer
---@return integer
function Packed:host_of(job, task) end

---Walk its jobs, by number.
---
---```lua
---packing:mcb(jobs):jobs()() == job
---```
---@return fun(): Job?
function Packed:jobs() end

---The same with what is left of the hosts given out: "average", "max_min" or "none".
---
---```lua
---packing:mcb(jobs):raised().mean_yield == 1
---```
---@param how? string
---@return Packed
function Packed:raised(how) end

---A packing in the making at one yield, in a fill.
---@class (exact) Draft
---@field yield number The yield that is tried.
---@field left integer Tasks that are not put.
local Draft = {}

---Walk the tasks that are not put: task, CPU (need times yield), memory; by number, or largest first by a key as in packing:mcb.
---
---```lua
---draft:tasks("max")() == 1
---```
---@param order? string|fun(cpu: number, memory: number): number
---@return fun(): integer?
---@return number?
---@return number?
function Draft:tasks(order) end

---Walk the hosts: host, CPU and memory left; with a task, those on which it fits.
---
---```lua
---draft:hosts(1)() == 0
---```
---@param task? integer
---@return fun(): integer?
---@return number?
---@return number?
function Draft:hosts(task) end

---Walk the tasks that are not put and fit the host now, as draft:tasks.
---
---```lua
---draft:fitting(0)() == 1
---```
---@param host integer
---@param order? string|fun(cpu: number, memory: number): number
---@return fun(): integer?
---@return number?
---@return number?
function Draft:fitting(host, order) end

---The host with room for the task that suits it best, the first of equals; nil: none has room. by: "cosine", the largest between what the task asks for and what the host has left; "dot", the largest sum of their products; "norm", the least sum of squares of what would be left (Panigrahy et al. 2011). A walk over the hosts by a score in Lua takes many times as long.
---
---```lua
---draft:choose(1, "cosine") == 0
---```
---@param task integer
---@param by string
---@return integer?
function Draft:choose(task, by) end

---Put each task that is not put, in an order as draft:tasks, on the host that draft:choose names; nil and "no_room" at the first that fits none.
---
---```lua
---draft:put_all("max", "norm")
---```
---@param order string|nil|fun(cpu: number, memory: number): number
---@param by string
---@return true?
---@return string? why
function Draft:put_all(order, by) end

---Put a task on a host; nil and "no_room" if it does not fit.
---
---```lua
---draft:put(1, 0)
---```
---@param task integer
---@param host integer
---@return true?
---@return string? why
function Draft:put(task, host) end

---Take a task off its host.
---
---```lua
---draft:put(1, 0) and draft:take(1) == nil
---```
---@param task integer
function Draft:take(task) end

---Put the tasks of a job, or of all jobs, on the hosts where they are now; such a packing is not renumbered.
---
---```lua
---draft:keep(job)
---```
---@param job? Job
---@return true?
---@return string? why
function Draft:keep(job) end

---CPU and memory left of a host.
---
---```lua
---draft:free(1) == 1
---```
---@param host integer
---@return number
---@return number
function Draft:free(host) end

---The sum of full CPU needs put on a host.
---
---```lua
---draft:load(0) == 0
---```
---@param host integer
---@return number
function Draft:load(host) end

---Whose task it is.
---
---```lua
---draft:job(1).id == job.id
---```
---@param task integer
---@return Job
function Draft:job(task) end

---Where the task was put; nil if it was not.
---
---```lua
---draft:host(1) == nil
---```
---@param task integer
---@return integer?
function Draft:host(task) end

---What `check` and `holds` of a case are given: the run that a metric is given, ToolRun, with whole levels, and these members besides.
---@class (exact) Run: ToolRun
---@field processors integer Processors of the machine.
---@field jobs Frame|fun(self: Run): table The frame that every run has; run:jobs() is a list of all jobs by (submit, number), each as run:job gives it.
local Run = {}

---A job, with number, size, user, submit, length, walltime, start, finish and wait; nil where a time is not known.
---
---```lua
---run:job(1).size == 2
---```
---@param number integer
---@return table
function Run:job(number) end

---The reason why a job did not start, at a time or that under which it waited longest, and its words; nil if it did not wait.
---
---```lua
---run:why(2) == "no_room"
---```
---@param number integer
---@param at? seconds
---@return string?
---@return string? words
function Run:why(number, at) end

---Foreground and background slots (machines with two tiers).
---@class (exact) Tiers
local Tiers = {}

---The queue and the background jobs, by (submit, id).
---
---```lua
---cluster.tiers:candidates():head() == job
---```
---@return View
function Tiers:candidates() end

---Start a waiting job on usable background slots, those under the least used foreground first.
---
---```lua
---cluster.tiers:start_background(job) and job.tier == "background"
---```
---@param job Job
---@return true?
---@return refusal? why
function Tiers:start_background(job) end

---Move a background job to the foreground of its processors.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:swap(job)
---```
---@param job Job
---@param room? Processors
---@return true?
---@return refusal? why
function Tiers:swap(job, room) end

---Move a background job to the foreground elsewhere; it starts anew.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:restart(job)
---```
---@param job Job
---@param room? Processors
---@return true?
---@return refusal? why
function Tiers:restart(job, room) end

---Move a background job to the foreground elsewhere, with its progress; it is frozen for the migration delay.
---
---```lua
---cluster.tiers:start_background(job) and cluster.tiers:migrate(job)
---```
---@param job Job
---@param room? Processors
---@return true?
---@return refusal? why
function Tiers:migrate(job, room) end

---How long the job would be frozen if promoted now; 0 if it waits or can swap.
---
---```lua
---cluster.tiers:freeze(job) == 0
---```
---@param job Job
---@return seconds
function Tiers:freeze(job) end

---As cluster:reserve, for a background job that stays on its processors.
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

---Walk the foreground jobs above the processes of a background job, by (submit, id).
---
---```lua
---(function() cluster.tiers:start_background(job) for above in cluster.tiers:jobs_above(job) do return false end return true end)()
---```
---@param job Job
---@return Selection
function Tiers:jobs_above(job) end

---Servers with slots, and the links between them (machines with a network).
---@class (exact) Network
local Network = {}

---Where the embedding in force would put the job, or the one that `by` names or describes, as the field `embedding`; on the network `without` the jobs of a list, or on the `empty` one.
---
---```lua
---cluster.network:embed(job).level == 1
---```
---@param job Job
---@param options? table
---@return Placement?
---@return refusal? why
function Network:embed(job, options) end

---A placement by hand, { [server] = VMs, ... } below a switch.
---
---```lua
---cluster:start(job, { place = cluster.network:place(job, cluster.network:switches()(), { [0] = 1, [1] = 1 }) })
---```
---@param job Job
---@param switch Switch
---@param vms table
---@return Placement?
---@return refusal? why
---@return string? link
---@return number? needed
---@return number? left
function Network:place(job, switch, vms) end

---The servers, or those below a switch, ascending; for loops.
---
---```lua
---cluster.network:servers()() == 0
---```
---@param switch? Switch
---@return fun(): integer?
function Network:servers(switch) end

---The switches, or those of a level, ascending; for loops.
---
---```lua
---tostring(cluster.network:switches(1)()) == "edge 0"
---```
---@param level? integer
---@return fun(): Switch?
function Network:switches(level) end

---Slots of a server; without one, of the server that has most.
---
---```lua
---cluster.network:slots() == 2
---```
---@param server? integer
---@return integer
function Network:slots(server) end

---Idle slots of a server.
---
---```lua
---cluster.network:idle_slots(1) == 2
---```
---@param server integer
---@return integer
function Network:idle_slots(server) end

---Idle slots of all servers below a switch.
---
---```lua
---cluster.network:idle_below(cluster.network:switches()()) == 4
---```
---@param switch Switch
---@return integer
function Network:idle_below(switch) end

---Mb/s that are left on the link of a server.
---
---```lua
---cluster.network:uplink(0) == 100
---```
---@param server integer
---@return number
function Network:uplink(server) end

---Mb/s of the link of a server; without one, of the first.
---
---```lua
---cluster.network:link_rate() == 100
---```
---@param server? integer
---@return number
function Network:link_rate(server) end

---Least that is left, in Mb/s, on the links that the placement uses; nil if it uses none.
---
---```lua
---cluster.network:left(cluster.network:embed(job)) == nil
---```
---@param placement Placement
---@return number?
function Network:left(placement) end

---The largest bandwidth that has arrived, in Mb/s.
---
---```lua
---cluster.network:largest_request() == job.bandwidth
---```
---@return number
function Network:largest_request() end

---Packers: jobs in, a packing out (machines shared by fractions); the first argument of `pack`, too.
---@class (exact) Packer
local Packer = {}

---Multi-capacity bin packing (MCB1 to MCB8), the largest yield by search; options: key ("sum", "difference", "ratio", "max" or a function of cpu and memory; "max"), descending (true).
---
---```lua
---packing:mcb(jobs, { key = "sum" }).yield == 1
---```
---@param jobs Job[]|View
---@param options? table
---@return Packed?
---@return string? why
function Packer:mcb(jobs, options) end

---Task by task onto the least loaded host with the memory (GR, SG, GB, SGB); options: sorted (false: by number, true: largest memory first), backtrack (tests of a task on a host; 0: none).
---
---```lua
---packing:greedy(jobs, { sorted = true }).yield == 1
---```
---@param jobs Job[]|View
---@param options? table
---@return Packed?
---@return string? why
function Packer:greedy(jobs, options) end

---Randomised rounding of the relaxed program (RRND; RRNZ with epsilon = 0.01).
---
---```lua
---packing.rounding ~= nil
---```
---@param jobs Job[]|View
---@param options? table
---@return Packed?
---@return string? why
function Packer:rounding(jobs, options) end

---The best packing found, and by which share of the bound it may be short of the optimum; options: nodes (1000000), solver ("search" or "milp").
---
---```lua
---select(2, packing:exact(jobs)) == 0
---```
---@param jobs Job[]|View
---@param options? table
---@return Packed?
---@return number|string gap
function Packer:exact(jobs, options) end

---The largest yield at which `fill` puts every task, by bisection; options: tolerance, yield (only this one is tried, and given to all).
---
---```lua
---packing:search(jobs, function(draft) for task in draft:tasks() do draft:put(task, 0) end end).yield == 1
---```
---@param jobs Job[]|View
---@param fill fun(draft: Draft)
---@param options? table
---@return Packed?
---@return string? why
function Packer:search(jobs, fill, options) end

---As search, over a list of fills and of names "mcb1" to "mcb8": at each yield the first that puts every task.
---
---```lua
---packing:best(jobs, { "mcb8", "mcb5" }).yield == 1
---```
---@param jobs Job[]|View
---@param fills (string|fun(draft: Draft))[]
---@return Packed?
---@return string? why
function Packer:best(jobs, fills) end

---Moves and swaps off the most loaded host; never worse; option: budget (memory that may change host in all, in GiB).
---
---```lua
---packing:improve(packing:mcb(jobs)).yield == 1
---```
---@param packed Packed
---@param options? table
---@return Packed
function Packer:improve(packed, options) end

---A packing near the present placement; option: budget (memory that may change host, in GiB).
---
---```lua
---packing:adapt(jobs, { budget = 0 }).yield == 1
---```
---@param jobs Job[]|View
---@param options? table
---@return Packed?
---@return string? why
function Packer:adapt(jobs, options) end

---The yield that no packing exceeds; nil if the jobs cannot fit.
---
---```lua
---packing:bound(jobs) == 1
---```
---@param jobs Job[]|View
---@return number?
function Packer:bound(jobs) end

---GiB of a host; 1 in a packing study, where memory is a share of a host.
---
---```lua
---packing:memory() == 1
---```
---@return number
function Packer:memory() end

---In a run: the running jobs and the longest prefix of the view that `pack` packs (default: mcb), of a list its longest prefix; nil if not even the running jobs pack; options: least_yield (0), depth (most jobs admitted).
---
---```lua
---cluster.packing:admit(queue).yield == 1
---```
---@param jobs View|Job[]
---@param pack? fun(packing: Packer, jobs: Job[]): Packed?
---@param options? table
---@return Packed?
function Packer:admit(jobs, pack, options) end

---In a run, one atomic step: waiting jobs start, suspended ones resume, running ones move or get other shares; with { pause = true } running jobs that the packing leaves out are suspended, else they raise.
---
---```lua
---cluster.packing:apply(cluster.packing:mcb(queue)) and job.yield == 1
---```
---@param packed Packed
---@param options? table
---@return true?
---@return refusal? why
function Packer:apply(packed, options) end

---What users have been charged, and their weights (workloads that name users).
---@class (exact) Shares
local Shares = {}

---What the user has been charged, decayed, in processor seconds.
---
---```lua
---cluster.shares:usage(job) == 0
---```
---@param who Job|integer
---@return number
function Shares:usage(who) end

---The user's weight: 1 unless the scenario says another one.
---
---```lua
---cluster.shares:weight(7) == 1
---```
---@param who Job|integer
---@return number
function Shares:weight(who) end

---How well the user stands, from 0 to 1; 1 while no user has usage.
---
---```lua
---cluster.shares:factor(job) == 1
---```
---@param who Job|integer
---@return number
function Shares:factor(who) end

---The user's place by the rule of the scenario; 1 is served first, equals share a place.
---
---```lua
---cluster.shares:rank(7) == 1
---```
---@param who Job|integer
---@return integer
function Shares:rank(who) end

---What the user's running jobs hold now (default: processors).
---
---```lua
---cluster:start(job) and cluster.shares:held(7) == 2
---```
---@param who Job|integer
---@param kind? string|integer
---@return integer
function Shares:held(who, kind) end

---The largest part of the capacity of any kind that the user holds now.
---
---```lua
---cluster:start(job) and cluster.shares:dominant(job) == 0.5
---```
---@param who Job|integer
---@return number
function Shares:dominant(who) end

---The first job of each user that fits now, the user first with the smallest dominant share for its weight, asked anew after each; a user whose job is not started is passed over.
---
---```lua
---(function() for j in cluster.shares:turns() do return j == job end end)()
---```
---@return Selection
function Shares:turns() end

---How many of the user's jobs are in the queue.
---
---```lua
---cluster.shares:waiting(7) == 1
---```
---@param who Job|integer
---@return integer
function Shares:waiting(who) end

---Hosts with processors, memory and other kinds (machines with hosts).
---@class (exact) Hosts
local Hosts = {}

---Number of hosts, which are numbered from 0.
---
---```lua
---cluster.hosts:count() == 2
---```
---@return integer
function Hosts:count() end

---Name of the group of a host.
---
---```lua
---cluster.hosts:group(0) == "host"
---```
---@param host integer
---@return string
function Hosts:group(host) end

---Amount that the host has (default: processors); 0 of machine-wide kinds.
---
---```lua
---cluster.hosts:size(1) == 2
---```
---@param host integer
---@param kind? string|integer
---@return number
function Hosts:size(host, kind) end

---Idle amount of the host (default: processors); 0 of machine-wide kinds.
---
---```lua
---cluster.hosts:idle(1) == 2
---```
---@param host integer
---@param kind? string|integer
---@return number
function Hosts:idle(host, kind) end

---Whether the host is up, or takes no job as those on it run on, or is down.
---
---```lua
---cluster.hosts:state(1) == "up"
---```
---@param host integer
---@return "up"|"drain"|"down"
function Hosts:state(host) end

---When a host that drains or is down is expected back, later once that has passed; nil of one that is up.
---
---```lua
---cluster.hosts:back_at(1) == nil
---```
---@param host integer
---@return seconds?
function Hosts:back_at(host) end

---Chunks of the job that fit on the host now; 0 where its partition may not go.
---
---```lua
---cluster.hosts:room(job, 0) == 2
---```
---@param job Job
---@param host integer
---@return integer
function Hosts:room(job, host) end

---Where the job would sit: hosts by weight, larger first, ties by number, as many chunks as fit on each; without a rule by number. The rule is called once for each host with room.
---
---```lua
---cluster:start(job, cluster.hosts:choose(job, function(host) return host end))
---```
---@param job Job
---@param rule? fun(host: integer): number
---@return Placement?
---@return refusal? why
function Hosts:choose(job, rule) end

---Type of the devices of a host; nil where it has none (machines with devices, as all that follow).
---
---```lua
---not pcall(cluster.hosts.type, cluster.hosts, 0)
---```
---@param host integer
---@return string?
function Hosts:type(host) end

---Name of a host.
---
---```lua
---not pcall(cluster.hosts.name, cluster.hosts, 0)
---```
---@param host integer
---@return string
function Hosts:name(host) end

---Parts of a device.
---
---```lua
---not pcall(cluster.hosts.parts, cluster.hosts)
---```
---@return integer
function Hosts:parts() end

---Walk the devices of a host by number, each with its idle parts.
---
---```lua
---not pcall(cluster.hosts.devices, cluster.hosts, 0)
---```
---@param host integer
---@return fun(): integer?
---@return integer?
function Hosts:devices(host) end

---What one chunk of the job takes there; of "gpu" the parts of its devices, a share rounded up to a slice, 0 if no slice suffices.
---
---```lua
---not pcall(cluster.hosts.ask, cluster.hosts, job, 0)
---```
---@param job Job
---@param host integer
---@param kind? string|integer
---@return number
function Hosts:ask(job, host, kind) end

---The most of a kind that one host has (default: cpu).
---
---```lua
---not pcall(cluster.hosts.largest, cluster.hosts)
---```
---@param kind? string|integer
---@return number
function Hosts:largest(kind) end

---Walk the hosts with room for a chunk of the job, by number.
---
---```lua
---not pcall(cluster.hosts.candidates, cluster.hosts, job)
---```
---@param job Job
---@return fun(): integer?
function Hosts:candidates(job) end

---Walk the running jobs with a chunk on the host, by (submit, id).
---
---```lua
---not pcall(cluster.hosts.jobs, cluster.hosts, 0)
---```
---@param host integer
---@return Selection
function Hosts:jobs(host) end

---Work per second of a chunk of the job there; 0 where its types or its partition may not go.
---
---```lua
---not pcall(cluster.hosts.rate, cluster.hosts, job, 0)
---```
---@param job Job
---@param host integer
---@return number
function Hosts:rate(job, host) end

---Idle parts of the host, or of all hosts, that a job drawn from the target could not use; with a chunk of `job` more there: a share on `device`, whole devices on the lowest idle ones.
---
---```lua
---not pcall(cluster.hosts.fragmentation, cluster.hosts)
---```
---@param host? integer
---@param job? Job
---@param device? integer
---@return number
function Hosts:fragmentation(host, job, device) end

---A placement of all chunks on the host, the first share on `device`.
---
---```lua
---not pcall(cluster.hosts.place, cluster.hosts, job, 0)
---```
---@param job Job
---@param host integer
---@param device? integer
---@return Placement?
---@return refusal? why
function Hosts:place(job, host, device) end

---What the file of a metric of one's own returns.
---@class (exact) Metric
---@field name string Small letters, digits and _.
---@field unit string? Of the value: "s", "fraction".
---@field better string? "less", "more" or "neither" (which is the default).
---@field says string? What it measures, in one sentence.
---@field of function? Called with the run; answers a number, or nil where it is undefined, and the jobs behind it (#run.finished).
---@field each function? Instead of `of`, for a mean over jobs: answers a column with a value for each row of run.finished, and a mask of those that count.
---@field needs table? A list of "levels" (run.levels is whole) and "reasons" (run.waits, run.blocks and run.blockers are there; the run takes longer).
local Metric = {}

---The run that a metric is given.
---@class (exact) ToolRun
---@field policy string The label of the policy.
---@field title string The title of the scenario.
---@field seed integer The seed.
---@field counts table Counts as in summary.json: submitted, rejected, finished, kills, passes, ...
---@field audited table? How often the audit checked each rule of docs/model.md, by its code; of a rule that it never checked nil. A run that breaks one has no results. nil without an audit.
---@field window table What is measured: from and to, in seconds; nil where no job submitted or ended.
---@field settings table The settings in force, by key; nil where one is left open.
---@field machine table The machine: processors, sharing, kinds (a list of name and amount), hosts (a list of name and count).
---@field jobs Frame All submitted jobs, in the order (submit, id): whole numbers id, size, user, group, queue, partition, executable, kills, migrations, swaps, suspensions; times submit, walltime, length, start, finish, wait, response, lost_time, and eet with expectations; numbers slowdown, bounded_slowdown, stretch, area, need.KIND and what else the machine tells; text state: finished, failed, rejected or left.
---@field finished Frame The measured jobs that finished, over which the built-in means are; in a metric over a class of jobs, those of the class.
---@field users Frame A row for each user: user, weight, jobs, finished, mean_wait, mean_bounded_slowdown, processor_seconds.
---@field waits Frame In `berth explain`, and with needs = { "reasons" }: a row for each job and reason, by job: job, its row in jobs; reason; rank, the place of the reason in the order of `berth api reasons`; times seconds, first, last; passes; blocker, the row of the job in the way longest, 0 for none; waited, true once for each job that waited.
---@field blocks Frame As waits: a row for each job, reason and job in the way: job, the row of the latter, and seconds.
---@field blockers Frame As waits: a row for each job that was in the way, by job: job, its row in jobs; seconds, the sum of those of blocks; waits, how many rows of waits.
---@field levels table Step functions queue, used, idle and kind.NAME; whole with needs = { "levels" }, else in bins, on which :at raises.
---@field others table Runs of the same jobs under other policies, by label: in `berth explain --between`.
local ToolRun = {}

---Row for row the jobs that finished, measured, in this run and in another one, by number: frames like finished.
---
---```lua
---#run:common(run) == 2
---```
---@param other ToolRun
---@return Frame
---@return Frame
function ToolRun:common(other) end

---A metric of the run, and the jobs behind it; nil if it is undefined.
---
---```lua
---run:metric("mean_wait") == 15
---```
---@param name string
---@return number?
---@return integer n
function ToolRun:metric(name) end

---The sweep that a tool is given.
---@class (exact) ToolSweep
---@field axes table[] What varies, but the seed: a list of key and values.
---@field points table[] The points in the order of the grid: settings by key, without the seed, and text.
---@field policies string[] Labels of the policies.
---@field classes string[] Names of the classes of jobs; "user=" of a class for each user.
---@field seeds integer How many seeds there are.
local ToolSweep = {}

---A number for each seed, false without one; and the jobs behind each.
---
---```lua
---sweep:values("mean_wait", 1, "fcfs")[2] == 30
---```
---@param metric string
---@param point integer
---@param policy string
---@return (number|false)[]
---@return number[]
function ToolSweep:values(metric, point, policy) end

---The numbers of policy and base for each seed, and how many jobs they are over: those that finished under both, where one of the two is the first policy and the metric is a mean over jobs; else 0, and the numbers are those of the runs.
---
---```lua
---select(2, sweep:pairs("mean_wait", 1, "easy", "fcfs"))[1] == 18
---```
---@param metric string
---@param point integer
---@param policy string
---@param base string
---@return (number|false)[]
---@return (number|false)[]
---@return number[]
function ToolSweep:pairs(metric, point, policy, base) end

---The values of the batches of a run, in a sweep with them.
---
---```lua
---sweep:batches("mean_wait", 1, "fcfs", 1) == nil
---```
---@param metric string
---@param point integer
---@param policy string
---@param seed integer
---@return number[]?
function ToolSweep:batches(metric, point, policy, seed) end

---The counts of a run, as run.counts; nil without a result.
---
---```lua
---sweep:counts(1, "fcfs", 1).finished == 4
---```
---@param point integer
---@param policy string
---@param seed integer
---@return table?
function ToolSweep:counts(point, policy, seed) end

---How full the queue was up to the last submit: never_empties, the longest time with jobs in it, and the span of the submits; nil without a result.
---
---```lua
---sweep:queue(1, "fcfs", 1).span == 10
---```
---@param point integer
---@param policy string
---@param seed integer
---@return table?
function ToolSweep:queue(point, policy, seed) end

---A row for each user, as run.users without weights; nil without a result.
---
---```lua
---sweep:users(1, "fcfs", 1).user[1] == 7
---```
---@param point integer
---@param policy string
---@param seed integer
---@return Frame?
function ToolSweep:users(point, policy, seed) end

---Why a run has no result under some seed.
---
---```lua
---sweep:failure(1, "fcfs") == nil
---```
---@param point integer
---@param policy string
---@return string?
function ToolSweep:failure(point, policy) end

---Whether the queue holds jobs for most of the time under some seed.
---
---```lua
---not sweep:is_full(1, "fcfs")
---```
---@param point integer
---@param policy string
---@return boolean
function ToolSweep:is_full(point, policy) end

---Whether all seeds gave the same.
---
---```lua
---not sweep:is_one_run(1, "fcfs")
---```
---@param point integer
---@param policy string
---@return boolean
function ToolSweep:is_one_run(point, policy) end

---What a file of claims declares: claim { ... }.
---@class (exact) Claim
---@field [1] string The row: "1a".
---@field says string The paper's sentence in one's own words, at most 72 characters.
---@field figure string? Where the paper says it: "Fig. 4a", "abstract".
---@field number number? The number that the paper prints.
---@field within table? Bounds that the paper states: { least, most }.
---@field unit string? Of number: "%" of the base (default), "pp" (percentage points), or the metric's.
---@field sweep string|table The scenario beside the file; of a list the points of all.
---@field at table? The points that are meant: { ["workload.load"] = { 0.8, 0.9 } }; without it all.
---@field than string|table? The sweep whose gain is subtracted (larger_gain; up_to: its most).
---@field than_metric string? The metric whose gain is subtracted (larger_gain).
---@field against_in string|table? The sweep in which `against` ran, where it is another one.
---@field of string|table Label of the policy; of a list the points of all.
---@field against string|table? Label of the policy that it is set against; of a list the worst counts.
---@field side string? "better" (default), or "worse": the sign is turned.
---@field metric string Its name, also of a class: "mean_wait@short".
---@field rule string What is claimed of the points: "always", "mostly", "on_average", "larger_gain", "up_to", "grows", "grows_always", "same", "no_better", "value" or "values".
---@field weight string? "jobs": points count by the jobs behind their values, and where there are none not at all (on_average, value, up_to, grows).
---@field pooled string? "mean" or "most": the gain is that of the mean, or of the largest value, over all points (on_average, same, no_better).
---@field interval string? "points": over the points, each its mean over the seeds.
---@field readings table? Rows under this one, each { "name", ... } with the keys that it overrides.
---@field assumes string|table? What was assumed: footnotes.
---@field note string|table? Footnotes.
---@field given string? The claim is not judged, and this says why.
---@field own boolean? True: it is not of the paper, and stands in a table of its own.
---@field expect string? The verdict; another one is exit status 1.
---@field margin number? Of this claim, as in `paper`.
---@field least number? Of this claim, as in `paper`.
---@field size number? Of this claim, as in `paper`.
local Claim = {}

---What holds for all claims of a file: paper { ... }.
---@class (exact) Paper
---@field title string? Of the paper.
---@field by string? Its authors and year.
---@field axis string? The setting along which points are named: "workload.load".
---@field axis_name string? How tables call it: "load"; without it "point".
---@field label function? Called with a value of the axis; answers what tables write.
---@field interval string? "seeds" (default), or "batches" where a point has one run.
---@field draws string? What the seeds draw anew; the head of the table says it.
---@field confidence number? Of intervals and verdicts; without it 0.9.
---@field margin number? A difference that is smaller is none; without it 1.
---@field least number? From so much on the wrong side on a claim is opposite; without it 5.
---@field size number? A number is as in the paper within this part of it; without it 1/3.
---@field assumes string|table? What all claims assume: footnotes.
---@field found string|table? What holds, what does not, and why: lines above the table.
local Paper = {}

---A figure of the paper, from the points of sweeps: figure { ... }.
---@class (exact) ClaimFigure
---@field [1] string Its name in the paper: "Fig. 8".
---@field says string What it shows, at most 72 characters.
---@field sweep string|table The scenario beside the file; of a list the series of all.
---@field of string|table Label of the policy; of a list one series each.
---@field metric string Its name, also of a class: "mean_wait@short".
---@field at table? The points that are meant, as in `claim`.
---@field unit string? "%" for a fraction; else the metric's.
---@field numbers table? What the paper prints, by series and point: { ["bgmbf"] = { ["1.9"] = 350 } }.
local ClaimFigure = {}

---A value for each row: #c counts them, c[i] reads one (nil: none), + - * / calculate with columns and numbers, & | ~ join masks.
---@class (exact) Column
local Column = {}

---The sum of the values that are there, 0 of none; of times in seconds, or exact as an integer with "ticks" (microseconds).
---
---```lua
---jobs.wait:sum() == 40 and jobs.wait:sum('ticks') == 40000000
---```
---@param unit? string
---@return number
function Column:sum(unit) end

---The mean of the values that are there; of a mask the share of true.
---
---```lua
---jobs.wait:gt(5):mean() == 0.5
---```
---@return number?
function Column:mean() end

---The smallest value that is there.
---
---```lua
---jobs.wait:min() == 0
---```
---@return any?
function Column:min() end

---The largest value that is there.
---
---```lua
---jobs.size:max() == 8
---```
---@return any?
function Column:max() end

---The value at position 1 + (n - 1) q of those that are there, linear between neighbours.
---
---```lua
---jobs.wait:quantile(0.75) == 20
---```
---@param q number
---@return number?
function Column:quantile(q) end

---The quantile 0.5.
---
---```lua
---jobs.slowdown:median() == 1.5
---```
---@return number?
function Column:median() end

---The larger of each value and the bound, a number or a column.
---
---```lua
---jobs.size:at_least(4)[1] == 4
---```
---@param bound any
---@return Column
function Column:at_least(bound) end

---The smaller of each value and the bound, a number or a column.
---
---```lua
---jobs.size:at_most(4)[4] == 4
---```
---@param bound any
---@return Column
function Column:at_most(bound) end

---A mask: less than a value or a column; false with none.
---
---```lua
---jobs.wait:lt(20):sum() == 2
---```
---@param other any
---@return Column
function Column:lt(other) end

---A mask: less than a value or a column, or equal; false with none.
---
---```lua
---jobs.wait:le(10):sum() == 2
---```
---@param other any
---@return Column
function Column:le(other) end

---A mask: greater than a value or a column; false with none.
---
---```lua
---jobs.size:gt(2):sum() == 2
---```
---@param other any
---@return Column
function Column:gt(other) end

---A mask: greater than a value or a column, or equal; false with none.
---
---```lua
---jobs.size:ge(2):sum() == 4
---```
---@param other any
---@return Column
function Column:ge(other) end

---A mask: equal to a value or a column; false with none.
---
---```lua
---jobs.state:eq('finished'):sum() == 2
---```
---@param other any
---@return Column
function Column:eq(other) end

---A mask: another value than this, or that of a column; false with none.
---
---```lua
---jobs.wait:ne(0):sum() == 2
---```
---@param other any
---@return Column
function Column:ne(other) end

---The values for which the mask holds.
---
---```lua
---#jobs.wait:where(jobs.size:eq(2)) == 2
---```
---@param mask Column
---@return Column
function Column:where(mask) end

---The values of these rows, counted from 1; of row 0 none (-1, false).
---
---```lua
---jobs.size:at({4, 1})[1] == 8
---```
---@param rows Column|integer[]
---@return Column
function Column:at(rows) end

---The rows of the n largest values, the largest first, equal ones by row.
---
---```lua
---jobs.wait:top(2)[1] == 2
---```
---@param n integer
---@return Column
function Column:top(n) end

---What the function answers, called once for each distinct value, ascending and none last: numbers, texts or booleans, nil for none.
---
---```lua
---jobs.size:map(function(s) return s * s end):sum() == 88
---```
---@param f fun(value: any): any
---@return Column
function Column:map(f) end

---A table of columns: frame.wait is one of them, #frame counts the rows.
---@class (exact) Frame
local Frame = {}

---The row of this number, counted from 1, whose fields are values of the columns; nil for another number.
---
---```lua
---jobs:row(2).size == 4
---```
---@param i integer
---@return table?
function Frame:row(i) end

---A column by its name, also one that is called like a method.
---
---```lua
---jobs:column('size') == jobs.size
---```
---@param name string
---@return Column
function Frame:column(name) end

---The same rows with further columns, or others of the same names.
---
---```lua
---jobs:with({ twice = jobs.size * 2 }).twice:sum() == 32
---```
---@param columns table
---@return Frame
function Frame:with(columns) end

---The rows by a column, ascending, or with "down" the largest first; equal ones keep their order, none is last.
---
---```lua
---jobs:sort('size', 'down'):row(1).size == 8
---```
---@param name string
---@param order? string
---@return Frame
function Frame:sort(name, order) end

---The first n rows.
---
---```lua
---#jobs:first(3) == 3
---```
---@param n integer
---@return Frame
function Frame:first(n) end

---The rows for which a mask, a condition on `job` or a function holds.
---
---```lua
---#jobs:where('job.size > 2 and job.wait ~= nil') == 1
---```
---@param which Column|string|fun(job: table): boolean
---@return Frame
function Frame:where(which) end

---The rows by equal values of one to four columns.
---
---```lua
---jobs:by('user'):count()[1] == 2
---```
---@param name string
---@param ... string
---@return Groups
function Frame:by(name, ...) end

---The rows of a frame by keys; #groups counts them.
---@class (exact) Groups
local Groups = {}

---The first, or the i-th, key of each group; keys ascend, none is last.
---
---```lua
---jobs:by('user'):key()[3] == 3
---```
---@param i? integer
---@return Column
function Groups:key(i) end

---The rows of each group.
---
---```lua
---jobs:by('user'):count()[1] == 2
---```
---@return Column
function Groups:count() end

---The sum of a column in each group; of times a time, of masks whole.
---
---```lua
---jobs:by('user'):sum('wait')[1] == 10
---```
---@param name string
---@return Column
function Groups:sum(name) end

---The mean of a column in each group, of times in seconds.
---
---```lua
---jobs:by('user'):mean('wait')[1] == 5
---```
---@param name string
---@return Column
function Groups:mean(name) end

---The largest value of a column in each group.
---
---```lua
---jobs:by('user'):max('wait')[1] == 10
---```
---@param name string
---@return Column
function Groups:max(name) end

---The quantile q of a column in each group, of times in seconds.
---
---```lua
---jobs:by('user'):quantile('wait', 0.5)[1] == 5
---```
---@param name string
---@param q number
---@return Column
function Groups:quantile(name, q) end

---A function of time that changes in steps, or means of bins.
---@class (exact) Steps
local Steps = {}

---The mean over time, of all or of a part; nil if no time has passed.
---
---```lua
---levels:mean() == 2.5 and levels:mean(20, 40) == 3
---```
---@param from? seconds
---@param to? seconds
---@return number?
function Steps:mean(from, to) end

---The highest value that lasts for some time.
---
---```lua
---levels:max() == 4
---```
---@return number?
function Steps:max() end

---The least value at or below which the function is for a share q of the time; of bins by their means.
---
---```lua
---levels:quantile(0.5) == 2
---```
---@param q number
---@return number?
function Steps:quantile(q) end

---The share of the time with values above x; of bins by their means.
---
---```lua
---levels:share_above(2) == 0.5
---```
---@param x number
---@return number?
function Steps:share_above(x) end

---The value at an instant, nil outside; not of bins.
---
---```lua
---levels:at(15) == 4
---```
---@param t seconds
---@return number?
function Steps:at(t) end

---A frame with the columns from, value and, of bins, most.
---
---```lua
---levels:steps().value:max() == 4
---```
---@return Frame
function Steps:steps() end

---Statistics over columns and lists of numbers.
---@class (exact) Stats
local Stats = {}

---The mean; in a list false is none.
---
---```lua
---stats.mean({1, 2, false}) == 1.5
---```
---@param values Column|number[]
---@return number?
function Stats.mean(values) end

---The sum, 0 of none.
---
---```lua
---stats.sum({1, 2, 3}) == 6
---```
---@param values Column|number[]
---@return number
function Stats.sum(values) end

---The quantile q, linear between neighbours.
---
---```lua
---stats.quantile({4, 1, 2, 3}, 0.5) == 2.5
---```
---@param values Column|number[]
---@param q number
---@return number?
function Stats.quantile(values, q) end

---The mean and its interval by Student's t, as { mean, low, high, half_width, p, n } with 0.95 unless given; nil below two values.
---
---```lua
---stats.interval({1, 2, 3}).mean == 2
---```
---@param values Column|number[]
---@param confidence? number
---@return table?
function Stats.interval(values, confidence) end

---The interval of the differences a - b, row by row where both are there.
---
---```lua
---stats.paired({3, 5, 9}, {1, 2, 3}).n == 3
---```
---@param a Column|number[]
---@param b Column|number[]
---@param confidence? number
---@return table?
function Stats.paired(a, b, confidence) end

---The interval of mean a - mean b of values that are not paired (Welch).
---
---```lua
---stats.unpaired({3, 5}, {1, 2, 3}).mean == 2
---```
---@param a Column|number[]
---@param b Column|number[]
---@param confidence? number
---@return table?
function Stats.unpaired(a, b, confidence) end

---The p values of several tests, corrected (Holm).
---
---```lua
---stats.holm({0.01, 0.04})[1] == 0.02
---```
---@param p Column|number[]
---@return Column
function Stats.holm(p) end

---What f answers for the values, and the interval of its answers for options.draws (1000) samples of them drawn with replacement, as { value, low, high, n }, with options.confidence (0.95); nil of no values.
---
---```lua
---stats.bootstrap({2, 2}, function(c) return c:mean() end).high == 2
---```
---@param values Column|number[]
---@param f fun(values: Column): number
---@param options? table
---@return table?
function Stats.bootstrap(values, f, options) end

---The interval over the means of n (20) batches in the order of the rows, a first one left out, with their lag_1_correlation.
---
---```lua
---stats.batches({9, 1, 3, 2, 4}, 4).mean == 2.5
---```
---@param values Column|number[]
---@param n? integer
---@param confidence? number
---@return table?
function Stats.batches(values, n, confidence) end

---Ranks from 1; equal values have the mean of theirs.
---
---```lua
---stats.ranks({30, 10, 30})[1] == 2.5
---```
---@param values Column|number[]
---@return Column
function Stats.ranks(values) end

---Pearson's correlation where both are there; of ranks it is Spearman's.
---
---```lua
---stats.correlation({1, 2, 3}, {2, 4, 6}) == 1
---```
---@param a Column|number[]
---@param b Column|number[]
---@return number?
function Stats.correlation(a, b) end

---What a tool answers is made with these calls.
---@class (exact) Out
local Out = {}

---What a tool answers: a list of parts; false is none.  plain: in Markdown only what would end a line or a cell is escaped; spaced: one more empty line below each table.
---
---```lua
---#out.page { out.text("one") } == 1
---```
---@param parts table
---@return table
function Out:page(parts) end

---A heading: a text, or string.format of the arguments.
---
---```lua
---out.title("waits of %s", "easy").text == "waits of easy"
---```
---@param form string
---@param ... ..
---@return table
function Out:title(form, ...) end

---A line of text: as it is, or string.format of the arguments.
---
---```lua
---out.text("%d jobs", 4).text == "4 jobs"
---```
---@param form string
---@param ... ..
---@return table
function Out:text(form, ...) end

---A table of columns, each a head or { head, as, of, text }, and of rows, lists of cells (a number, a text, false for none), unless each column brings its values with `of`.  as: text, id, whole, seconds, ticks, clock, human, percent, pp, interval, p or out.fixed(n).  A cell may be { value, half, as, best, colour, mark, aside, text, below }.  Further keys: title, corner, words, padded, wide: "fold" or "transpose" where a line is too long, and left_out: the row that is not shown where it is transposed.
---
---```lua
---out.table { columns = { "a" }, rows = { { 1 } } }.kind == "table"
---```
---@param of table
---@return table
function Out:table(of) end

---Lines below each other.
---
---```lua
---#out.notes({ "one", "two" }).notes == 2
---```
---@param notes string[]
---@return table
function Out:notes(notes) end

---The same, numbered from 1 on.
---
---```lua
---out.numbered({ "one" }).kind == "numbered"
---```
---@param notes string[]
---@return table
function Out:numbered(notes) end

---A CSV file of a frame, or of columns as in a table.
---
---```lua
---out.file("jobs.csv", jobs).text == "jobs.csv"
---```
---@param name string
---@param of Frame|table
---@return table
function Out:file(name, of) end

---An object for programs: a list of { name, value } in this order.
---
---```lua
---out.object({ { "jobs", 4 } }).object[1][2] == 4
---```
---@param members table
---@return table
function Out:object(members) end

---As a column: with so many decimals; with a sign, also above 0.
---
---```lua
---out.shown(2.5, out.fixed(2)) == "2.50"
---```
---@param decimals integer
---@param sign? boolean
---@return table
function Out:fixed(decimals, sign) end

---The text that a column shows of the value.
---
---```lua
---out.shown(15885, "whole") == "15,885"
---```
---@param value number|string|false
---@param as string|table
---@return string
function Out:shown(value, as) end

---The decimals for values that are shown together, by the largest.
---
---```lua
---out.decimals({ 1.5, 2 }) == 3
---```
---@param values Column|number[]
---@return integer
function Out:decimals(values) end

---What the file of a metric returns.
---@param definition Metric
---@return Metric
function metric(definition) return definition end

---Declares a claim; in files of claims.
---@param definition Claim
function claim(definition) end

---Declares what holds for all claims; in files of claims.
---@param definition Paper
function paper(definition) end

---@type Stats
stats = {}
