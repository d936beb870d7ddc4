-- The cluster has 6,212 GPUs.
return metric {
  name = "allocated_gpus", unit = "GPUs", better = "more",
  says = "GPUs of 6,212 that tasks hold when 130 % have been asked for",
  of = function(run) return 62.12 * run:metric("gpu_allocation_at_130") end,
}
