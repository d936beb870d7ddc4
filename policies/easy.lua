-- EASY: the first who does not fit has a reservation, and whoever respects it may start.
local easy = {
  paper = "Mu'alem and Feitelson 2001",
  passes = "when_a_job_fits",
  promises = "easy",
  params = {
    backfill_depth = { default = -1, min = -1, max = 1000000,
                       help = "members tried behind the first, fitting or not; -1: all" },
  },
}

local depth  -- of the run

function easy.schedule(queue, cluster)
  if not depth then depth = cluster.params.backfill_depth end
  cluster:backfill(queue, depth)
end

return easy
