return {
  { "at once or never", processors = 4,
    jobs = { { 0, 3, 4 }, { 1, 2, 4 }, { 2, 1, 4 }, { 4, 2, 1 } },
    starts = { 0, false, 2, 4 } },
}
