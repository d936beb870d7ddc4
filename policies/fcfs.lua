-- First come, first served: nobody overtakes.
local fcfs = { passes = "when_a_job_fits" }

function fcfs.schedule(queue, cluster)
  for job in queue:startable() do cluster:start(job) end
end

return fcfs
