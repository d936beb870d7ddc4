-- Multilevel feedback: jobs that have had less than `first` seconds of a host to themselves
-- come first, then those with less than twice that, and so on; within a level the oldest.
-- As many as the hosts hold with `least_yield` run, near where their tasks are; the others
-- wait, or pause.  Levels double, which keeps pauses rare.  No estimate is used.
--
-- Measured (running.toml, 10 seeds): the largest bounded slowdown is 5 to 13, under dfrs 88 to
-- 113, under mcb 3,500 to 4,800, and no memory moves.  Where it loses: the longest response is
-- 4 to 35 % longer than under mcb, up to 12 % longer than under dfrs, because long jobs come
-- last; and what pauses save and load is not in the memory moved: 161 pauses with 4,243 GiB in
-- one run of scenarios/fractions.toml (dfrs: 495 with 11,682 GiB, mcb: none), of which 568 GiB
-- came back on another host.
local policy = {
  params = {
    first = { default = 30, min = 1, max = 1e6, help = "seconds of the first level" },
    least_yield = { default = 0.3, min = 0, max = 1, help = "jobs pause rather than get less" },
    budget = { default = 0, min = 0, max = 1e9, help = "GiB that may move at one event" },
  },
}

local function by_level(queue, cluster)
  local jobs, level = {}, {}
  local function add(job)
    jobs[#jobs + 1] = job
    level[job] = cluster.params.first
    while level[job] < (job.virtual_time or 0) do level[job] = 2 * level[job] end
  end
  for job in cluster:running() do add(job) end
  for job in queue:all() do add(job) end
  table.sort(jobs, function(a, b)
    if level[a] ~= level[b] then return level[a] < level[b] end
    return a < b
  end)
  return jobs
end

function policy.schedule(queue, cluster)
  local params = cluster.params
  local function near(packing, jobs) return packing:adapt(jobs, { budget = params.budget }) end
  local packed =
    cluster.packing:admit(by_level(queue, cluster), near, { least_yield = params.least_yield })
  if packed then cluster.packing:apply(packed:raised("max_min"), { pause = true }) end
end

return policy
