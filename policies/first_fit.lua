-- First fit: jobs that do not fit are passed over.  Large jobs can starve.
local first_fit = { passes = "when_a_job_fits" }

function first_fit.schedule(queue, cluster)
  cluster:start_all(queue:fitting())
end

return first_fit
