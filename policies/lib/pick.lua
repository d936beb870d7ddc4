-- The best of what a selection shows; the first of equals.
local pick = {}

function pick.lowest(score, ...)
  local best, lowest
  for job in ... do
    local value = score(job)
    if not best or value < lowest - 1e-12 then best, lowest = job, value end
  end
  return best
end

return pick
