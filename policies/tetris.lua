-- The job, and the hosts, that point the way the free resources do (after Grandl et al.
-- 2014).
local tetris = {
  paper = "after Grandl et al. 2014: Multi-Resource Packing for Cluster Schedulers",
  passes = "when_a_job_fits",
}

local function idle_parts(cluster)
  local parts = {}
  for kind = 1, cluster:kinds() do parts[kind] = 1 - cluster:used_fraction(kind) end
  return parts
end

local function place(cluster, job)
  local hosts = cluster.hosts
  return hosts:choose(job, function(host)
    local score = 0
    for kind = 1, cluster:kinds() do
      local size = hosts:size(host, kind)
      local towards_idle = cluster:chunk(job, kind) * hosts:idle(host, kind)
      if size > 0 then score = score + towards_idle / size ^ 2 end
    end
    return score
  end)
end

function tetris.schedule(queue, cluster)
  local on_hosts = cluster:has("hosts")
  repeat
    local job = queue:tightest(idle_parts(cluster))
    if job then cluster:start(job, on_hosts and place(cluster, job) or nil) end
  until not job
end

return tetris
