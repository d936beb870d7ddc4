-- REASY (Liu et al. 2012): as KEASY, but no job is killed: a background job stays on its
-- processors, and its reservation is made there.
--
-- With `extra = "count"` the spare processors of that reservation are a number, as in line 17
-- of Algorithm 3: the idle processors and the sizes of the jobs above the head, less its own
-- size.  A job that passes by the number may take any idle processor, those above the head
-- too, so that the head can be delayed for long.
local function by_count(cluster, head)
  local plan = cluster.tiers:reserve(head)
  if head.tier ~= "background" then return plan end
  local extra = cluster:idle() - head.size
  for job in cluster.tiers:jobs_above(head) do extra = extra + job.size end
  local counted = {
    room = function(_, job) return plan:admits(job) == "in_time" or job.size <= extra end,
  }
  return counted, function(job)
    if job.expected_end > plan.start then extra = extra - job.size end
  end
end

return require("two_tier").policy {
  params = {
    extra = { default = "set", values = { "set", "count" },
              help = "spare processors beside a reservation in place: which, or how many" },
  },
  reserve = function(cluster, head)
    if cluster.params.extra == "count" then return by_count(cluster, head) end
    return cluster.tiers:reserve(head)
  end,
}
