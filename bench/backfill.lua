-- EASY by the one call of the API that is a whole pass.
return {
  passes = "when_a_job_fits",
  promises = "easy",
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
