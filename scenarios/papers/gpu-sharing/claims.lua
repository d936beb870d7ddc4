-- The claims of Weng et al. 2023 about fragmentation gradient descent, and how they are judged.
paper {
  title = "Sharing GPUs: what the paper claims, what berth measures",
  by = "Weng, Yang, Yu, Wang, Tang, Yang and Zhang, Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent (2023)",
  axis = "workload.trace", axis_name = "trace", label = function(trace) return (trace:gsub("%.csv%.gz$", "")) end,
  found = {
    "Every claim about allocation and fragmentation holds, and within a tenth of the paper's numbers (1 to 6).",
    "At each of the marks 25, 50, 80, 100 and 130 all 42 means of allocation and all 42 of fragmentation lie within two standard deviations of the published ones.",
    "The gain hangs on the rule for ties (8): whole-number scores leave many hosts equal, and only where the first of them is taken are hosts filled one after another.",
    "With ties to any host FGD loses 5 points and packing 3, best fit nothing, and best fit fills 2.8 points more than FGD.",
    "No task leaves in the paper's experiments. Where tasks end (9) half a point is left of the gain once all GPUs are asked for, and waits are shorter; at 90 % no gain is shown, and waits are longer by 0.3 s of 5 s.",
  },
  margin = 0.1, least = 1, size = 0.1,
  assumes = {
    "but in 9 tasks come one after another and stay; one without a place is rejected; filled to 130 % of 6,212 GPUs",
    "ten seeds with draws of our own: the order of tasks, further tasks, the order of hosts",
    "rules that the text does not have are those of the authors' simulator: whole-number scores, ties to the first host",
  },
}
local function of(policy, ties) return policy .. "(" .. (ties or "") .. "when_full=reject)" end
local fgd, best_fit, packing = of "fgd", of "gpu_best_fit", of "gpu_packing"
local clustering, dot, random = of "gpu_clustering", of "gpu_dot", of "gpu_random"
local others = { best_fit, packing, clustering, dot, random }
local all = { "default.toml", "cpu.toml", "gpushare.toml", "gpuspec.toml", "multigpu.toml" }
local at_130 = "gpu_allocation_at_130"

local of_departures = "tasks of up to an hour, drawn anew by each seed, at even gaps; passes every 10 s; measured once half of them came"

local function expected(given)
  given.expect = given.expect or "reproduced"
  claim(given)
end

expected { "1", figure = "evaluation", says = "FGD allocates most GPUs, on every trace", sweep = all, of = fgd, against = others,
        metric = at_130, unit = "pp", rule = "always" }
expected { "2a", figure = "abstract", number = 49, says = "unallocated GPUs reduced by up to 49 %: against dot product, as it is",
        sweep = "default.toml", of = fgd, against = dot, metric = "unallocated", rule = "up_to" }
expected { "2b", number = 42.4, figure = "artefact", says = "the same against packing", sweep = "default.toml", of = fgd, against = packing,
        metric = "unallocated", rule = "on_average" }
expected { "2c", number = 33.4, figure = "artefact", says = "the same against best fit", sweep = "default.toml", of = fgd, against = best_fit,
        metric = "unallocated", rule = "on_average" }
expected { "3a", figure = "abstract", number = 290, unit = "GPUs", says = "up to 290 GPUs more are allocated: against dot product",
        sweep = "default.toml", of = fgd, against = dot, metric = "allocated_gpus", rule = "up_to" }
expected { "3b", figure = "artefact", number = 144, unit = "GPUs", says = "the same against best fit", sweep = "default.toml", of = fgd,
        against = best_fit, metric = "allocated_gpus", rule = "on_average" }
for _, each in ipairs { { 25, 11.38, 12.94 }, { 50, 8.93, 10.81 }, { 80, 5.97, 8.29 } } do
  local mark, of_fgd, of_best_fit = table.unpack(each)
  local metric = ("gpu_fragmentation_at_%d"):format(mark)
  expected { ("4 %d"):format(mark), figure = "evaluation", unit = "pp", says = ("FGD has the least fragmentation at %d %% asked for"):format(mark),
          sweep = "default.toml", of = fgd, against = others, metric = metric, rule = "always" }
  expected { ("4 %d FGD"):format(mark), figure = "artefact", number = of_fgd, says = ("fragmentation of FGD there: %.2f %%"):format(of_fgd),
          sweep = "default.toml", of = fgd, metric = metric, rule = "value" }
  expected { ("4 %d best fit"):format(mark), figure = "artefact", number = of_best_fit,
          says = ("fragmentation of best fit there: %.2f %%"):format(of_best_fit), sweep = "default.toml", of = best_fit, metric = metric, rule = "value" }
end
expected { "5a", figure = "evaluation", number = 2.3, unit = "pp", says = "the gain over the next best, best fit, on the trace as it is",
        sweep = "default.toml", of = fgd, against = best_fit, metric = at_130, rule = "on_average" }
expected { "5b", figure = "evaluation", number = 1.2, unit = "pp", says = "the gain over the next best, packing, with more tasks of several GPUs",
        sweep = "multigpu.toml", of = fgd, against = packing, metric = at_130, rule = "on_average" }
expected { "5c", figure = "evaluation", unit = "pp", says = "the gain over best fit is less where many tasks ask for several GPUs",
        sweep = "default.toml", than = "multigpu.toml", of = fgd, against = best_fit, metric = at_130, rule = "larger_gain",
        readings = { { "over packing", against = packing } } }
expected { "6a", figure = "artefact", unit = "pp", says = "packing beats best fit on multigpu40 and gpuspec33",
        sweep = { "multigpu.toml", "gpuspec.toml" }, of = packing, against = best_fit, metric = at_130, rule = "always" }
expected { "6b", figure = "artefact", unit = "pp", says = "best fit beats packing on the other five traces",
        sweep = { "default.toml", "cpu.toml", "gpushare.toml" }, of = best_fit, against = packing, metric = at_130, rule = "always" }
expected { "7", own = true, number = 95.49, says = "with the GPUs of a host pooled best fit fills 95.5 %", sweep = "pooled.toml",
        of = best_fit, metric = at_130, rule = "value", size = 0.01, note = "95.49 by an independent program, five seeds (95.21 to 95.75)" }
expected { "7 gain", own = true, number = 2.42, unit = "pp", says = "that is as much more than with devices as FGD gains",
        sweep = "pooled.toml", against_in = "default.toml", of = best_fit, against = best_fit, metric = at_130, rule = "on_average" }
for _, each in ipairs { { "FGD", "fgd", 5 }, { "packing", "gpu_packing", 2.7 } } do
  local name, policy, number = table.unpack(each)
  expected { "8 " .. name, own = true, number = number, unit = "pp", sweep = "ties.toml", of = of(policy), against = of(policy, "ties=random,"),
          says = ("with ties to any host instead of the first %s loses %g points"):format(name, number), metric = at_130, rule = "on_average" }
end
expected { "8 best fit", own = true, sweep = "ties.toml", of = best_fit, against = of("gpu_best_fit", "ties=random,"),
        says = "best fit loses nothing", metric = at_130, rule = "same", margin = 0.2 }
expected { "8 lead", own = true, unit = "pp", sweep = "ties.toml", of = of("fgd", "ties=random,"), against = of("gpu_best_fit", "ties=random,"),
        says = "FGD fills more than best fit with ties to any host, too", expect = "opposite", metric = at_130, rule = "on_average" }
for _, each in ipairs { { 90, 0.0933, nil, "opposite" }, { 100, 0.084, "reproduced", "reproduced" },
                        { 110, 0.0764, "reproduced", "reproduced" }, { 130, 0.0646, "reproduced", "reproduced" } } do
  local asked, gap, held, wait = table.unpack(each, 1, 4)
  local function where_tasks_end(what, says, expect, metric, unit)
    claim { ("9 %d %s"):format(asked, what), own = true, unit = unit, says = ("where tasks end, %d %% asked for, %s"):format(asked, says),
            sweep = "departures.toml", at = { ["workload.interarrival_factor"] = gap }, of = "fgd", against = "gpu_best_fit",
            metric = metric, rule = "on_average", note = of_departures, expect = expect }
  end
  where_tasks_end("held", "FGD holds more GPUs", held, "gpu_allocation", "pp")
  where_tasks_end("wait", "tasks wait less under FGD", wait, "mean_wait")
end
