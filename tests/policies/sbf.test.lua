return {
  { "where no job has a bandwidth: first come, first served", processors = 4,
    jobs = { { 0, 3, 4 }, { 1, 2, 4 }, { 2, 1, 4 } },
    starts = { 0, 4, 4 } },
}
