-- At most `limit` jobs of a user at once: counted at the start, given back in on_end.
local running = {}
local function count(job, more)
  local user = job.user or -1
  running[user] = (running[user] or 0) + more
  return running[user]
end

return {
  passes = "when_a_job_fits",
  params = { limit = { default = 4, min = 1, max = 1e6, help = "running jobs a user" } },
  on_end = function(job) count(job, -1) end,
  schedule = function(queue, cluster)
    for job in queue:fitting() do
      if count(job, 0) < cluster.params.limit and cluster:start(job) then count(job, 1) end
    end
  end,
}
