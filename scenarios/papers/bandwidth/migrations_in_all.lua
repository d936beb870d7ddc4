return metric {
  name = "migrations_in_all", unit = "migrations", better = "less",
  says = "how often a suspended job went on, over all jobs",
  of = function(run) return run.counts.resumes, #run.finished end,
}
