-- User 1 asks for one processor and 4 GiB, user 2 for three and 1 GiB (the example of the
-- paper): three jobs of the one and two of the other run at a time.
local one, three = { memory = 4 }, { memory = 1 }
return {
  { "shares of the dominant kind are equal", processors = 9, memory = 18,
    jobs = { { 0, 1, 10, user = 1, needs = one }, { 0, 1, 10, user = 1, needs = one },
             { 0, 1, 10, user = 1, needs = one }, { 0, 1, 10, user = 1, needs = one },
             { 0, 3, 10, user = 2, needs = three }, { 0, 3, 10, user = 2, needs = three },
             { 0, 3, 10, user = 2, needs = three }, { 0, 3, 10, user = 2, needs = three } },
    starts = { 0, 0, 0, 10, 0, 0, 10, 10 } },
}
