return {
  { "a long job leaves a tenth idle, which a short one takes", processors = 10,
    jobs = { { 0, 8, 7200 }, { 0, 2, 7200 }, { 0, 2, 600 } },
    starts = { 0, 7200, 0 } },
  { "a job as wide as the machine keeps nothing", processors = 10,
    jobs = { { 0, 10, 7200 }, { 0, 1, 10 } },
    starts = { 0, 7200 } },
}
