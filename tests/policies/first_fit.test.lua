return {
  { "seven jobs with exact estimates", processors = 10,
    jobs = { { 0, 6, 6 }, { 0, 3, 7 }, { 0, 8, 5 }, { 1, 2, 4 }, { 1, 4, 4 },
             { 2, 8, 2 }, { 3, 1, 7 } },
    starts = { 0, 0, 10, 6, 6, 15, 3 } },
}
