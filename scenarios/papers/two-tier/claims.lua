-- The claims of Liu et al. 2012 about two-tier virtual machines, and how they are judged.
paper {
  title = "Two-tier virtual machines: what the paper claims, what berth measures",
  by = "Liu, Chen, Qiu, Cai and Huang, Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud (2012)",
  axis = "workload.load", axis_name = "load",
  draws = "the whole workload anew",
  found = {
    "MEASY beats EASY at every load on both workloads (1e, 1f); on average by 21.9 % in response (the paper: 23.1) and by 45.9 % in slowdown (69.3; on JWload alone 65.2).",
    "Over loads 0.3 to 0.8 up to 49.4 % in response (the paper: 41.1) and 70.0 % in slowdown (82.9), within a third; with load 0.9 62.6 and 70.7 % (1b, 1d).",
    "MEASY beats KEASY at every load, on FWload in slowdown in the mean only; KEASY beats EASY but for FWload's response at 0.9 (3).",
    "REASY is the worst of the three on FWload, on JWload in slowdown, not in response. That it is worse than EASY on JWload (2c, 2d) is opposite, unless it counts spare processors: then in slowdown.",
    "Migrations: on JWload fewer at low load, as the paper says; at high load fewer, too: opposite (4).",
    "Without any knowledge of use both beat EASY on JWload; on FWload only where the use is drawn once for a job, which the paper does not say (5a, 5b). MEASY against KEASY on JWload fails at load 0.4 in slowdown (5d).",
    "With all processes at 100 % both beat EASY on JWload; on FWload KEASY fails at 0.9, unless the foreground loses only while the process below gets on (6). On JWload 0.3 is not shown in slowdown (6d).",
    "Dear migrations: MEASY stops beating KEASY between 480 and 840 s on FWload (the paper: 900 to 1500), on JWload above 900 s (480 to 900): the opposite order (7e). On JWload 0.3 to 0.5 are not shown in slowdown (7c).",
    "FWload is a calibration and load 0.9 no steady state: what holds there depends on the length of the workload.",
  },
  assumes = {
    "320 processors, 40,000 jobs of FWload or 50,000 of JWload (the paper: 200,000 and 100,000), loads 0.3 to 0.9, seeds 1 to 5 with equal draws on both sides, the first tenth of the jobs left out",
    "the paper's intervals are batch means; here every seed is a workload of its own",
    "at load 0.9 there is no steady state: means there move by a factor of 2 to 3 with the length of the workload and with the seed",
    "FWload is a stand-in: the size weights of the original are not published. Jobs are repeated up to 1,000 times, in an open loop: waiting does not delay the next run",
    "estimates by Tsafrir's model, largest 10 h (FWload) and 18 h (JWload); longer run times are cut to it",
    "migration cost 20 s unless the row says so; assumptions of docs/model.md at their defaults, use of processors drawn for each process unless the row says so",
  },
}
local stand_in = "FWload is a calibration, not the original, which is not published"
local no_steady, ours = "0.9 is no steady state", "load points are ours"
local bounded = "slowdown read as bounded slowdown, 10 s"
local share_lost = "the share of each workload in the averages is lost: judged against the common ones"
local unknown_use = "without declared use every background slot is usable"
local fw, jw = "fwload.toml", "jwload.toml"
local metrics = { response = "mean_response", slowdown = "mean_bounded_slowdown" }
local words, loads = { "response", "slowdown" }, { "FWload", "JWload" }

-- A file of the workload, "fwload_cost.toml", and what a row about it rests on.
local function file(load, suffix) return load:lower() .. (suffix or "") .. ".toml" end
local function resting(load, ...)
  local made = { ... }
  if load ~= "JWload" then table.insert(made, 1, stand_in) end
  return #made > 0 and made or nil
end

claim { "T1", figure = "Table 1", says = "FWload: mean size 23.4, length 2606.6 s; JWload 10.5 and 11267.0 s",
        note = "200,000 and 100,000 jobs, under 18.0 and 40.8 % of one process; after longer run times are cut to the largest estimate",
        given = "FWload 23.8, 2530.5 s, 18.6 %; JWload 10.4, 10567.8 s, 41.3 %" }

local function over_both(id, word, number, rule, more)
  local given = { id, says = ("MEASY against EASY: %s %s%g %% better"):format(word, rule == "up_to" and "up to " or "", number),
                  number = number, figure = "abstract", rule = rule, sweep = { fw, jw }, of = "measy", against = "easy",
                  metric = metrics[word], assumes = resting("FWload", ours, word == "slowdown" and bounded or nil) }
  for key, value in pairs(more) do given[key] = value end
  claim(given)
end
local on_average = { note = "on average over both workloads and all loads",
                     readings = { { "FWload alone", sweep = fw, assumes = { stand_in, share_lost } },
                                  { "JWload alone", sweep = jw, assumes = share_lost } } }
local up_to = { at = { ["workload.load"] = { 0.3, 0.4, 0.5, 0.6, 0.7, 0.8 } }, note = "loads 0.3 to 0.8: " .. no_steady,
                readings = { { "with load 0.9", at = {}, assumes = { stand_in, no_steady } } } }
over_both("1a", "response", 23.1, "on_average", on_average)
over_both("1b", "response", 41.1, "up_to", up_to)
over_both("1c", "slowdown", 69.3, "on_average", on_average)
over_both("1d", "slowdown", 82.9, "up_to", up_to)
for _, load in ipairs(loads) do
  claim { "1a " .. load .. ", job", says = "response, where the use of processors is drawn once for a job", number = 23.1, rule = "on_average",
          figure = "abstract", sweep = file(load, "_job"), against_in = file(load), of = "measy", against = "easy", metric = "mean_response",
          assumes = resting(load, share_lost, "loads 0.3, 0.5, 0.7") }
end
for _, load in ipairs(loads) do
  for i, word in ipairs(words) do
    claim { ("1%s %s"):format(i == 1 and "e" or "f", load), says = "MEASY is better than EASY at every load: " .. word, rule = "always",
            sweep = file(load), of = "measy", against = "easy", metric = metrics[word], assumes = resting(load, no_steady) }
  end
end

-- Algorithm 3, line 17 of the paper may be read in two ways.
local counting = "REASY counts spare processors"
local literally = "Algorithm 3, line 17, read literally: spare processors are a number"
local function reasy(id, load, says, word, against, more)
  local given = { id, says = says .. ": " .. word, rule = "on_average", side = "worse", sweep = load and file(load), of = "reasy",
                  against = against, metric = metrics[word], assumes = resting(load) }
  for key, value in pairs(more or {}) do given[key] = value end
  local assumes = { literally }
  for _, text in ipairs(given.assumes or {}) do table.insert(assumes, text) end
  given.readings = { { counting, of = "reasy(extra=count)", assumes = assumes } }
  claim(given)
end
for _, load in ipairs(loads) do
  reasy("2a " .. load, load, "REASY is the worst of the three", "response", { "keasy", "measy" })
  reasy("2b " .. load, load, "REASY is the worst of the three", "slowdown", { "keasy", "measy" })
end
reasy("2c JWload", "JWload", "REASY is worse than EASY", "response", "easy")
reasy("2d JWload", "JWload", "REASY is worse than EASY", "slowdown", "easy")
local on_both = { rule = "grows", sweep = "both.toml", at = { ["workload.load"] = 0.7 }, unit = "pp",
                  assumes = resting("FWload", "in points of the gain in per cent, at load 0.7, 40,000 jobs of each") }
reasy("2e", nil, "REASY gains less over EASY on JWload than on FWload", "response", "easy", on_both)
reasy("2f", nil, "REASY gains less over EASY on JWload than on FWload", "slowdown", "easy", on_both)

-- For each workload, metric and pair of policies: the rows of 3, 5 and 6.
local function always(id, load, says, of, against, word, more)
  local given = { id, says = ("%s: %s"):format(says, word), rule = "always", sweep = file(load), of = of, against = against,
                  metric = metrics[word], assumes = resting(load, no_steady) }
  for key, value in pairs(more or {}) do given[key] = value end
  claim(given)
end
for _, load in ipairs(loads) do
  for i, word in ipairs(words) do
    always(("3%s %s"):format(i == 1 and "a" or "b", load), load, "MEASY is always better than KEASY", "measy", "keasy", word)
    always(("3%s %s"):format(i == 1 and "c" or "d", load), load, "KEASY is better than EASY", "keasy", "easy", word)
  end
end
claim { "4a", says = "at high load more migrations on JWload than on FWload", rule = "always", sweep = jw, against_in = fw, of = "measy",
        against = "measy", metric = "migrations_a_job", at = { ["workload.load"] = { 0.8, 0.9 } },
        assumes = { stand_in, "counted for each job; high is 0.8 and 0.9", no_steady } }
claim { "4b", says = "at low load fewer migrations on JWload than on FWload", rule = "always", side = "worse", sweep = jw, against_in = fw,
        of = "measy", against = "measy", metric = "migrations_a_job", at = { ["workload.load"] = { 0.3, 0.4, 0.5 } },
        assumes = { stand_in, "counted for each job; low is 0.3 to 0.5" } }
local function still(number, suffix, of_use, other)
  for _, load in ipairs(loads) do
    local assumes = resting(load, number == 5 and unknown_use or no_steady, number == 5 and no_steady or nil)
    local has_other = load == "FWload" or number == 5
    local reading = has_other and { { other.says, sweep = file(load, other.suffix), assumes = assumes } } or nil
    for _, of in ipairs { "keasy", "measy" } do
      for i, word in ipairs(words) do
        always(("%d%s %s %s"):format(number, i == 1 and "a" or "b", load, of:upper()), load, ("%s %s still beats EASY"):format(of_use, of:upper()),
               of, "easy", word, { sweep = file(load, suffix), against_in = file(load), assumes = assumes, readings = reading })
      end
    end
    for i, word in ipairs(words) do
      always(("%d%s %s"):format(number, i == 1 and "c" or "d", load), load, of_use .. " MEASY beats KEASY", "measy", "keasy", word,
             { sweep = file(load, suffix), assumes = assumes, readings = reading })
    end
  end
end
still(5, "_unknown", "without any knowledge of use", { says = "the use is drawn once for a job", suffix = "_unknown_job" })
still(6, "_full", "with all processes at 100 %",
      { says = "the foreground loses only while the process below gets on", suffix = "_full_active" })

local function cost(seconds) return { ["machine.migration_cost"] = seconds } end
for i, word in ipairs(words) do
  local id = i == 1 and "" or ", slowdown"
  local function costly(row, load, says, seconds, more)
    more.at, more.sweep, more.against_in = cost(seconds), file(load, "_cost"), file(load)
    more.assumes = resting(load, ("judged at %d s"):format(seconds), more.rule ~= "on_average" and no_steady or nil)
    always(("%s %s%s"):format(row, load, id), load, says, "measy", "keasy", word, more)
  end
  local function at(load, seconds, is_mean)
    return { { ("a migration of %d s"):format(seconds), at = cost(seconds), assumes = resting(load, not is_mean and no_steady or nil) } }
  end
  costly("7a", "FWload", "below 900 s MEASY beats KEASY at every load", 840, { readings = at("FWload", 480) })
  costly("7b", "FWload", "above 1500 s it is a little worse", 1500, { rule = "on_average", side = "worse", within = { 0, 10 } })
  costly("7c", "JWload", "below 480 s MEASY beats KEASY at every load", 460, { readings = at("JWload", 240) })
  costly("7d", "JWload", "above 900 s it is a little worse", 900,
         { rule = "on_average", side = "worse", within = { 0, 10 }, readings = at("JWload", 3600, true) })
end
for i, word in ipairs(words) do
  local given = { i == 1 and "7e" or "7e, slowdown", says = "JWload bears less dear migrations than FWload: " .. word, side = "worse",
                  of = "measy", against = "keasy", metric = metrics[word], note = "MEASY against KEASY at 900 s" }
  for key, value in pairs(on_both) do given[key] = value end
  claim(given)
end
claim { "8", says = "foreground loss 0.5 to 4 %; background uses 80 to 92 or 19.8 to 76.6 %", note = "of idle cycles; nothing is gained above 96 % of foreground use",
        given = "drawn from these ranges: the model is built from them", assumes = "see docs/model.md#assumptions" }

figure { "Fig. 8", says = "migrations a job under MEASY", sweep = { fw, jw }, of = "measy", metric = "migrations_a_job" }
for i, word in ipairs(words) do
  figure { i == 1 and "Fig. 6, 7: response" or "Fig. 6, 7: slowdown", says = "mean " .. word, sweep = { fw, jw }, metric = metrics[word],
           of = { "easy", "keasy", "reasy", "measy" } }
end

local lxf = { of = "lxf_measy", against = "measy", metric = "mean_bounded_slowdown", rule = "always", own = true }
local function own(id, says, more)
  local given = { id, says = says }
  for _, from in ipairs { lxf, more } do for key, value in pairs(from) do given[key] = value end end
  claim(given)
end
local both = { sweep = { "fwload_own.toml", "jwload_own.toml" }, against_in = { fw, jw }, rule = "on_average" }
own("own 1", "does lxf_measy beat MEASY on JWload at every load: slowdown?", { sweep = "jwload_own.toml", against_in = jw })
own("own 2", "does lxf_measy beat MEASY on FWload at every load: slowdown?", { sweep = "fwload_own.toml", against_in = fw })
own("own 3", "and over both, slowdown on average?", both)
both.metric, both.side = "max_wait", "worse"
own("own 4", "is the price that the longest wait grows on average?", both)
