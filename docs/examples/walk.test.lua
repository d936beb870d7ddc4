return {
  { "small jobs first, the head as soon as it fits", processors = 10,
    jobs = { { 0, 6, 10 }, { 0, 5, 5 }, { 0, 4, 5 } },
    starts = { 5, 0, 0 } },
}
