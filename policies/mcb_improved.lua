-- MCB8, then moves and swaps off the most loaded host. Not of the paper.
return require("repack").policy({
  name = "MCB8, improved",
  pack = function(packing, jobs)
    local packed, why = packing:mcb(jobs)
    return packed and packing:improve(packed), why
  end,
})
