-- Two hosts of two types; where no rates are given all jobs are as fast on both.
local two = {
  t4 = { count = 1, cpu = 8, devices = { type = "T4", count = 2 } },
  v100 = { count = 1, cpu = 8, devices = { type = "V100", count = 2 } },
}
local jobs = {
  { 0, 1, 10, needs = { cpu = 1, gpus = 2 } }, { 0, 1, 8, needs = { cpu = 1, gpus = 1 } },
  { 0, 1, 10, needs = { cpu = 1, gpus = 2 } }, { 1, 1, 5, needs = { cpu = 1, gpus = 1 } },
}

return {
  { "without rates the first host with room is as good as any", sharing = "devices", hosts = two,
    jobs = jobs, starts = { 0, 0, 8, 10 } },
  { "a job goes to a type that it names alone", sharing = "devices", hosts = two,
    jobs = {
      { 0, 1, 10, needs = { cpu = 1, gpus = 1, types = "V100", class = "training" } },
      { 0, 1, 10, needs = { cpu = 1, gpus = 2, types = "V100" } },
      { 0, 1, 10, needs = { cpu = 1, gpus = 2, types = "T4|V100" } },
    },
    starts = { 0, 10, 10 } },
  { "a share sits beside another, and what has no place ends the pass", sharing = "devices",
    hosts = { t4 = { count = 1, cpu = 8, devices = { type = "T4", count = 1 } } },
    jobs = {
      { 0, 1, 10, needs = { cpu = 1, share = 600 } }, { 0, 1, 10, needs = { cpu = 1, share = 500 } },
      { 0, 1, 10, needs = { cpu = 1, share = 400 } },
    },
    starts = { 0, 10, 10 } },
}
