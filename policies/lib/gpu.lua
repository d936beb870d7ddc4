-- One pass in queue order: each job goes to the host with the largest weight.  What has
-- no place waits, ends the pass, or leaves.
local gpu = {}

function gpu.policy(paper, weight, device)
  local title = "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with " ..
    "Fragmentation Gradient Descent"
  local policy = { paper = paper .. ": " .. title, params = {
    when_full = { default = "wait", values = { "wait", "stop", "reject" },
                  help = "what becomes of a job without a place" },
    ties = { default = "lowest", values = { "lowest", "random" },
             help = "which of the hosts with the largest weight" },
  } }
  local rule = { weight = weight, device = device or "best", memo = weight ~= "random" }

  function policy.schedule(queue, cluster)
    rule.ties = cluster.params.ties
    for job in queue:all() do
      local place = cluster.hosts:choose(job, rule)
      if place then
        cluster:start(job, place)
      elseif cluster.params.when_full == "reject" then
        cluster:reject(job)
      elseif cluster.params.when_full == "stop" then
        return
      end
    end
  end

  return policy
end

return gpu
