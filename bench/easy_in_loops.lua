-- policies/easy.lua with a call of its own for each start: what the border between script
-- and engine costs.
local easy = {
  passes = "when_a_job_fits",
  promises = "easy",
}

function easy.schedule(queue, cluster)
  for job in queue:startable() do cluster:start(job) end
  local head = queue:head()
  if head then
    local plan = cluster:reserve(head)
    for job in queue:backfillable(plan) do cluster:start(job) end
  end
end

return easy
