-- A packer becomes a policy of a running system, and stays a packer for studies: at each
-- arrival and departure the running jobs and as much of the queue as packs, in order; what
-- is left raises the yields.
local repack = {}

function repack.policy(policy)
  local packs = policy.pack
  policy.params = policy.params or {}
  policy.params.least_yield =
    { default = 0, min = 0, max = 1, help = "in a run: jobs wait rather than get less" }
  policy.params.raise = {
    default = "average",
    values = { "average", "max_min", "none" },
    help = "in a run: where what is left goes",
  }

  function policy.schedule(queue, cluster)
    local params = cluster.params
    local function pack(packing, jobs)
      return packs(packing, jobs, params)
    end
    local packing = cluster.packing:admit(queue, pack, { least_yield = params.least_yield })
    if packing then cluster.packing:apply(packing:raised(params.raise)) end
  end

  return policy
end

return repack
