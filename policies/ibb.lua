-- IBB: one traversal of the queue; a job is backfilled if it leaves the machine no less even.
local balance = require("balance")
local ibb = {
  paper = "Liu et al. 2016", passes = "when_a_job_fits", params = { units = balance.units },
}

function ibb.schedule(queue, cluster)
  local head = cluster:start_all(queue)
  local plan = head and cluster:reserve(head)
  if not plan then return end
  local before, fullness = balance.with(cluster)
  for job in queue:backfillable(plan) do
    if fullness == 0 or balance.with(cluster, job) <= before + 1e-12 then
      cluster:start(job)
      before, fullness = balance.with(cluster)
    end
  end
end

return ibb
