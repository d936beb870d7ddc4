-- Smallest bandwidth first (Li et al. 2018); the first that has no place blocks the
-- others.
return {
  paper = "Li et al. 2018: Bandwidth-Guaranteed Resource Allocation and Scheduling " ..
    "for Parallel Jobs in Cloud Data Center", passes = "when_a_job_fits",
  orders = { smallest = function(job) return job.bandwidth or 0 end }, order = "smallest",
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
