return {
  { "of those that may overtake the shortest comes first", processors = 6, sharing = "two_tier",
    jobs = { { 0, 3, 9 }, { 2, 5, 4 }, { 4, 3, 4 }, { 6, 3, 5 }, { 8, 3, 3 } },
    starts = { 0, 9, 4, 13, 8 } },
}
