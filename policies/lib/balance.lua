-- How even the kinds of resource are in use: the largest part over the mean part, and the
-- mean part itself (Leinberger et al. 1999).
local balance = {
  units = { default = "fraction", values = { "fraction", "raw" },
            help = "parts of capacity, or amounts: processors and MB" },
}

-- What is in use now, as a function of a job whose needs are added; of no job: as it is.
function balance.now(cluster)
  local kinds, used, scale = cluster:kinds(), {}, {}
  for kind = 1, kinds do
    used[kind], scale[kind] = cluster:used_fraction(kind), 1
    if cluster.params.units == "raw" then
      scale[kind] = cluster:size(kind) * (cluster:kind(kind) == "memory" and 1024 or 1)
    end
  end
  return function(job)
    local sum, top = 0, 0
    for kind = 1, kinds do
      local part = used[kind] + (job and cluster:need_fraction(job, kind) or 0)
      local value = part * scale[kind]
      sum = sum + value
      if value > top then top = value end
    end
    return sum > 0 and top * kinds / sum or 1, sum / kinds
  end
end

return balance
