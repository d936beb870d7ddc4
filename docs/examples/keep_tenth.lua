-- A tenth of the machine is kept for jobs of at most an hour; the others are backfilled on the
-- rest.
local function kept(job, cluster)
  if job.walltime <= 3600 then return 0 end
  return math.min(cluster:size() // 10, cluster:size() - job.size)
end

return {
  passes = "when_a_job_fits",
  schedule = function(queue, cluster)
    local plan
    for job in queue:all() do
      local keep = kept(job, cluster)
      local fits = job.size + keep <= cluster:idle()
      if fits and (not plan or plan:admits(job)) then
        cluster:start(job)
      elseif not fits and not plan then
        plan = cluster:reserve(job, { keep = keep })
      end
    end
  end,
}
