-- What the abstract of the paper counts.
return metric {
  name = "unallocated", unit = "%", better = "less",
  says = "devices that no task holds when 130 % have been asked for",
  of = function(run) return 100 - run:metric("gpu_allocation_at_130") end,
}
