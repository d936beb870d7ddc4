-- BB (Leinberger et al. 1999): of the jobs that may be backfilled, the one that leaves
-- the machine fullest and most even.
local balance, pick = require("balance"), require("pick")
local bb = {
  paper = "Leinberger et al. 1999: Job Scheduling in the Presence of Multiple " ..
    "Resource Requirements", passes = "when_a_job_fits",
  params = {
    rounds = { default = "until_none", values = { "until_none", "one", "one_start" },
               help = "jobs backfilled in a pass; one_start: one start of any kind ends it" },
    units = balance.units,
  },
}

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
    local with = balance.now(cluster)
    local function score(job)
      local unevenness, fullness = with(job)
      return unevenness * (1 - fullness)
    end
    local job = pick.lowest(score, queue:backfillable(plan))
    if job then cluster:start(job) end
  until not job or rounds ~= "until_none"
end

return bb
