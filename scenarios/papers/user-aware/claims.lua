-- The claims of Toth and Klusacek 2014, and how they are judged.  The log is not the
-- paper's, so each claim has readings on others.
paper {
  title = "User-aware metrics: what the paper claims, what berth measures",
  by = "Toth and Klusacek, User-Aware Metrics for Measuring Quality of Parallel Job Schedules (JSSPP 2014)",
  axis = "workload.interarrival_factor", axis_name = "load",
  label = function(factor) return ("%.2f"):format(1.7816 / factor) end,
  found = {
    "On seven hosts eleven of seventeen claims hold at every load from 0.65 to 0.90: backfilling against both FIFOs (1), plain FIFO and plain backfilling above "
      .. "35 % (2c, 2d), users with 100 % everywhere (2e), weighted tardiness (3), gaps and violations of plain FIFO (4b, 4c), fair FIFO before plain backfilling (4d).",
    "The 35 % of the fair policies hold at low load alone: fair FIFO in the mean at 0.65 and 0.71 (shown at 0.65; 36 to 38 % elsewhere), fair backfilling at 0.65 to 0.74 (shown to 0.71; 43 to 50 % above).",
    "So all of Figure 6a (2a to 2e) holds at 0.65 and 0.71. Eight loads were tried: that one of them shows it is no independent test. Plain FIFO waits 131 h at 0.65 and 166 h at 0.68; the axis of Figure 5a ends near 160 h.",
    "With 18 to 14 hosts and gaps as they are 2a and 2b hold everywhere (3 to 4 %) and 2d nowhere (20 %); KTH-SP2 and LANL-CM5 say the same of 2d (31 and 18 %).",
    "4a cannot hold on this log with equal parts to expect, 8 processors a user: the heaviest tenth has 0.03 of the others' longest line. It hangs on that assumption: from 40 processors on the ratio is 1.1, shown under fair FIFO alone.",
    "Violations (4c, 4e): 19 to 51 % of the jobs under plain FIFO, 6 to 10 % under the others. Fair backfilling has fewer than plain FIFO and plain backfilling at all loads; against fair FIFO a difference is shown at 0.90 alone.",
    "Usage (4e usage, 4f): backfilling uses the machine more than both FIFOs from load 0.68 on; with gaps as they are from 16 hosts on; on KTH-SP2 and LANL-CM5 there is no difference.",
    "The queue is full for most of the time at most loads (under fair FIFO at all): waits there measure the length of the log, so that sizes say little and directions count.",
  },
  interval = "batches",
  assumes = {
    "another log than the paper's: 8,634 jobs of 67 users on zewura (MetaCentrum, wagap-2013, partition 1), on the paper's seven hosts of 80 processors and 504.9 GiB with all gaps stretched; the paper's load is not known",
    "every point has ten seeds; each submit is later by 0 to 60 s (workload.shake), one draw for all jobs that a user submits at one time: intervals are over "
      .. "these draws of one log; readings `as recorded` are the log itself, one run, with its batches",
    "shares: usage by processors, half-life 7 days, equal weights; a user could expect an equal part of the machine, in processors and memory",
    "jobs run on beyond their walltime; mean slowdowns are not bounded; figures without numbers are judged by direction",
    "KTH-SP2 (shaken, ten seeds) and LANL-CM5 (processors alone, one run) are a second and third opinion",
  },
}
local fifo, fair_fifo, easy, fair_easy = "fcfs", "fairshare_fifo", "easy", "fairshare_easy"
local readings = {
  { "18, 16 and 14 hosts, gaps as they are", sweep = "zewura.toml" },
  { "the same, as recorded", sweep = "zewura_recorded.toml" },
  { "14 hosts, half-life 3 days, and none", sweep = "zewura_half_life.toml" },
  { "KTH-SP2", sweep = "kth.toml" }, { "LANL-CM5", sweep = "lanl.toml" },
}
local function judged(given)
  given.sweep, given.rule, given.readings = "zewura_7.toml", given.rule or "always", given.readings or readings
  claim(given)
end

for id, metric in pairs { ["1a"] = "wait", ["1b"] = "response", ["1c"] = "slowdown" } do
  judged { id, figure = "Fig. 5" .. id:sub(2), of = { easy, fair_easy }, against = { fifo, fair_fifo }, metric = "mean_" .. metric,
           says = "backfilling, fair or not, is better than both FIFOs: " .. metric }
end
local function violated(id, who, of, within, says)
  judged { id, figure = "Fig. 6a", of = of, metric = "p75_veet", rule = "values", within = within, unit = "%", says = says:format(who) }
end
violated("2a", "fair FIFO", fair_fifo, { 0, 35 }, "75 %% of the users have at most 35 %% of violated jobs: %s")
violated("2b", "fair backfilling", fair_easy, { 0, 35 }, "75 %% of the users have at most 35 %% of violated jobs: %s")
violated("2c", "plain FIFO", fifo, { 35.000001, 100 }, "%s has more than 35 %% there")
violated("2d", "plain backfilling", easy, { 35.000001, 100 }, "%s has more than 35 %% there")
judged { "2e", figure = "Fig. 6a", of = { fifo, fair_fifo, easy, fair_easy }, metric = "max_veet", rule = "values",
         within = { 100, 100 }, says = "every algorithm has a user all of whose jobs are violated" }
judged { "3a", figure = "Fig. 6b", of = fair_easy, against = { easy, fifo }, metric = "p75_weighted_tardiness",
         says = "fair backfilling lowers weighted tardiness: 75 % of the users" }
judged { "3b", figure = "Fig. 6b", of = fair_easy, against = { easy, fifo }, metric = "total_weighted_tardiness",
         says = "fair backfilling lowers weighted tardiness: all users together" }
local lines = {}
for _, processors in ipairs { 8, 16, 40, 80, 160 } do
  lines[#lines + 1] = { ("load 0.74, %d processors to expect"):format(processors), sweep = "zewura_shares.toml",
                        at = { ["expectations.processors"] = processors } }
end
for _, reading in ipairs(readings) do lines[#lines + 1] = reading end
judged { "4a", figure = "Fig. 7", of = { fair_fifo, fair_easy }, metric = "line_ratio", rule = "values", within = { 1.000001, math.huge },
         says = "fair share leaves long lines of violations for heavy users", readings = lines,
         assumes = "equal parts to expect (A-UA-5): 8 processors a user. The paper does not say which part its users could expect",
         note = "the mean longest line of the heaviest tenth of the users over that of the others" }
judged { "4b", figure = "Fig. 7", of = fifo, against = easy, metric = "loss_of_capacity", side = "worse",
         says = "plain FIFO leaves gaps: it loses more capacity than backfilling" }
judged { "4c", figure = "Fig. 7", of = fifo, against = { fair_fifo, easy, fair_easy }, metric = "violated_jobs", side = "worse", unit = "pp",
         says = "plain FIFO violates a large part of the jobs: more than the others" }
judged { "4d", figure = "Fig. 7", of = fair_fifo, against = easy, metric = "p75_veet",
         says = "fair FIFO meets expectations better than plain backfilling", note = "though its waits are longer: 1a" }
judged { "4e", figure = "Fig. 7", of = fair_easy, against = { fifo, fair_fifo, easy }, metric = "violated_jobs",
         says = "fair backfilling violates fewer jobs than the three others" }
judged { "4e usage", figure = "Fig. 7", of = fair_easy, against = { fifo, fair_fifo }, metric = "utilisation",
         says = "fair backfilling uses the machine more than the FIFOs" }
judged { "4f", figure = "Fig. 7", of = easy, against = { fifo, fair_fifo }, metric = "utilisation",
         says = "plain backfilling uses the machine more than the FIFOs" }

local every = { fifo, fair_fifo, easy, fair_easy }
local function drawn(id, says, metric) figure { id, says = says, sweep = "zewura_7.toml", of = every, metric = metric } end
for i, word in ipairs { "wait", "response", "slowdown" } do
  drawn("Fig. 5" .. ("abc"):sub(i, i), "mean " .. word .. " over the load, seven hosts", "mean_" .. word)
end
drawn("Fig. 6a", "violated jobs of the user at 75 %, over the load", "p75_veet")
drawn("Fig. 6b", "weighted tardiness of the user at 75 %, over the load", "p75_weighted_tardiness")
