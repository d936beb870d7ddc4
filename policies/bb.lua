-- BB (Leinberger et al. 1999): of the jobs that may be backfilled, the one that leaves
-- the machine fullest and most even.
local balance = require("balance")
local bb = {
  paper = "Leinberger et al. 1999: Job Scheduling in the Presence of Multiple " ..
    "Resource Requirements", passes = "when_a_job_fits",
  params = {
    rounds = { default = "until_none", values = { "until_none", "one", "one_start" },
               help = "jobs backfilled in a pass; one_start: one start of any kind ends it" },
    units = balance.units,
  },
}

-- The job of a selection that has the lowest score, the first of equals.
local function lowest(with, ...)
  local best, least
  for job in ... do
    local unevenness, fullness = with(job)
    local score = unevenness * (1 - fullness)
    if not best or score < least - 1e-12 then best, least = job, score end
  end
  return best
end

function bb.schedule(queue, cluster)
  local rounds, head = cluster.params.rounds, queue:head()
  if rounds == "one_start" then
    if not head or cluster:start(head) then return end
  else
    head = cluster:start_all(queue)
  end
  local plan = head and cluster:reserve(head)
  if not plan then return end
  repeat
    local job = lowest(balance.now(cluster), queue:backfillable(plan))
    if job then cluster:start(job) end
  until not job or rounds ~= "until_none"
end

return bb
