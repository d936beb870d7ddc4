-- First come, first served: jobs start in order; the first that does not fit blocks the
-- others.
local fcfs = { passes = "when_a_job_fits" }

function fcfs.schedule(queue, cluster)
  cluster:start_all(queue)
end

return fcfs
