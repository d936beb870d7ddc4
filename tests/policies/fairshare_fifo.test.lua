-- Users: A 1, B 2, C 3.
local four_processors = {
  { 0, 3, 100, user = 1 }, { 0, 1, 50, user = 2 }, { 10, 1, 40, user = 1 },
  { 20, 3, 60, user = 2 }, { 30, 2, 30, user = 3 }, { 40, 1, 20, user = 1 },
  { 60, 1, 30, user = 3 }, { 70, 1, 10, user = 2 },
}

return {
  { "the user who has had nothing comes before the one who came first", processors = 1,
    half_life = 0,
    jobs = { { 0, 1, 10, user = 1 }, { 1, 1, 2, user = 1 }, { 2, 1, 2, user = 2 },
             { 3, 1, 1, user = 1 } },
    starts = { 0, 12, 10, 14 } },
  { "three users on four processors, usage does not decay", processors = 4, half_life = 0,
    jobs = four_processors, starts = { 0, 0, 140, 130, 100, 180, 100, 130 } },
  { "three users on four processors, a half-life of 20 s", processors = 4, half_life = 20,
    jobs = four_processors, starts = { 0, 0, 140, 130, 100, 180, 100, 130 } },
  { "a user of three times the weight may have had three times the usage", processors = 1,
    half_life = 0, weights = { [1] = 3 },
    jobs = { { 0, 1, 20, user = 1 }, { 0, 1, 10, user = 2 }, { 1, 1, 1, user = 1 },
             { 2, 1, 1, user = 2 } },
    starts = { 0, 20, 30, 31 } },
  { "jobs that name no user are one user", processors = 1, half_life = 0,
    jobs = { { 0, 1, 10 }, { 1, 1, 2 }, { 2, 1, 2, user = 2 } },
    starts = { 0, 12, 10 } },
}
