-- What must be known to read the numbers of a comparison, a line each.
local list = require "list"

local kUncounted = {
  { "jobs rejected by the machine, as wider than it", "rejected_by_machine" },
  { "jobs rejected by the machine, as too demanding for the empty machine", "rejected_never_fits" },
  { "jobs rejected by the policy", "rejected_by_policy" },
  { "jobs killed at their walltime, in no mean", "failed" },
  { "jobs not finished when nothing could happen any more", "not_finished" },
}
local kVerdicts = { "better", "worse", "differs", "no difference shown", "equal", "no interval",
                    "undefined", "not comparable", "incomplete" }

local function each_entry(c, f)
  for _, row in ipairs(c.rows) do
    for i, entry in ipairs(row.entries) do f(entry, row, i) end
  end
end

local function any_entry(c, f)
  return list.find(c.rows, function(row) return list.find(row.entries, f) end)
end

local function is_batched(entry) return entry.is_batched end

-- Adds lines to `notes`, as string.format makes them of the arguments.
local function adder(notes)
  return function(text, ...)
    notes[#notes + 1] = select("#", ...) > 0 and text:format(...) or text
  end
end

local function queues(c, sweep, says)
  local all = list.map(c.policies, function(policy) return sweep:queue(1, policy, 1) end)
  local never = list.filter(c.policies, function(_, i) return all[i].never_empties end)
  if #never > 0 then
    says("the queue never empties under %s: the mean wait measures the length of the trace",
         table.concat(never, ", "))
  end
  for i, queue in ipairs(all) do
    if not queue.never_empties and queue.longest > queue.span / 2 then
      says("the queue does not empty for %s under %s, %.0f %% of the time of submits: "
           .. "the mean wait depends on the length of the trace",
           out.shown(queue.longest, "human"), c.policies[i], 100 * queue.longest / queue.span)
    end
  end
end

-- Of one run of each policy.
local function run_notes(c, sweep)
  local notes = {}
  local says = adder(notes)
  if not c.overrun then return notes end -- no jobs that wait or run
  local counts = list.map(c.policies, function(policy) return sweep:counts(1, policy, 1) end)
  -- "3", or "easy 3, fcfs 4" where the policies differ.
  local function by_policy(name)
    local first = counts[1][name]
    if not list.find(counts, function(each) return each[name] ~= first end) then return first end
    return table.concat(list.map(counts, function(each, i)
      return ("%s %d"):format(c.policies[i], each[name])
    end), ", ")
  end
  says("jobs that exceeded their walltime: %s (overrun = %s)", by_policy "outlived_walltime",
       c.overrun)
  queues(c, sweep, says)
  for _, each in ipairs(kUncounted) do
    local what, name = each[1], each[2]
    if list.find(counts, function(of) return of[name] > 0 end) then
      says("%s: %s", what, by_policy(name))
    end
  end
  return notes
end

local function batches(c, sweep, says)
  if not any_entry(c, is_batched) then return end
  says("one run has %g %% intervals over batch means: jobs in the order of their submits, "
       .. "the first batch left out as warm-up", 100 * c.confidence)
  each_entry(c, function(entry, row)
    if not entry.is_batched then return end
    local name = ("%s: %s under %s"):format(sweep.points[row.cell].text, row.metric, entry.policy)
    local lag_1 = list.lag_1(sweep:batches(row.metric, row.cell, entry.policy, 1))
    if entry.half > 0.05 * math.abs(entry.mean) then
      says("%s: the half-width exceeds 5 %% of the mean", name)
    end
    if lag_1 > 0.2 then
      says("%s: neighbouring batches correlate (%.2f): they are too short", name, lag_1)
    end
  end)
end

local function method(c, says)
  if c.replications < 2 then
    if not any_entry(c, is_batched) then
      says "one replication: no intervals; vary the seed, or set run.batches"
    end
  elseif any_entry(c, function(entry) return entry.mean and entry.half end) then
    says("mean and half-width of the %g %% interval (Student t) over %d replications; "
         .. "differences are paired by replication", 100 * c.confidence, c.replications)
  end
end

local function tests(c, says)
  local all = 0
  each_entry(c, function(entry) all = all + (entry.p and 1 or 0) end)
  if all == 0 then return end
  if c.primary == "" then
    says("p: of the paired t test, corrected by Holm's method for the %d comparisons of this "
         .. "table; run.primary names one metric that decides", c.comparisons)
  else
    says("p: of the paired t test, corrected by Holm's method for the %d comparisons of %s; "
         .. "the other %d are exploratory: not corrected", c.comparisons, c.primary,
         all - c.comparisons)
  end
end

local function common_jobs(c, says)
  if any_entry(c, function(entry) return entry.common_jobs > 0 end) then
    says "a difference of means over jobs is over the jobs finished under both policies"
  end
end

local function single_runs(c, sweep, says)
  if c.replications < 2 then return end
  each_entry(c, function(entry, row)
    if row.metric == c.rows[1].metric and entry.runs == 1 then
      says("%s: all %d seeds gave the same under %s: one run", sweep.points[row.cell].text,
           c.replications, entry.policy)
    end
  end)
end

-- What the points of a sweep are called: "loads" where the load alone varies.
local function points_word(c, count)
  if #c.keys ~= 1 then return count == 1 and "point" or "points" end
  local word = c.keys[1]:match "[^.]*$"
  return count ~= 1 and word:sub(-1) ~= "s" and word .. "s" or word
end

-- " (by 5.0 to 12.3 %)": how much better or worse, where that is the verdict.
local function size_text(entries, verdict)
  local least, most, count = math.huge, 0, 0
  for _, entry in ipairs(entries) do
    if entry.verdict == verdict and entry.improvement then
      local size = math.abs(entry.improvement)
      least, most, count = math.min(least, size), math.max(most, size), count + 1
    end
  end
  if verdict ~= "better" and verdict ~= "worse" or count == 0 then return "" end
  if count == 1 then return (" (by %.1f %%)"):format(least) end
  return (" (by %.1f to %.1f %%)"):format(least, most)
end

-- "worse at 1 of 3 loads (by 5.0 %), no difference shown at 2"
local function verdicts_text(c, entries)
  local parts = {}
  for _, verdict in ipairs(kVerdicts) do
    local count = list.count(entries, function(entry) return entry.verdict == verdict end)
    if count > 0 then
      local of = #parts == 0 and (" of %d %s"):format(#entries, points_word(c, #entries)) or ""
      parts[#parts + 1] = ("%s at %d%s%s"):format(verdict, count, of, size_text(entries, verdict))
    end
  end
  return table.concat(parts, ", ")
end

-- What is shown of each policy over the cells, and no more.
local function verdicts(c, says)
  if #c.cells < 2 then return end
  for _, rows in ipairs(list.parts(c.rows, #c.cells)) do
    local top = rows[1]
    for i = 2, top.better ~= "none" and #top.entries or 0 do
      local entries = list.map(rows, function(row) return row.entries[i] end)
      says("%s: %s against %s: %s%s", top.metric, top.entries[i].policy, top.entries[1].policy,
           verdicts_text(c, entries), top.exploratory and " (exploratory)" or "")
    end
  end
end

-- Results that are missing; and counts of jobs over the runs that differ.
local function jobs(c, sweep, says)
  local counted = list.joined({ { "jobs that exceeded their walltime", "outlived_walltime" } },
                              kUncounted)
  local totals = list.map(counted, function()
    return list.map(c.policies, function() return 0 end)
  end)
  local function add(policy, counts)
    for k, each in ipairs(counted) do
      totals[k][policy] = totals[k][policy] + counts[each[2]]
    end
  end
  for cell, point in ipairs(sweep.points) do
    for i, policy in ipairs(c.policies) do
      local seeds, missing = sweep:is_one_run(cell, policy) and 1 or sweep.seeds, 0
      for seed = 1, seeds do
        local counts = sweep:counts(cell, policy, seed)
        if counts then add(i, counts) else missing = missing + 1 end
      end
      if missing > 0 then
        says("%s: no result of %s in %d of %d replications: no mean", point.text, policy, missing,
             sweep.seeds)
      end
    end
  end
  return function()
    for k, each in ipairs(counted) do
      local parts = {}
      for i, policy in ipairs(c.policies) do
        if totals[k][i] > 0 then parts[#parts + 1] = ("%s %d"):format(policy, totals[k][i]) end
      end
      if #parts > 0 then says("%s, over all runs: %s", each[1], table.concat(parts, ", ")) end
    end
  end
end

-- One line for each policy; the values are marked.
local function full_queues(c, says)
  local firsts, cells = {}, {}
  each_entry(c, function(entry, row, i)
    if entry.warning == "" then return end
    firsts[i], cells[i] = firsts[i] or entry, cells[i] or {}
    cells[i][row.cell] = true
  end)
  for i = 1, #c.policies do
    local count = 0
    for _ in pairs(cells[i] or {}) do count = count + 1 end
    if count > 0 and #c.cells == 1 then
      says("%s under %s: its waits measure the length of the trace", firsts[i].warning,
           firsts[i].policy)
    elseif count > 0 then
      says("under %s the queue never empties, or holds jobs for most of the time, at %d of %d %s: "
           .. "waits there measure the length of the trace", firsts[i].policy, count, #c.cells,
           points_word(c, #c.cells))
    end
  end
end

local function change_text(change, verb)
  return ("user %d %s most: %+.1f s (%d job%s%s)"):format(
    change.user, verb, change.wait, change.jobs, change.jobs == 1 and "" or "s",
    change.runs > 1 and (" in %d runs"):format(change.runs) or "")
end

local function users(c, sweep, says)
  for _, hit in ipairs(c.users) do
    says("%s: mean wait of users under %s: %s, %s", sweep.points[hit.cell].text, hit.policy,
         hit.best.wait < 0 and change_text(hit.best, "gained") or "none gained",
         hit.worst.wait > 0 and change_text(hit.worst, "lost") or "none lost")
  end
end

local function sweep_notes(c, sweep)
  local notes = {}
  local says = adder(notes)
  method(c, says)
  batches(c, sweep, says)
  tests(c, says)
  common_jobs(c, says)
  single_runs(c, sweep, says)
  local tell_counts = jobs(c, sweep, says)
  verdicts(c, says)
  tell_counts()
  full_queues(c, says)
  users(c, sweep, says)
  return notes
end

return function(c, sweep)
  return c.layout == "run" and run_notes(c, sweep) or sweep_notes(c, sweep)
end
