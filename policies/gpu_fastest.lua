-- First come, first served, each job on devices of the type on which it is fastest of
-- those that have room.
local function weight(host, job, hosts)
  return hosts:rate(job, host)
end

local fastest = {}

function fastest.schedule(queue, cluster)
  for job in queue:all() do
    local place = cluster.hosts:choose(job, { weight = weight, memo = true })
    if not place then return end
    cluster:start(job, place)
  end
end

return fastest
