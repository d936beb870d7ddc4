-- The claims of Liu et al. 2016 about IBB, and how they are judged.
paper {
  title = "K-resource aware backfilling: what the paper claims, what berth measures",
  by = "Liu, Luan, Wang and Qian, IBB: Improved K-Resource Aware Backfill Balanced Scheduling for HTCondor (2016)",
  axis = "workload.load", axis_name = "load", label = function(load) return ("%.1f"):format(load / 0.7435) end,
  found = {
    "As printed (parts of capacity, no tolerance, passes at events) no gain over BB holds, at any load, on either workload.",
    "The sign depends on whether a worsening of the third digit of the balance counts.",
    "With a tolerance of 0.1 and a pass every 300 s wait and response gain 54 % (the paper: 65 %), on the mixed workload with 8 GiB 62 and 59 % (60 %).",
    "With that tolerance IBB is EASY almost job for job on the pure workload (row 8): what is reproduced is EASY's lead over one pick of BB.",
    "Amounts of processors and MB instead of parts, and a pass every 300 or 600 s, give the paper's sign, too, and its size.",
    "With the paper's 1 GiB a node the mixed workload is saturated, and the sign stays opposite.",
    "Slowdown gains more than wait in every reading that gains: opposite to the paper (1d).",
    "The conclusion (better than almost all backfilling) does not hold: against EASY and first fit no reading wins at every load (6).",
    "Tolerance and cycle were found by trying: that such a setting exists is no independent test.",
  },
  interval = "batches", confidence = 0.9, margin = 1, least = 5, size = 1 / 3,
  assumes = {
    "loads are relative to LANL-CM5 as it is, 0.7435; 1,024 processors and 1,024 GiB; size and memory as used",
    "the listing of IBB is lost and rebuilt from the text; amounts: processors and MB where the text says parts of capacity",
    "mixed: LANL-CM5 and MetaCentrum, each with half of the load; jobs without used memory take what they requested",
    "a third of the jobs outlives its walltime: they run on, or are killed in rows that say so",
  },
}
local ibb, bb, amounts, bb_amounts = "ibb", "bb(rounds=one)", "ibb(units=raw)", "bb(rounds=one,units=raw)"
local found = "600 s was found by trying cycles: such a setting exists, no more"
local function with(reading, more)
  local made = {}
  for _, from in ipairs { reading, more } do for key, value in pairs(from) do made[key] = value end end
  return made
end
local at_events = { "amounts, one start a pass for BB", of = amounts, against = "bb(rounds=one_start,units=raw)" }
local every_300 = { "amounts, a pass every 300 s", sweep = "pure_300.toml", of = amounts, against = bb_amounts }
local every_600 = { "amounts, a pass every 600 s", sweep = "pure_600.toml", of = amounts, against = bb_amounts, note = found }
local tolerant = { "tolerance 0.1, a pass every 300 s", sweep = "pure_300.toml", of = "ibb(tolerance=0.1)", against = bb,
                   note = "a worsening of the balance by up to 0.1 does not count: found by trying tolerances" }
local pure = { at_events, every_300, every_600, tolerant, { "size as requested", sweep = "requested.toml" },
               { "jobs killed at their walltime", sweep = "killed.toml" } }
local mixed = { { "mixed, 8 GiB", sweep = "mixed.toml", at = { ["machine.memory"] = 8192 } },
                with(every_300, { "mixed, amounts, 300 s, 8 GiB", sweep = "mixed_300.toml" }),
                with(every_600, { "mixed, amounts, 600 s, 8 GiB", sweep = "mixed_600.toml" }),
                with(tolerant, { "mixed, tolerance 0.1, 300 s, 8 GiB", sweep = "mixed_300.toml" }) }
local one_gib = { ["machine.memory"] = 1024 }
local function gain(id, figure, number, of, metric, rule)
  local is_pure = id:sub(1, 1) == "1"
  claim { id, figure = figure, number = number, metric = metric, rule = rule, of = ibb, against = bb,
          says = ("%s: %s%s better than BB"):format(is_pure and "pure" or "mixed, 1 GiB", of, number and (" up to %d %%"):format(number) or ""),
          sweep = is_pure and "pure.toml" or "mixed.toml", at = not is_pure and one_gib or nil, readings = is_pure and pure or mixed }
end
gain("1a", "Fig. 1", 65, "mean wait", "mean_wait", "up_to")
gain("1b", "Fig. 1", 65, "mean response", "mean_response", "up_to")
gain("1c", "Fig. 1", nil, "mean slowdown", "mean_slowdown", "always")
gain("2a", "Fig. 2", 60, "mean wait", "mean_wait", "up_to")
gain("2b", "Fig. 2", 60, "mean response", "mean_response", "up_to")
gain("2c", "Fig. 2", 60, "mean slowdown", "mean_slowdown", "up_to")
claim { "1d", figure = "Fig. 1", unit = "pp", metric = "mean_wait", than_metric = "mean_slowdown",
        says = "pure: the gain in slowdown is lower than the gain in wait", rule = "larger_gain",
        sweep = "pure_300.toml", of = amounts, against = bb_amounts, note = "amounts, a pass every 300 s: as printed nothing gains, so that the sign says nothing",
        readings = { with(at_events, { "amounts, one start a pass for BB", sweep = "pure.toml" }), every_600, tolerant } }
claim { "2d", figure = "Fig. 2", unit = "pp", metric = "mean_wait", says = "the gain in wait is larger on the mixed workload than on the pure one",
        rule = "larger_gain", sweep = "mixed_300.toml", than = "pure_300.toml", of = amounts, against = bb_amounts,
        note = "amounts, a pass every 300 s, 8 GiB: the first reading that gains at all",
        readings = { { "a pass every 600 s", sweep = "mixed_600.toml", than = "pure_600.toml", note = found } } }
claim { "3", figure = "Fig. 3", says = "HTCondor: IBB close to best fit in parallelism, no starvation", given = "54 jobs on 4 nodes, no data" }
for _, metric in ipairs { "wait", "response", "slowdown" } do
  local function both(name, minutes, of, against, note)
    return { name, sweep = { ("pure_%s.toml"):format(minutes), ("mixed_%s.toml"):format(minutes) }, of = of, against = against, note = note }
  end
  claim { "2e " .. metric, figure = "abstract", number = 60, metric = "mean_" .. metric, rule = "up_to",
          says = ("both workloads, most metrics: mean %s up to 60 %% better than BB"):format(metric),
          sweep = { "pure.toml", "mixed.toml" }, of = ibb, against = bb,
          readings = { both("amounts, a pass every 300 s", 300, amounts, bb_amounts),
                       both("amounts, a pass every 600 s", 600, amounts, bb_amounts, found),
                       both("tolerance 0.1, a pass every 300 s", 300, "ibb(tolerance=0.1)", bb, tolerant.note) } }
end
claim { "4", figure = "cited", says = "BB up to 50 % better mean response than EASY",
        given = "from Leinberger et al. 1999, on made-up workloads of two to eight resources" }
claim { "4 own", own = true, metric = "mean_response", says = "does BB gain over EASY here: mean response?",
        rule = "on_average", sweep = "pure.toml", of = "bb", against = "easy" }
claim { "8", own = true, metric = "mean_wait", says = "with tolerance 0.1, is IBB EASY: the same mean wait, within 5 %?",
        rule = "same", margin = 5, sweep = "pure_300.toml", of = "ibb(tolerance=0.1)", against = "easy" }
claim { "5", metric = "mean_wait@small", says = "IBB backfills more small jobs: mean wait of those below the median area",
        rule = "always", sweep = "pure.toml", of = ibb, against = bb, readings = { at_events, every_300, every_600, tolerant } }
for _, base in ipairs { "easy", "first_fit" } do
  local readings = { { "mixed, 1 GiB", sweep = "mixed.toml", at = one_gib } }
  for _, list in ipairs { pure, mixed } do
    for _, reading in ipairs(list) do readings[#readings + 1] = with(reading, { against = base }) end
  end
  claim { "6 " .. base, figure = "conclusion", metric = "mean_wait", says = "better than almost all backfilling: mean wait against " .. base,
          rule = "always", sweep = "pure.toml", of = ibb, against = base, readings = readings }
end
for _, metric in ipairs { "wait", "response", "slowdown" } do
  figure { "Fig. 1, " .. metric, says = ("pure: mean %s"):format(metric), sweep = "pure.toml", of = { ibb, bb, "easy" }, metric = "mean_" .. metric }
  figure { "Fig. 2, " .. metric, says = ("mixed, 1 GiB: mean %s"):format(metric), sweep = "mixed.toml", at = one_gib, of = { ibb, bb, "easy" },
           metric = "mean_" .. metric }
end
