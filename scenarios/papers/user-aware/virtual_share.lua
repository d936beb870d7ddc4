-- Not of the paper: jobs in the order in which their users' equal parts of the machine would
-- have finished them, by their walltimes, with EASY behind the first.  A user who asks for
-- little is served at once; one who asks for more than a part waits behind the others.
local ends, last = {}, {}

return {
  passes = "when_a_job_fits",
  params = {
    users = { default = 67, min = 1, max = 100000, help = "parts of the machine" },
    ahead = { default = 1, min = 0, max = 1,
              help = "how much of its walltime the key lies before the end" },
  },
  order = "virtual",
  orders = { virtual = function(job, cluster)
    local own = ends[job.id]
    if not own then
      local part = cluster:size() / cluster.params.users
      local from = math.max(job.submit, last[job.user or -1] or 0)
      own = from + job.size * job.walltime / part
      last[job.user or -1], ends[job.id] = own, own
    end
    return own - cluster.params.ahead * job.walltime
  end },
  on_end = function(job) ends[job.id] = nil end,
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
