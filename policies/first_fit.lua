-- First fit: jobs that do not fit are passed over.  Large jobs can starve.
local first_fit = { passes = "when_a_job_fits" }

function first_fit.schedule(queue, cluster)
  for job in queue:fitting() do cluster:start(job) end
end

return first_fit
