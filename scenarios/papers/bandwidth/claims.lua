-- The claims of Li et al. 2018 and how they are judged.  Literal: the embeddings as their
-- papers have them; X1: comparators that were found by search, which show that such a
-- setting exists, not that the authors used it.
paper {
  title = "Guaranteed bandwidth: what the paper claims, what berth measures",
  by = "Li, Chen, Liu, Ning, Wei, Wang and Qiu, Bandwidth-Guaranteed Resource Allocation and Scheduling for Parallel Jobs in Cloud Data Center (Symmetry 2018, 10(5):134)",
  assumes = {
    "a fat tree of 54 servers (k = 6), 8 slots, 1 Gb/s; 10 seeds, 90 % intervals with equal draws on both sides",
    "X1 (counting comparators) and X2 (bandwidth = servers_needed) were found by search; literal settings stand beside them",
    "at 700 Mb/s acceptance is decided by whether a request fits one server: every embedding that fills by the largest number sits on fits_empty, so a lead of 15 points needs a comparator that cannot cross the hole of min(m, N - m) B",
    "Figure 4: 2,000 requests, sizes geometric with mean 8, run times exponential with mean 1000 s, load 0.5",
  },
}
local function embedding(name) return "admission(embedding=" .. name .. ")" end
local oktopus, greedy, best_fit = embedding "oktopus", embedding "greedy", embedding "best_fit"
local oktopus_1, greedy_1, best_fit_1 = embedding "oktopus_counting", embedding "greedy_by_vm", embedding "best_fit_anywhere"
local others, others_1 = { oktopus, greedy, best_fit }, { oktopus_1, greedy_1, best_fit_1 }
local at_700, from_450 = { ["workload.bandwidth_mean"] = 700 }, { ["workload.bandwidth_mean"] = { 450, 600, 700 } }

claim { "T1", figure = "Table 1", says = "mean run time 72.4 and 10.4 min, N to 100 and 128, 251 and 247 Mb/s",
        given = "the logs give the run times, N 84 and 128; servers_needed draws 206 and 248 Mb/s" }
claim { "F2, F3", figure = "Fig. 2, 3", says = "weights; AdaBa and best fit alone accept three requests at once",
        given = "worked out by hand, in tests" }

-- Each with a reading of the comparators X1.
local function accepts(given)
  given.of, given.unit = given.of or "admission", given.unit or "pp"
  given.metric = given.metric or "accept_rate"
  local other = { "X1", sweep = given.sweep:gsub("%.toml", "_x1.toml"), against = given.against_x1 }
  if given.of ~= "admission" then other.of = given.of_x1 end
  given.against_x1, given.of_x1, given.readings = nil, nil, { other }
  claim(given)
end
local function figure_4(given)
  given.sweep, given.figure = "figure4.toml", "Fig. 4"
  accepts(given)
end
figure_4 { "4a", says = "AdaBa accepts more than the three others at every mean bandwidth", rule = "always", against = others, against_x1 = others_1 }
figure_4 { "4b", says = "up to 15 % more, at 700 Mb/s: in points", number = 15, rule = "on_average", at = at_700, against = oktopus, against_x1 = oktopus_1 }
figure_4 { "4b, %", says = "up to 15 % more, at 700 Mb/s: in per cent of Oktopus", number = 15, unit = "%", rule = "on_average", at = at_700,
           against = oktopus, against_x1 = oktopus_1 }
figure_4 { "4c", says = "its lead grows with the bandwidth", rule = "grows", against = others, against_x1 = others_1 }
figure_4 { "4d", says = "every accept rate falls as the bandwidth grows", rule = "grows", side = "worse",
           of = { "admission", oktopus, greedy, best_fit }, of_x1 = { "admission", oktopus_1, greedy_1, best_fit_1 } }
figure_4 { "4e", says = "from 450 to 700 Mb/s AdaBa falls more slowly: growth of its lead", rule = "grows", at = from_450,
           against = others, against_x1 = others_1 }
figure_4 { "4f", says = "best fit accepts more than Oktopus and greedy in most cases", rule = "mostly", of = best_fit, of_x1 = best_fit_1,
           against = { oktopus, greedy }, against_x1 = { oktopus_1, greedy_1 } }
figure_4 { "4g", says = "AdaBa accepts clearly more than best fit, at 700 Mb/s", rule = "on_average", at = at_700, against = best_fit,
           against_x1 = best_fit_1 }
claim { "4h", figure = "Fig. 4", says = "best fit accepts as much as AdaBa where the bandwidth is small", rule = "same", sweep = "figure4.toml",
        at = { ["workload.bandwidth_mean"] = 50 }, of = "admission", against = best_fit, metric = "accept_rate", unit = "pp",
        readings = { { "X1", sweep = "figure4_x1.toml", against = best_fit_1 } } }
figure_4 { "4i", says = "AdaBa hides more of the bandwidth that it places", rule = "on_average", metric = "hidden_share", against = others,
           against_x1 = others_1 }

for _, log in ipairs { "KTH", "NASA" } do
  accepts { log == "KTH" and "5a" or "5b", figure = "Fig. 5", says = "AdaBa accepts more at most loads, " .. log, rule = "mostly",
            sweep = "figure5_" .. log:lower() .. ".toml", against = others, against_x1 = others_1 }
end
accepts { "5c", figure = "Fig. 5", says = "its lead grows with the load, KTH", rule = "grows", sweep = "figure5_kth.toml",
          against = { oktopus, greedy }, against_x1 = { oktopus_1, greedy_1 } }

local function scheduled(log, id, says, of, against, metric, more)
  local given = { id, says = says, rule = "always", sweep = "schedulers_" .. log:lower() .. ".toml", of = of, against = against, metric = metric }
  for key, value in pairs(more or {}) do given[key] = value end
  claim(given)
end
for _, log in ipairs { "KTH", "NASA" } do
  for word, metric in pairs { wait = "mean_wait", slowdown = "mean_bounded_slowdown" } do
    local fig = { figure = word == "wait" and "Fig. 6" or "Fig. 7" }
    local function row(id, says, of, against, more)
      scheduled(log, ("%s %s"):format(id, log), ("%s, %s: %s"):format(says, log, word), of, against, metric, more or fig)
    end
    row(word == "wait" and "6a" or "6c", "BgMBF is better than FCFS", "bgmbf", "fcfs")
    row(word == "wait" and "6b" or "6d", "BgMBF is better than SBF", "bgmbf", "sbf")
    row("6e " .. word, "SBF is no better than FCFS", "sbf", "fcfs", { rule = "no_better", figure = fig.figure })
    row("6f " .. word, "BgMBFSDF is always better than BgMBF", "bgmbfsdf", "bgmbf")
  end
end
scheduled("NASA", "6g", "NASA: SDF waits least of SDF, BgMBF and BgMBFSDF", "sjf", { "bgmbf", "bgmbfsdf" }, "mean_wait", { figure = "Fig. 6" })
scheduled("KTH", "6h", "KTH: SDF waits longest of SDF, BgMBF and BgMBFSDF", "sjf", { "bgmbf", "bgmbfsdf" }, "mean_wait",
          { figure = "Fig. 6", side = "worse" })
claim { "6i", figure = "Fig. 6", says = "the gain of BgMBFSDF over BgMBF is larger on NASA than on KTH", given = "rows 6f wait" }
claim { "6j", says = "SDF lets long jobs wait: its largest wait exceeds that of BgMBFSDF", rule = "on_average",
        sweep = { "schedulers_kth.toml", "schedulers_nasa.toml" }, of = "bgmbfsdf", against = "sjf", metric = "max_wait" }
scheduled("KTH", "8a", "at most 350 migrations of 1,000 jobs, KTH to load 1.9", "bgmbf", nil, "resumes_a_job",
          { figure = "Fig. 8", rule = "values", number = 0.35, within = { 0, 0.35 } })
scheduled("NASA", "8b", "at most 200 migrations of 1,000 jobs, NASA to load 1.2", "bgmbf", nil, "resumes_a_job",
          { figure = "Fig. 8", rule = "values", number = 0.2, within = { 0, 0.2 }, at = { ["workload.load"] = { 0.5, 0.6, 0.8, 1.0, 1.2 } } })
for _, log in ipairs { "KTH", "NASA" } do
  scheduled(log, "8c " .. log, "BgMBFSDF migrates less than BgMBF in most cases, " .. log, "bgmbfsdf", "bgmbf", "resumes_a_job",
            { figure = "Fig. 8", rule = "mostly", side = "worse" })
end
scheduled("KTH", "8d", "but not for KTH at load 0.6", "bgmbfsdf", "bgmbf", "resumes_a_job",
          { figure = "Fig. 8", rule = "on_average", at = { ["workload.load"] = 0.6 } })
scheduled("KTH", "8e", "KTH migrates less than NASA at equal load", "bgmbf", "bgmbf", "resumes_a_job",
          { figure = "Fig. 8", side = "worse", against_in = "schedulers_nasa.toml" })
for _, log in ipairs { "KTH", "NASA" } do
  scheduled(log, "8f " .. log .. ", migrations", "all migrations together take in the order of 1000 s, " .. log, { "bgmbf", "bgmbfsdf" }, nil,
            "frozen_time", { rule = "up_to", within = { 1000, 10000 }, note = "the largest over the loads" })
  scheduled(log, "8f " .. log .. ", wait", "the mean response (our wait) is of order 10,000 s, " .. log, { "bgmbf", "bgmbfsdf" }, nil,
            "mean_wait", { rule = "up_to", within = { 10000, 100000 }, note = "the largest over the loads" })
end

claim { "own 1", own = true, says = "least_reserved against AdaBa: does it accept more?", rule = "on_average", sweep = "figure4.toml",
        of = embedding "least_reserved", against = "admission", metric = "accept_rate", unit = "pp" }
local measures = { ["bounded slowdown"] = "mean_bounded_slowdown", wait = "mean_wait", ["largest wait"] = "max_wait" }
for _, log in ipairs { "KTH", "NASA" } do
  local sweep, own = "cost_" .. log:lower() .. ".toml", { own = true }
  for _, word in ipairs { "wait", "bounded slowdown" } do
    for _, base in ipairs { "bgmbf", "bgmbfsdf" } do
      scheduled(log, ("own 2 %s %s, %s"):format(log, word, base), "EASY on the network, which suspends no job, is better: " .. word,
                "easy", base, measures[word], own)
    end
  end
  claim { "own 3 " .. log, own = true, says = "with dearer migrations (0, 20, 60, 300 s) BgMBF loses to EASY: wait", rule = "always",
          sweep = sweep, of = "easy", against = "bgmbf", metric = "mean_wait" }
  claim { "own 3 " .. log .. ", growth", own = true, says = "the gain of EASY grows from 0 to 300 s of migration: wait", rule = "grows",
          sweep = sweep, of = "easy", against = "bgmbf", metric = "mean_wait" }
  for word, metric in pairs(measures) do
    scheduled(log, ("own 4 %s, %s"):format(log, word), "patient_sjf.lua, no suspension, beats BgMBFSDF: " .. word, "patient_sjf", "bgmbfsdf",
              metric, own)
    scheduled(log, ("own 5 %s, %s"):format(log, word), "swift_sjf.lua beats BgMBFSDF: " .. word, "swift_sjf", "bgmbfsdf", metric,
              { own = true, note = "swift_sjf.lua: a long job makes way for a short one" })
  end
  scheduled(log, "own 5 " .. log .. ", migrations", "swift_sjf.lua suspends less often than BgMBFSDF", "swift_sjf", "bgmbfsdf",
            "resumes_a_job", { own = true, rule = "on_average", side = "worse" })
end
