return {
  { "a short job that waited overtakes a long one", processors = 4,
    jobs = { { 0, 4, 10 }, { 0, 4, 100 }, { 1, 4, 10 } },
    starts = { 0, 20, 10 } },
}
