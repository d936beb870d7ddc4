-- First come, first served; jobs that overtook make way for the first (Li et al. 2018,
-- algorithm 2).
local bgmbf = {}

-- `order`: which of the others may overtake first.
function bgmbf.policy(order)
  local overtook = {} -- running jobs that started while an older one waited

  local function may_make_way(cluster, top) -- youngest first
    local list = {}
    for job in pairs(overtook) do
      if top < job or not cluster.params.preempt_only_younger then table.insert(list, 1, job) end
    end
    return list
  end

  local function make_way(cluster, top) -- enough of them, or none
    local list = {}
    local all = may_make_way(cluster, top)
    for n, job in ipairs(all) do
      list[n] = job
      local is_enough = n == #all or cluster.params.preempt == "fewest"
      if is_enough and cluster:start(top, { instead_of = list }) then
        for _, gone in ipairs(list) do overtook[gone] = nil end
        return true
      end
    end
    return false
  end

  local function keep_order(queue) -- where no older job waits any more, none was overtaken
    local oldest = queue:head()
    for job in pairs(overtook) do
      if not oldest or job < oldest then overtook[job] = nil end
    end
  end

  return {
    paper = "Li et al. 2018: Bandwidth-Guaranteed Resource Allocation and Scheduling " ..
      "for Parallel Jobs in Cloud Data Center",
    promises = function(params)
      return params.preempt_only_younger and params.promote_backfilled and "top_first" or nil
    end,
    params = {
      preempt_only_younger = { default = true,
                               help = "jobs older than the first do not make way" },
      promote_backfilled = { default = true, help = "a job is safe once no older one waits" },
      preempt = { default = "all", values = { "all", "fewest" },
                  help = "suspend all that may make way, or the youngest that suffice" },
    },
    orders = { shortest_left = function(job) return job.walltime_left end },
    on_end = function(job) overtook[job] = nil end,
    schedule = function(queue, cluster)
      local top
      repeat top = cluster:start_all(queue) until not top or not make_way(cluster, top)
      if top then
        for job in queue:by(order):fitting() do
          if job ~= top and cluster:start(job) then overtook[job] = true end
        end
      end
      if cluster.params.promote_backfilled then keep_order(queue) end
    end,
  }
end

return bgmbf
