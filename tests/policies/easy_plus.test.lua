-- Jobs of one user that ask for more than they take.
return {
  -- The first two take 4 and 6 s, so 5 s are expected of each later one.  Job 4 needs the whole
  -- machine: its shadow is the end expected of job 3, at 12 + 5, and job 6, of which 5 s are
  -- expected, has room beside it; by walltimes it would have had none.
  { "expected is the mean of the last two", processors = 4,
    jobs = { { 0, 1, 4, 40, user = 1 }, { 0, 1, 6, 40, user = 1 }, { 12, 3, 5, 40, user = 1 },
             { 12, 4, 5, 40, user = 1 }, { 12, 1, 5, 90, user = 2 }, { 12, 1, 5, 90, user = 1 } },
    starts = { 0, 0, 12, 17, 22, 12 } },
  { "before two have ended the walltime is expected: EASY", processors = 10,
    jobs = { { 0, 6, 6 }, { 0, 3, 7 }, { 0, 8, 5 }, { 1, 2, 4 }, { 1, 4, 4 },
             { 2, 8, 2 }, { 3, 1, 7 } },
    starts = { 0, 0, 7, 10, 12, 16, 3 } },
  { "the shortest is tried first behind the reservation", processors = 4,
    jobs = { { 0, 3, 10 }, { 0, 4, 5 }, { 0, 1, 7 }, { 0, 1, 3 } },
    starts = { 0, 10, 3, 0 } },
}
