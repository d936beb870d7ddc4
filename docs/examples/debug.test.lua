return {
  { "it is first come, first served", processors = 10,
    jobs = { { 0, 6, 10 }, { 0, 5, 5 }, { 0, 4, 5 } },
    starts = { 0, 10, 10 } },
}
