-- EASY in an order that ages (WFP3, Tang et al. 2009): the key uses the time waited, so it is
-- computed anew at every pass.
return {
  passes = "when_a_job_fits",
  order = "wfp3",
  orders = {
    wfp3 = { refresh = "every_pass", formula = "-(waited / max(walltime, 1)) ^ 3 * size" },
  },
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
