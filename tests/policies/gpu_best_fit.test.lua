-- One host with two devices: idle parts on both never make a whole one.
local one = { a = { count = 1, cpu = 8, devices = { type = "T4", count = 2 } } }
local full = {
  { 0, 1, 10, needs = { cpu = 1, share = 600 } }, { 0, 1, 10, needs = { cpu = 1, share = 600 } },
  { 1, 1, 5, needs = { cpu = 1, gpus = 1 } }, { 2, 1, 5, needs = { cpu = 1, share = 300 } },
}
-- Two hosts: after a share on the first, a whole device is asked for, then both of a host.
local two = { a = { count = 2, cpu = 8, devices = { type = "T4", count = 2 } } }
local pair = {
  { 0, 1, 10, needs = { cpu = 4, share = 600 } }, { 0, 1, 10, needs = { cpu = 4, gpus = 1 } },
  { 0, 1, 10, needs = { cpu = 8, gpus = 2 } },
}

return {
  { "a job without a place waits", sharing = "devices", hosts = one, jobs = full,
    starts = { 0, 0, 10, 2 } },
  { "a job without a place ends the pass", sharing = "devices", hosts = one, jobs = full,
    params = { when_full = "stop" }, starts = { 0, 0, 10, 10 } },
  { "a job without a place leaves", sharing = "devices", hosts = one, jobs = full,
    params = { when_full = "reject" }, starts = { 0, 0, false, 2 } },
  { "the second job goes where least is left over", sharing = "devices", hosts = two, jobs = pair,
    starts = { 0, 0, 0 } },
}
