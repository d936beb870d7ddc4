-- Shortest estimate first, whatever fits.  A job that has waited for longer than
-- `patience` comes before all others: it starts, or what would delay it does not.
local policy = {
  orders = { shortest = function(job) return job.walltime_left end },
  params = {
    patience = { default = 12, min = 0, max = 10000,
                 help = "hours after which the oldest job comes first" },
  },
}

function policy.schedule(queue, cluster)
  local function oldest_that_waits_long()
    local head = queue:head()
    local long = head and cluster:now() - head.submit > 3600 * cluster.params.patience
    return long and head or nil
  end

  local head = oldest_that_waits_long()
  while head and cluster:start(head) do head = oldest_that_waits_long() end
  local plan = head and cluster:reserve(head)
  for job in queue:by("shortest"):fitting() do
    if job ~= head and (not plan or plan:admits(job)) then cluster:start(job) end
  end
end

return policy
