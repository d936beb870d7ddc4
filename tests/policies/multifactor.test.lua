return {
  { "the user without usage goes before the one who came first", processors = 1, half_life = 0,
    jobs = { { 0, 1, 10, user = 1 }, { 1, 1, 2, user = 1 }, { 2, 1, 2, user = 2 } },
    starts = { 0, 12, 10 } },
  { "without a weight of the fair share the age decides", processors = 1, half_life = 0,
    params = { fair_share = 0 },
    jobs = { { 0, 1, 10, user = 1 }, { 1, 1, 2, user = 1 }, { 2, 1, 2, user = 2 } },
    starts = { 0, 10, 12 } },
}
