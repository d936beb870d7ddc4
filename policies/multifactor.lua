-- Slurm's priority, backfilled: age, fair share and size, each from 0 to 1 and weighed.
local week = 7 * 24 * 3600
local weigh, shares  -- of the run
return {
  paper = "Slurm, priority/multifactor", order = "priority", passes = "when_a_job_fits",
  params = {
    age = { default = 1000, min = 0, help = "weight of the time waited, full after a week" },
    fair_share = { default = 10000, min = 0, help = "weight of the user's factor" },
    job_size = { default = 0, min = 0, help = "weight of the part of the machine asked for" },
  },
  orders = { priority = { refresh = "every_pass", key = function(job, cluster)
    if not weigh then weigh, shares = cluster.params, cluster.shares end
    local age = math.min(1, (cluster:now() - job.submit) / week)
    local value = weigh.age * age + weigh.fair_share * shares:factor(job)
    if weigh.job_size > 0 then value = value + weigh.job_size * (job.size / cluster:size()) end
    return -value
  end } },
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
