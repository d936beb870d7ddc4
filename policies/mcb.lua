-- Multi-capacity bin packing (Stillwell et al. 2009).  MCB8, the largest need first, is
-- the paper's choice.
local keys = { "sum", "difference", "ratio", "max" }

return require("repack").policy({
  name = "MCB1 to MCB8",
  paper = "Stillwell, Schanzenbach, Vivien, Casanova 2009: Resource Allocation " ..
    "using Virtual Clusters",
  params = { variant = { default = 8, min = 1, max = 8, help = "MCB1 to MCB8" } },
  pack = function(packing, jobs, params)
    local variant = math.floor(params.variant)
    return packing:mcb(jobs, { key = keys[(variant - 1) % 4 + 1], descending = variant > 4 })
  end,
})
