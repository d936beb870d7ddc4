-- Shortest job first, by walltime.  The first job that does not fit blocks the others,
-- unless block = false.
local sjf = {
  passes = "when_a_job_fits",
  orders = { shortest = function(job) return job.walltime end },
  order = "shortest",
  params = {
    block = { default = true, help = "wait for the first job; false: skip jobs that do not fit" },
  },
}

function sjf.schedule(queue, cluster)
  if cluster.params.block then
    cluster:start_all(queue)
  else
    cluster:start_all(queue:fitting())
  end
end

return sjf
