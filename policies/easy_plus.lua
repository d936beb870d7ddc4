-- EASY++ (Tsafrir, Etsion and Feitelson 2007): EASY by what is expected of jobs from the
-- last two of their user instead of by walltimes, the shortest tried first behind the
-- reservation.
local on_end, estimate = require("last_two").hooks()

return {
  paper = "Tsafrir, Etsion and Feitelson 2007: Backfilling Using System-Generated " ..
    "Predictions Rather than User Runtime Estimates",
  passes = "when_a_job_fits",
  promises = "easy",
  orders = { shortest = function(job) return job.estimate end },
  on_end = on_end,
  estimate = estimate,
  schedule = function(queue, cluster)
    local head = cluster:start_all(queue)
    if not head then return end
    local plan = cluster:reserve(head)
    for job in queue:by("shortest"):fitting() do
      if plan:admits(job) then cluster:start(job) end
    end
  end,
}
