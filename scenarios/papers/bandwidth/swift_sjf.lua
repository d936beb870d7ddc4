-- Shortest estimate first, whatever fits.  A short job that does not fit takes the place of one
-- running job that has `ratio` times as long to go; each job makes way once at most.  A job that
-- has waited for longer than `patience` comes before all others.
local made_way = {} -- jobs that were suspended

local policy = {
  orders = { shortest = function(job) return job.walltime_left end },
  params = {
    patience = { default = 12, min = 0, max = 10000,
                 help = "hours after which the oldest job comes first" },
    ratio = { default = 20, min = 1, max = 100000,
              help = "how many times as long a job has to go to make way" },
  },
  on_end = function(job) made_way[job] = nil end,
}

local function longest_first(cluster, job) -- those that may make way for the job
  local list = {}
  for other in cluster:running() do
    local is_long = other.walltime_left >= cluster.params.ratio * job.walltime_left
    if is_long and not made_way[other] then list[#list + 1] = other end
  end
  table.sort(list, function(a, b)
    if a.walltime_left ~= b.walltime_left then return a.walltime_left > b.walltime_left end
    return a < b
  end)
  return list
end

local function take_place(cluster, job)
  for _, other in ipairs(longest_first(cluster, job)) do
    if cluster:start(job, { instead_of = { other } }) then made_way[other] = true return end
  end
end

function policy.schedule(queue, cluster)
  local function long_waiting()
    local head = queue:head()
    return head and cluster:now() - head.submit > 3600 * cluster.params.patience and head
  end

  local head = long_waiting()
  while head and cluster:start(head) do head = long_waiting() end
  local plan = head and cluster:reserve(head)
  for job in queue:by("shortest"):fitting() do
    if job ~= head and (not plan or plan:admits(job)) then cluster:start(job) end
  end
  if plan then return end
  for job in queue:by("shortest"):all() do
    if not made_way[job] then take_place(cluster, job) end
  end
end

return policy
