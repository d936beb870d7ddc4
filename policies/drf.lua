-- Dominant resource fairness: the user who holds the least of the kind that counts most
-- for it starts next.
local drf = { paper = "Ghodsi et al. 2011", passes = "when_a_job_fits" }

function drf.schedule(queue, cluster)
  local shares, blocked = cluster.shares, {}
  repeat
    local poorest, least
    for user in queue:users() do
      local share = shares:dominant(user) / shares:weight(user)
      if not blocked[user] and (not poorest or share < least) then poorest, least = user, share end
    end
    if poorest and not cluster:start(queue:of(poorest):head()) then blocked[poorest] = true end
  until not poorest
end

return drf
