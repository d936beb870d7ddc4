-- First come, first served: nobody overtakes.
local fcfs = { passes = "when_a_job_fits" }

function fcfs.schedule(queue, cluster)
  cluster:start_all(queue)
end

return fcfs
