-- EASY: the reservation is an object, the queue only shows jobs that respect it.
local easy = {
  paper = "Mu'alem and Feitelson 2001",
  passes = "when_a_job_fits",
  promises = "easy",
  params = {
    backfill_depth = { default = -1, min = -1, max = 1000000,
                       help = "members tried behind the first, fitting or not; -1: all" },
  },
}

function easy.schedule(queue, cluster)
  for job in queue:startable() do cluster:start(job) end
  local head = queue:head()
  if not head then return end
  local depth = cluster.params.backfill_depth
  local plan = cluster:reserve(head)
  for job in queue:backfillable(plan, depth >= 0 and depth or nil) do cluster:start(job) end
end

return easy
