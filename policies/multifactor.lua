-- Slurm's priority (its plugin priority/multifactor), backfilled: age, fair share and
-- size, each from 0 to 1 and weighed.
return {
  paper = "Slurm, priority/multifactor", order = "priority", passes = "when_a_job_fits",
  params = {
    age = { default = 1000, min = 0, help = "weight of the time waited, full after a week" },
    fair_share = { default = 10000, min = 0, help = "weight of the user's factor" },
    job_size = { default = 0, min = 0, help = "weight of the part of the machine asked for" },
  },
  orders = { priority = { refresh = "every_pass", formula =
    "-(params.age * min(1, waited / 604800) + params.fair_share * factor" ..
    " + params.job_size * (size / machine))" } },
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
