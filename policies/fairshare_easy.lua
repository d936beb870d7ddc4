-- EASY backfilling behind the first job of the user with the least decayed usage for its
-- weight (Toth and Klusacek 2014).  The first job can change from pass to pass, so that
-- no start is promised.
return {
  paper = "Toth and Klusacek 2014: User-Aware Metrics for Measuring Quality of " ..
    "Parallel Job Schedules",
  order = "fair_share",
  passes = "when_a_job_fits",
  promises = "first_if_it_fits",
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
