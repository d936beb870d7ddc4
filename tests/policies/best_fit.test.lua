return {
  { "seven jobs with exact estimates", processors = 10,
    jobs = { { 0, 6, 6 }, { 0, 3, 7 }, { 0, 8, 5 }, { 1, 2, 4 }, { 1, 4, 4 },
             { 2, 8, 2 }, { 3, 1, 7 } },
    starts = { 7, 7, 0, 1, 13, 5, 5 } },
  { "jobs of no length", processors = 10,
    jobs = { { 0, 10, 5 }, { 1, 4, 0 }, { 1, 10, 0 }, { 1, 10, 3 } },
    starts = { 0, 8, 5, 5 } },
}
