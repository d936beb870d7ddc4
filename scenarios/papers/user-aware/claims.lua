-- The claims of Toth and Klusacek 2014, and how they are judged.  The log is not the
-- paper's, so each claim has readings on others.
paper {
  title = "User-aware metrics: what the paper claims, what berth measures",
  by = "Toth and Klusacek, User-Aware Metrics for Measuring Quality of Parallel Job Schedules (JSSPP 2014)",
  axis_name = "machine", interval = "batches",
  assumes = {
    "another log than the paper's: 8,634 jobs of 67 users on zewura (MetaCentrum, wagap-2013, partition 1) on 18, 16 and 14 hosts of 80 processors and 504.9 GiB, and on 7 with all gaps times 2.227",
    "every point has ten seeds; each submit is later by 0 to 60 s (workload.shake), one draw for all jobs that a user submits at one time; readings `as recorded` are the log itself, one run",
    "shares: usage by processors, half-life 7 days, equal weights; a user could expect an equal part of the machine, in processors and memory",
    "jobs run on beyond their walltime; mean slowdowns are not bounded",
    "KTH-SP2 (shaken, ten seeds) and LANL-CM5 (processors alone, one run) are a second and third opinion",
  },
}
local fifo, fair_fifo, easy, fair_easy = "fcfs", "fairshare_fifo", "easy", "fairshare_easy"
local readings = {
  { "as recorded", sweep = "zewura_recorded.toml" }, { "seven hosts", sweep = "zewura_7.toml" },
  { "half-life 3 days, and none", sweep = "zewura_half_life.toml" },
  { "KTH-SP2", sweep = "kth.toml" }, { "LANL-CM5", sweep = "lanl.toml" },
}
local function judged(given)
  given.sweep, given.rule, given.readings = "zewura.toml", given.rule or "always", readings
  claim(given)
end

for id, metric in pairs { ["1a"] = "wait", ["1b"] = "response", ["1c"] = "slowdown" } do
  judged { id, figure = "Fig. 5", of = { easy, fair_easy }, against = { fifo, fair_fifo }, metric = "mean_" .. metric,
           says = "backfilling, fair or not, is better than both FIFOs: " .. metric }
end
local function violated(id, who, of, within, says)
  judged { id, figure = "Fig. 6", of = of, metric = "p75_veet", rule = "values", within = within, unit = "%", says = says:format(who) }
end
violated("2a", "fair FIFO", fair_fifo, { 0, 35 }, "75 %% of the users have at most 35 %% of violated jobs: %s")
violated("2b", "fair backfilling", fair_easy, { 0, 35 }, "75 %% of the users have at most 35 %% of violated jobs: %s")
violated("2c", "plain FIFO", fifo, { 35.000001, 100 }, "%s has more than 35 %% there")
violated("2d", "plain backfilling", easy, { 35.000001, 100 }, "%s has more than 35 %% there")
judged { "2e", figure = "Fig. 6", of = { fifo, fair_fifo, easy, fair_easy }, metric = "max_veet", rule = "values", number = 100,
         within = { 100, 100 }, says = "every algorithm has a user all of whose jobs are violated" }
judged { "3a", figure = "Fig. 6", of = fair_easy, against = { easy, fifo }, metric = "p75_weighted_tardiness",
         says = "fair backfilling lowers weighted tardiness: 75 % of the users" }
judged { "3b", figure = "Fig. 6", of = fair_easy, against = { easy, fifo }, metric = "total_weighted_tardiness",
         says = "fair backfilling lowers weighted tardiness: all users together" }
judged { "4a", figure = "Fig. 7", of = { fair_fifo, fair_easy }, metric = "line_ratio", rule = "values", within = { 1.000001, math.huge },
         says = "fair share leaves long lines of violations for heavy users",
         note = "their longest line over that of the others" }
judged { "4b", of = fifo, against = easy, metric = "loss_of_capacity", side = "worse",
         says = "plain FIFO leaves gaps: it loses more capacity than backfilling" }
judged { "4c", of = fifo, metric = "violated_jobs", rule = "values", within = { 0.5, 1 },
         says = "plain FIFO violates a large part of the jobs: more than half" }
judged { "4d", of = fair_fifo, against = easy, metric = "p75_veet",
         says = "fair FIFO meets expectations better than plain backfilling", note = "though its waits are longer: 1a" }
judged { "4e", of = fair_easy, against = { fifo, fair_fifo, easy }, metric = "violated_jobs",
         says = "fair backfilling violates fewer jobs than the three others" }
judged { "4e usage", of = fair_easy, against = { fifo, fair_fifo, easy }, metric = "utilisation",
         says = "fair backfilling uses the machine more than the three others" }
