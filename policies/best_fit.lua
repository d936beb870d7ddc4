-- Best fit, the mode of IBB that skips blocked jobs (Liu et al. 2016): the job that
-- leaves the fewest processors idle, until none fits.  Large jobs can starve.
local best_fit = {
  paper = "Liu et al. 2016 (the mode that skips blocked jobs): IBB: Improved " ..
    "K-Resource Aware Backfill Balanced Scheduling for HTCondor",
  passes = "when_a_job_fits",
  params = {
    best_fit_measure = { default = "least_left_over", values = { "least_left_over" },
                         help = "what makes a fit the best" },
  },
}

function best_fit.schedule(queue, cluster)
  local job = queue:tightest()
  while job do
    cluster:start(job)
    job = queue:tightest()
  end
end

return best_fit
