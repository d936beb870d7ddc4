-- A key that failed while its job was being suspended left the job without processors in
-- one order of the queue and not in the other.
local fails = false
return {
  orders = {
    first = function(job)
      if fails then error("no key") end
      return job.size
    end,
  },
  schedule = function(queue, cluster)
    for job in queue:fitting() do cluster:start(job) end
    fails = true
    for job in cluster:running() do
      local done, why = pcall(cluster.suspend, cluster, job)
      assert(not done and why:find("no key"))
      assert(job.state == "running")
    end
    fails = false
    assert(queue:by("first"):length() == queue:length())
  end,
}
