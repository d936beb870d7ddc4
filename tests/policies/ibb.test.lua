-- Ten processors and 10 GiB.  At 1 the third job is blocked until 11; the two behind it fit
-- beside the running ones, but not both.
local jobs = {
  { 0, 4, 11, needs = { memory = 1 } }, { 0, 2, 21, needs = { memory = 2 } },
  { 1, 8, 30, needs = { memory = 4 } }, { 1, 1, 8, needs = { memory = 3 } },
  { 1, 2, 10, needs = { memory = 5 } },
}

return {
  { "the first job that leaves the machine no less even goes", processors = 10, memory = 10,
    jobs = jobs, starts = { 0, 0, 11, 1, 21 } },
}
