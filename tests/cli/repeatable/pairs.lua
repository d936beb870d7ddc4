-- Decides by an order of string keys: the next job is the first fitting one whose user's
-- name comes first.  Under stock `pairs` every process would decide otherwise.
local policy = {}

function policy.schedule(queue, cluster)
  local by_name = {}
  for job in queue:fitting() do
    local name = "user " .. tostring(job.size % 17) .. tostring(cluster:random(1000))
    by_name[name] = job
  end
  for name, job in pairs(by_name) do
    local ok = cluster:start(job)
    if ok then print(name, job, tostring(by_name)) end
  end
end

return policy
