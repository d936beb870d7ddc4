-- The job with the highest priority first (Tang et al. 2009), with EASY backfilling
-- behind it.  Priorities age, so the keys are computed anew at every pass.  The time
-- waited is measured against the walltime (at least 1 s):
--   wfp3       (waited / walltime)^3 * size: waited long, asked for little time, and large
--              (Tang et al. 2009)
--   unicef     waited / (log2(size) * walltime): small and short jobs pass quickly (Tang et al.
--              2009); a job of one processor counts as one of two, since log2(1) = 0
--   f1         log10(walltime) * size + 870 * log10(submit), least first: fitted to simulations
--              (Carastan-Santos and de Camargo 2017); it does not age
--   expansion  (waited + walltime) / walltime: the largest expansion factor (Srinivasan et al.
--              2002)
local formulas = {
  wfp3 = "-(waited / max(walltime, 1)) ^ 3 * size",
  unicef = "-waited / (log(max(size, 2), 2) * max(walltime, 1))",
  f1 = "log(max(walltime, 1), 10) * size + 870 * log(max(submit, 1), 10)",
  expansion = "-(waited + max(walltime, 1)) / max(walltime, 1)",
}

return {
  paper = "Tang et al. 2009: Fault-Aware, Utility-Based Job Scheduling on Blue Gene/P Systems; " ..
    "Carastan-Santos and de Camargo 2017: Obtaining Dynamic Scheduling Policies with " ..
    "Simulation and Machine Learning",
  passes = "when_a_job_fits",
  promises = "easy",
  params = {
    formula = { default = "wfp3", values = { "wfp3", "unicef", "f1", "expansion" },
                help = "what makes a priority" },
  },
  order = "priority",
  orders = {
    priority = {
      refresh = "every_pass",
      formula = function(params) return formulas[params.formula] end,
    },
  },
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
