-- Users take turns: the job of the user with the least decayed usage for its weight
-- starts next, and the first job that does not fit blocks the others (Toth and Klusacek
-- 2014).
return {
  paper = "Toth and Klusacek 2014: User-Aware Metrics for Measuring Quality of " ..
    "Parallel Job Schedules",
  order = "fair_share",
  passes = "when_a_job_fits",
  promises = "in_order",
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
