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
  local head = cluster:start_all(queue)
  if not head then return end
  local depth = cluster.params.backfill_depth
  if depth < 0 then depth = nil end
  cluster:start_all(queue:backfillable(cluster:reserve(head), depth))
end

return easy
