return {
  -- Job 2 is delayed by job 3, but not by job 4: by then it has waited and has a reservation.
  { "a job that has waited is no longer delayed", processors = 4,
    jobs = { { 0, 2, 100 }, { 1, 4, 10 }, { 5, 2, 40 }, { 50, 2, 100 }, { 50, 2, 40 } },
    starts = { 0, 100, 5, 110, 50 } },
}
