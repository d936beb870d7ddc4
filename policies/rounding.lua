-- Randomised rounding of the relaxed program, in which tasks may be divided (Stillwell et
-- al. 2009).
return require("repack").policy({
  name = "RRND, RRNZ",
  paper = "Stillwell, Schanzenbach, Vivien, Casanova 2009: Resource Allocation " ..
    "using Virtual Clusters",
  params = {
    variant = {
      default = "RRND",
      values = { "RRND", "RRNZ" },
      help = "RRNZ: no host has probability zero",
    },
    epsilon = { default = 0.01, min = 0, max = 1, help = "of RRNZ, for a part that is zero" },
  },
  pack = function(packing, jobs, params)
    return packing:rounding(jobs, { epsilon = params.variant == "RRNZ" and params.epsilon or 0 })
  end,
})
