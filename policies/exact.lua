-- The best packing there is, for small instances (Stillwell et al. 2009).
return require("repack").policy({
  name = "Exact search",
  paper = "Stillwell, Schanzenbach, Vivien, Casanova 2009: Resource Allocation " ..
    "using Virtual Clusters",
  params = {
    nodes = { default = 1000000, min = 1, max = 1e9, help = "searched before the best so far" },
  },
  pack = function(packing, jobs, params)
    return (packing:exact(jobs, { nodes = params.nodes }))
  end,
})
