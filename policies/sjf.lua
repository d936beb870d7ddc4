-- Shortest job first, by walltime.  Blocking: the first that does not fit stops the pass.
local sjf = {
  passes = "when_a_job_fits",
  orders = { shortest = function(job) return job.walltime end },
  order = "shortest",
  params = {
    block = { default = true, help = "wait for the first job; false: skip jobs that do not fit" },
  },
}

function sjf.schedule(queue, cluster)
  local jobs = cluster.params.block and queue.startable or queue.fitting
  for job in jobs(queue) do cluster:start(job) end
end

return sjf
