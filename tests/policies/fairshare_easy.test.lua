-- Users: A 1, B 2, C 3.
local four_processors = {
  { 0, 3, 100, user = 1 }, { 0, 1, 50, user = 2 }, { 10, 1, 40, user = 1 },
  { 20, 3, 60, user = 2 }, { 30, 2, 30, user = 3 }, { 40, 1, 20, user = 1 },
  { 60, 1, 30, user = 3 }, { 70, 1, 10, user = 2 },
}

return {
  { "three users on four processors, usage does not decay", processors = 4, half_life = 0,
    jobs = four_processors, starts = { 0, 0, 50, 130, 100, 110, 90, 100 } },
  { "usage of long ago has faded below that of now", processors = 4, half_life = 20,
    jobs = four_processors, starts = { 0, 0, 50, 100, 160, 130, 90, 120 } },
}
