return {
  { "reservations in the order of usage, not of submission", processors = 1, half_life = 0,
    jobs = { { 0, 1, 10, user = 1 }, { 1, 1, 2, user = 1 }, { 2, 1, 2, user = 2 },
             { 3, 1, 1, user = 1 } },
    starts = { 0, 12, 10, 14 } },
  { "a gap before the reservation of the first is filled", processors = 2, half_life = 0,
    jobs = { { 0, 1, 10, user = 1 }, { 1, 2, 5, user = 2 }, { 2, 1, 8, user = 1 },
             { 2, 1, 9, user = 1 } },
    starts = { 0, 10, 2, 15 } },
}
