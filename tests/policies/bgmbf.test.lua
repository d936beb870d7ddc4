-- Where processors alone count, with a migration delay of 20 s: AMBF.
return {
  { "a job that overtook makes way for the first", processors = 6, sharing = "two_tier",
    jobs = { { 0, 3, 9 }, { 2, 5, 4 }, { 4, 3, 4 }, { 6, 3, 5 }, { 8, 3, 3 } },
    starts = { 0, 9, 4, 8, 13 } },
  { "the youngest that suffice make way", processors = 6, sharing = "two_tier",
    params = { preempt = "fewest" },
    jobs = { { 0, 4, 9 }, { 1, 5, 4 }, { 2, 1, 100 }, { 3, 1, 100 }, { 9, 1, 1 } },
    starts = { 0, 9, 2, 3, 13 } },
}
