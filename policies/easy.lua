-- EASY backfilling (Mu'alem and Feitelson 2001): the first job that does not fit gets a
-- reservation, and jobs behind it start if they do not delay it.
local easy = {
  paper = "Mu'alem and Feitelson 2001: Utilization, Predictability, Workloads, and " ..
    "User Runtime Estimates in Scheduling the IBM SP2 with Backfilling",
  passes = "when_a_job_fits",
  promises = "easy",
  params = {
    backfill_depth = { default = -1, min = -1, max = 1000000,
                       help = "jobs tried behind the first, whether they fit or not; -1: all" },
  },
}

function easy.schedule(queue, cluster)
  local head = cluster:start_all(queue)
  if not head then return end
  local plan, depth = cluster:reserve(head), cluster.params.backfill_depth
  cluster:start_all(queue:backfillable(plan, depth >= 0 and depth or nil))
end

return easy
