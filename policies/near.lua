-- The best yield for which at most `budget` of memory changes host (Stillwell et al.
-- 2009, section 6).
return require("repack").policy({
  name = "Near the present placement",
  paper = "Stillwell, Schanzenbach, Vivien, Casanova 2009, section 6: Resource " ..
    "Allocation using Virtual Clusters",
  params = {
    budget = {
      default = 8,
      min = 0,
      max = 1e9,
      help = "memory that may change host at a time: GiB, in a study hosts",
    },
  },
  pack = function(packing, jobs, params)
    return packing:adapt(jobs, { budget = params.budget })
  end,
})
