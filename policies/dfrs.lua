-- Every `period` the jobs that were given least for their time run, the others pause
-- (Stillwell, Vivien and Casanova 2010).
local dfrs = {
  name = "Dynamic fractional resource scheduling, periodic",
  paper = "Stillwell, Vivien and Casanova 2010: Dynamic Fractional Resource " ..
    "Scheduling for HPC Workloads",
  params = {
    period = { default = 600, min = 1, max = 1e9, help = "seconds between repackings" },
  },
}

local due

-- The larger, the sooner it runs.
local function claim(job, now)
  local given = job.virtual_time or 0
  return given > 0 and (now - job.submit) / given ^ 2 or math.huge
end

local function by_claim(queue, cluster, now)
  local jobs, claims = {}, {}
  for job in cluster:running() do
    jobs[#jobs + 1] = job
  end
  for job in queue:all() do
    jobs[#jobs + 1] = job
  end
  for _, job in ipairs(jobs) do
    claims[job] = claim(job, now)
  end
  table.sort(jobs, function(a, b)
    if claims[a] ~= claims[b] then return claims[a] > claims[b] end
    return a < b
  end)
  return jobs
end

function dfrs.schedule(queue, cluster)
  local now = cluster:now()
  if due and now < due then return end
  due = now + cluster.params.period
  cluster:wake_at(due)
  local packing = cluster.packing:admit(by_claim(queue, cluster, now))
  if packing then cluster.packing:apply(packing:raised(), { pause = true }) end
end

return dfrs
