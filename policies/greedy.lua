-- Task by task onto the least loaded host that has the memory (Stillwell et al. 2009).
return require("repack").policy({
  name = "GR, SG, GB, SGB",
  paper = "Stillwell, Schanzenbach, Vivien, Casanova 2009: Resource Allocation " ..
    "using Virtual Clusters",
  params = {
    variant = {
      default = "GR",
      values = { "GR", "SG", "GB", "SGB" },
      help = "S: large memory first; B: backtracking",
    },
    attempts = { default = 500000, min = 1, max = 1e9, help = "tests before GB, SGB give up" },
  },
  pack = function(packing, jobs, params)
    local variant = params.variant
    return packing:greedy(jobs, {
      sorted = variant:sub(1, 1) == "S",
      backtrack = variant:find("B", 1, true) and params.attempts or 0,
    })
  end,
})
