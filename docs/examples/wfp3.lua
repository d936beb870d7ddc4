-- EASY in an order that ages (WFP3, Tang et al. 2009): the key uses the clock, so it is
-- computed anew at every pass.
return {
  passes = "when_a_job_fits",
  order = "wfp3",
  orders = { wfp3 = { refresh = "every_pass", key = function(job, cluster)
    local waited = cluster:now() - job.submit
    return -(waited / math.max(job.walltime, 1)) ^ 3 * job.size
  end } },
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
