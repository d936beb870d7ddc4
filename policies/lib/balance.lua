-- How even the kinds of resource are in use, with a job's needs added: the largest part
-- over the mean part, and the mean part itself (Leinberger et al. 1999).
local balance = {
  units = { default = "fraction", values = { "fraction", "raw" },
            help = "parts of capacity, or amounts: processors and MB" },
}

local function amount(cluster, kind, part)
  return part * cluster:size(kind) * (cluster:kind(kind) == "memory" and 1024 or 1)
end

function balance.with(cluster, job)
  local kinds, sum, top = cluster:kinds(), 0, 0
  local is_raw = cluster.params.units == "raw"
  for kind = 1, kinds do
    local value = cluster:used_fraction(kind)
    if job then value = value + cluster:need_fraction(job, kind) end
    if is_raw then value = amount(cluster, kind, value) end
    sum = sum + value
    if value > top then top = value end
  end
  return sum > 0 and top * kinds / sum or 1, sum / kinds
end

return balance
