-- Dominant resource fairness (Ghodsi et al. 2011): the user who holds the least of the
-- kind that counts most for it starts next.
local drf = { paper = "Ghodsi et al. 2011: Dominant Resource Fairness: Fair Allocation of " ..
  "Multiple Resource Types", passes = "when_a_job_fits" }

function drf.schedule(_, cluster)
  for job in cluster.shares:turns() do cluster:start(job) end
end

return drf
