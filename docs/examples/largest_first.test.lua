return {
  { "the largest starts first, and the smallest beside it", processors = 10,
    jobs = { { 0, 6, 10 }, { 0, 4, 10 }, { 0, 8, 10 }, { 0, 2, 30 } },
    starts = { 10, 20, 0, 0 } },
}
