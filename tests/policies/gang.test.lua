return {
  { "jobs of 0.6 share two hosts", processors = 2, sharing = "fractional", cpu_use = 0.6,
    jobs = { { 0, 1, 10 }, { 0, 1, 10 }, { 0, 1, 10 } },
    starts = { 0, 0, 0 } },
  { "rows fill in order of arrival", processors = 3, sharing = "fractional", cpu_use = 1,
    jobs = { { 0, 2, 10 }, { 1, 2, 10 }, { 2, 1, 10 } },
    starts = { 0, 1, 2 } },
}
