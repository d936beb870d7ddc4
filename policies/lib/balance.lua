-- How even the kinds of resource are in use, with a job's needs added: the largest part
-- over the mean part, and the mean part itself (Leinberger et al. 1999).
local balance = {
  units = { default = "fraction", values = { "fraction", "raw" },
            help = "parts of capacity, or amounts: processors and MB" },
}

local function in_units(cluster, kind, part)
  if cluster.params.units == "fraction" then return part end
  return part * cluster:size(kind) * (cluster:kind(kind) == "memory" and 1024 or 1)
end

function balance.with(cluster, job)
  local kinds, sum, top = cluster:kinds(), 0, 0
  for kind = 1, kinds do
    local part = cluster:used_fraction(kind) + (job and cluster:need_fraction(job, kind) or 0)
    local value = in_units(cluster, kind, part)
    sum, top = sum + value, math.max(top, value)
  end
  return sum > 0 and top * kinds / sum or 1, sum / kinds
end

return balance
