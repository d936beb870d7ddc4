return {
  { "jobs of 0.6 share two hosts", processors = 2, sharing = "fractional", cpu_use = 0.6,
    jobs = { { 0, 1, 10 }, { 0, 1, 10 }, { 0, 1, 10 } },
    starts = { 0, 0, 0 } },
  { "a job waits rather than push a yield below 0.9", processors = 2,
    sharing = "fractional", cpu_use = 0.6, params = { least_yield = 0.9 },
    jobs = { { 0, 1, 10 }, { 0, 1, 10 }, { 0, 1, 10 }, { 0, 1, 10 } },
    starts = { 0, 0, 10, 10 } },
}
