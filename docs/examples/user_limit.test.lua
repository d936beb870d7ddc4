return {
  { "the second job of a user waits for the first, another user's does not", processors = 10,
    params = { limit = 1 },
    jobs = { { 0, 1, 10, user = 1 }, { 0, 1, 10, user = 1 }, { 0, 1, 10, user = 2 } },
    starts = { 0, 10, 0 } },
}
