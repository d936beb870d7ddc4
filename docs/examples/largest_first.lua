-- EASY in another order: the largest job goes first, smaller ones are backfilled behind it.
return {
  passes = "when_a_job_fits",
  promises = "easy",
  order = "largest",
  orders = { largest = function(job) return -job.size end },
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
