-- A key that failed when the audit computed it again, as its job started in a packing,
-- left the repacking half done.
local fails = false
return {
  orders = {
    first = function(job)
      if fails then error("no key") end
      return job.size
    end,
  },
  schedule = function(queue, cluster)
    local packing, jobs = cluster.packing, {}
    for job in cluster:running() do jobs[#jobs + 1] = job end
    local newcomer = queue:head()
    if not newcomer then return end
    jobs[#jobs + 1] = newcomer
    local packed = packing:mcb(jobs)
    assert(packed)
    fails = true
    local done, why = pcall(packing.apply, packing, packed)
    fails = false
    if not done then
      assert(why:find("no key"))
      assert(newcomer.state == "waiting")
    end
    cluster:start(newcomer)
  end,
}
