-- IBB (Liu et al. 2016): one traversal of the queue; a job is backfilled if it leaves the
-- machine no less even.
local balance = require("balance")
local ibb = {
  paper = "Liu et al. 2016: IBB: Improved K-Resource Aware Backfill Balanced " ..
    "Scheduling for HTCondor", passes = "when_a_job_fits",
  params = {
    units = balance.units,
    tolerance = { default = 0, min = 0, help = "a job may leave it so much less even" },
  },
}

function ibb.schedule(queue, cluster)
  local head = cluster:start_all(queue)
  local plan = head and cluster:reserve(head)
  if not plan then return end
  local with = balance.now(cluster)
  local before, fullness = with()
  for job in queue:backfillable(plan) do
    if fullness == 0 or with(job) <= before + cluster.params.tolerance + 1e-12 then
      cluster:start(job)
      with = balance.now(cluster)
      before, fullness = with()
    end
  end
end

return ibb
