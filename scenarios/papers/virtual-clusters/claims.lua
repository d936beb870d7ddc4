-- The claims of Stillwell et al. 2009, and how they are judged.
paper {
  title = "Virtual clusters: what the paper claims, what berth measures",
  by = "Stillwell, Schanzenbach, Vivien and Casanova, Resource Allocation using Virtual Clusters (2009)",
  axis = "workload.load",
  assumes = {
    "instances as the paper draws them, needs drawn again until in (0, 1), memory scaled to the total that the slack says; small: 4 hosts, 6 to 12 jobs; large: 64 hosts, 100 to 500 jobs; slack 0.1 to 0.9; 90 % intervals over seeds",
    "points are weighted by the instances behind their values; a failure counts as 100 % in an average degradation and is left out of the largest one",
    "ties of the two lists of MCB go to the CPU list, a search tries the relaxed bound first and ends within 1e-4, unless the row says `authors`",
  },
}
local authors = "authors: ties to the memory list, the bound is not tried first, tolerance 1e-3"
local vertex = "hangs on the vertex that a solver finds"
local few = "one instance of each kind and seed"
local function mcb(variant) return variant == 8 and "mcb" or ("mcb(variant=%d)"):format(variant) end
local function greedy(variant) return variant == "GR" and "greedy" or ("greedy(variant=%s)"):format(variant) end
local RRNZ = "rounding(variant=RRNZ)"
local function slack(...) return { ["packing.slack"] = { ... } } end
local from_03 = slack(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

-- A metric of one policy; one policy against another.
local function value(id, says, sweep, of, metric, more)
  local given = { id, says = says, rule = "value", weight = "jobs", sweep = sweep, of = of, metric = metric }
  for key, each in pairs(more) do given[key] = each end
  if given.rule ~= "value" then given.weight = nil end
  claim(given)
end
local function better(id, says, sweep, of, against, metric, more)
  local given = { id, says = says, rule = "on_average", weight = "jobs", sweep = sweep, of = of, against = against, metric = metric }
  if metric == "failure_rate" then given.unit = "pp" end
  for key, each in pairs(more or {}) do given[key] = each end
  if given.rule ~= "on_average" then given.weight = nil end
  claim(given)
end

value("V1", "three jobs of 0.6 on two hosts: smallest yield 0.833, no migration", "example.toml", "exact", "min_yield",
      { number = 0.8333, size = 0.0002, weight = nil,
        note = "that migration gives more, 0.875 in the paper and 8/9 at best, is computed by hand: a study has no time" })

-- How far each MCB is below the best of them, on average and at most.
local below = { { "a", 8, 1.06, 0.09 }, { "b", 5, 1.6, 0.25 }, { "c", 6, 1.83, 0.46 }, { "d", 7, 3.91, 1.04 }, { "e", 3, 11.76, 4.07 },
                { "f", 2, 14.21, 8.68 }, { "g", 1, 14.9, 10.97 }, { "h", 4, 17.32, 14.8 } }
local function below_best(row, hosts, sweep, at)
  for _, each in ipairs(below) do
    local id, variant, number = row .. each[1], each[2], each[at]
    value(id, ("MCB%d is %g %% below the best on average, %d hosts"):format(variant, number, hosts), sweep .. ".toml", mcb(variant),
          "degradation", { number = number, unit = "%", figure = hosts == 4 and "Table 1" or "Table 3",
          readings = { { "the settings of the authors", sweep = sweep .. "_authors.toml", assumes = authors } } })
  end
end
below_best("V2", 4, "small_mcb", 3)
for _, each in ipairs { { 8, 40.45 }, { 5, 38.67 }, { 6, 37.61 }, { 7, 40.71 }, { 3, 55.73 }, { 2, 48.3 }, { 1, 55.84 }, { 4, 46.95 } } do
  value("V2i" .. each[1], ("MCB%d is %g %% below the best at most, 4 hosts"):format(each[1], each[2]), "small_mcb.toml", mcb(each[1]),
        "largest_degradation", { number = each[2], unit = "%", rule = "up_to", figure = "Table 1",
        assumes = "the most of each seed, then the mean over seeds" })
end
value("V3a", "MCB8 is over 3 % below the best MCB on 11.2 % of the solved, 4 hosts", "small_mcb.toml", "mcb", "degraded_by_3", { number = 0.112 })
value("V3b", "the same: over 10 % on 1.4 %", "small_mcb.toml", "mcb", "degraded_by_10", { number = 0.014 })
for variant = 5, 8 do
  local function pair(id, says, metric)
    better(id .. variant, ("descending beats ascending: %s, MCB%d, MCB%d"):format(says, variant, variant - 4), "small_mcb.toml", mcb(variant),
           mcb(variant - 4), metric)
  end
  pair("V4a", "smallest yield", "min_yield")
  pair("V4b", "mean yield", "mean_yield")
  pair("V4c", "failures", "failure_rate")
end
below_best("V5", 64, "large_mcb", 4)
value("V6", "MCB8 has the smallest largest degradation, 3.16 %, 64 hosts", "large_mcb.toml", "mcb", "largest_degradation",
      { number = 3.16, unit = "%", rule = "up_to", figure = "Table 3" })
value("V7a", "the relaxed bound is 4 % above the exact optimum, 4 hosts", "small.toml", "exact", "share_of_bound",
      { within = { 0.947, 0.974 }, figure = "Fig. 11" })
value("V7b", "much more at slack 0.1", "small.toml", "exact", "share_of_bound", { within = { 0, 0.93 }, at = slack(0.1), figure = "Fig. 11" })
better("V8a", "the exact optimum is 2 % above MCB8, 4 hosts", "small.toml", "exact", "mcb", "min_yield", { number = 2, figure = "Fig. 11" })
for i, variant in ipairs { "GR", "SG", "GB", "SGB" } do
  better("V8" .. ("bcde"):sub(i, i), ("the exact optimum is 11 to 13 %% above %s, 4 hosts"):format(variant), "small.toml", "exact",
         greedy(variant), "min_yield", { within = { 7.3, 17.3 }, figure = "Fig. 11" })
end
better("V9a", "RRND is markedly poorer than GR, 4 hosts", "small.toml", "rounding", greedy "GR", "min_yield", { side = "worse", assumes = vertex })
better("V9b", "RRNZ solves more than RRND", "small.toml", RRNZ, "rounding", "failure_rate", { assumes = vertex })
better("V10", "mean yields of exact, MCB8 and greedy within a few per cent, 4 hosts", "small.toml", "exact", "mcb", "mean_yield",
       { rule = "same", margin = 5, figure = "Fig. 12", note = "exact against MCB8, by the margin at each point" })
value("V11", "60 of 1,440 small instances have no packing", "small.toml", "exact", "failure_rate", { number = 0.042, figure = "Fig. 13" })
better("V12a", "of the feasible small instances GB fails on none", "small.toml", greedy "GB", "exact", "failure_rate",
       { rule = "same", margin = 0.1, figure = "Fig. 13" })
better("V12b", "of the feasible small instances SGB fails on none", "small.toml", greedy "SGB", "exact", "failure_rate",
       { rule = "same", margin = 0.1, figure = "Fig. 13" })
better("V12c", "MCB8 fails on 1 of 1,440 (0.07 pp)", "small.toml", "mcb", "exact", "failure_rate",
       { number = 0.07, within = { 0, 0.21 }, side = "worse", margin = 0.05, least = 1, figure = "Fig. 13" })
better("V12d", "SG fails on 15 of 1,440 (1.04 pp)", "small.toml", greedy "SG", "exact", "failure_rate",
       { number = 1.04, side = "worse", margin = 0.05, least = 1, figure = "Fig. 13" })
better("V12e", "most failures: RRND, before GR", "small.toml", "rounding", greedy "GR", "failure_rate",
       { side = "worse", assumes = vertex, figure = "Fig. 13" })
better("V12f", "most failures: GR, before RRNZ", "small.toml", greedy "GR", RRNZ, "failure_rate",
       { side = "worse", assumes = vertex, figure = "Fig. 13" })
local function of_bound(id, says, of, number, at, more)
  local given = { number = number, at = at, size = 0.0667, figure = "Fig. 15" }
  for key, each in pairs(more or {}) do given[key] = each end
  value(id, says, "large.toml", of, "share_of_bound", given)
end
of_bound("V13a", "MCB8 is at the relaxed bound from slack 0.3 on, 64 hosts", "mcb", 1, from_03, { size = 0.03 })
of_bound("V13b", "MCB8 is 8 % below it at slack 0.2", "mcb", 0.92, slack(0.2), { size = 0.029 })
of_bound("V13c", "MCB8 is 37 % below it at slack 0.1", "mcb", 0.63, slack(0.1), { size = 0.195, assumes = "over solved instances" })
for i, variant in ipairs { "GR", "SG", "GB", "SGB" } do
  of_bound("V14" .. ("abcd"):sub(i, i), variant .. " is 20 % below the relaxed bound above slack 0.2, 64 hosts", greedy(variant), 0.8, from_03,
           { size = 0.083 })
end
value("V15a", "RRND solves nothing below slack 0.4, 64 hosts", "large_rounding.toml", "rounding", "failure_rate",
      { number = 1, size = 0.05, at = slack(0.1, 0.2, 0.3), assumes = { vertex, few } })
better("V15b", "RRND is below RRNZ in the smallest yield", "large_rounding.toml", "rounding", RRNZ, "min_yield",
       { side = "worse", assumes = { vertex, few } })
better("V16", "mean yield: greedy packers above MCB8, 64 hosts: GR", "large.toml", greedy "GR", "mcb", "mean_yield", { figure = "Fig. 16" })
better("V17a", "MCB8 fails less than GR, 64 hosts", "large.toml", "mcb", greedy "GR", "failure_rate", { figure = "Fig. 17" })
better("V17b", "SG fails as rarely as MCB8", "large.toml", greedy "SG", "mcb", "failure_rate", { rule = "same", margin = 0.1, figure = "Fig. 17" })
better("V18", "jobs of several tasks: MCB8 is above SG", "parallel.toml", "mcb", greedy "SG", "min_yield", { figure = "Fig. 19" })
better("V19", "jobs of several tasks: SG may have the higher mean yield than MCB8", "parallel.toml", greedy "SG", "mcb", "mean_yield",
       { figure = "Fig. 20" })
better("V20", "jobs of several tasks: MCB8 and SG fail on the same instances", "parallel.toml", "mcb", greedy "SG", "failure_rate",
       { rule = "same", margin = 0.1, figure = "Fig. 21",
         assumes = "judged as the same number: an instance that one of them alone fails on is against it" })
claim { "V21", figure = "Fig. 14, 18", says = "times: MCB alike, greedy packers quicker, RRND up to 650 s",
        note = "GB and SGB slow at few tasks, the integer program 28.7 s on average",
        given = "results hold no times: bench_pack measures them, docs/performance.md" }
claim { "V22", says = "Xen 3.1: 0.27 % overhead, an error of shares of 0.72 % on average",
        note = "5.99 % at most, a new cap within a second",
        given = "facts of the paper: cap_overhead, cap_error, cap_error_max, cap_delay" }

local function own(id, says, sweep, of, against, metric, more)
  local given = { id, own = true, says = says, rule = "always", sweep = sweep, of = of, against = against, metric = metric }
  for key, each in pairs(more or {}) do given[key] = each end
  claim(given)
end
own("own 1a", "MCB8 improved is less than 1 % below the exact optimum, 4 hosts", "small.toml", "exact", "mcb_improved", "min_yield",
    { rule = "on_average", weight = "jobs", within = { 0, 1 }, margin = 0.1 })
own("own 1b", "MCB8 improved is at the relaxed bound from slack 0.3 on, 64 hosts", "large.toml", "mcb_improved", nil, "share_of_bound",
    { rule = "value", weight = "jobs", within = { 0.99, 1 }, at = from_03 })
for _, policy in ipairs { "mcb", "near", "gang" } do
  for word, metric in pairs { mean = "mean_bounded_slowdown", largest = "max_bounded_slowdown" } do
    own(("own 2 %s, %s"):format(policy, word), ("%s, shared hosts, beats EASY, not shared: %s bounded slowdown"):format(policy, word),
        "running.toml", policy, "easy", metric, { against_in = "batch.toml" })
  end
end
local budget, none, any = "near(budget=4)", "near(budget=0)", "near(budget=1000000000)"
own("own 3a", "what a budget buys: 4 GiB an event against none: smallest yield", "budgets.toml", budget, none, "least_yield")
own("own 3b", "what a budget buys: 4 GiB an event: mean bounded slowdown", "budgets.toml", budget, none, "mean_bounded_slowdown")
own("own 3c", "any amount against 4 GiB an event: mean bounded slowdown", "budgets.toml", any, budget, "mean_bounded_slowdown")
own("own 3d", "any amount against 4 GiB an event: the smallest yield", "budgets.toml", any, budget, "least_yield")
local feedback = "feedback.lua pauses jobs and moves nothing"
local function fed(word, metric, sweep, what, more)
  local given = { assumes = feedback }
  for key, each in pairs(more or {}) do given[key] = each end
  own("own 4 " .. word, "feedback.lua beats mcb and dfrs: " .. what, sweep, "feedback", { "mcb", "dfrs" }, metric, given)
end
for word, metric in pairs { ["largest bounded slowdown"] = "max_bounded_slowdown", ["mean bounded slowdown"] = "mean_bounded_slowdown",
                            ["longest response"] = "max_response" } do
  fed(word, metric, "running.toml", word)
end
fed("memory moved", "moved_memory", "running.toml", "memory moved",
    { note = "what a pause and a resume move is not in the memory moved" })
fed("estimates", "max_bounded_slowdown", "running_estimates.toml", "largest slowdown, estimates of users",
    { note = "bounded slowdown" })
fed("cost", "max_bounded_slowdown", "running_cost.toml", "largest slowdown, moves of 300 s",
    { note = "a moved or resumed job stands still for 300 s" })
