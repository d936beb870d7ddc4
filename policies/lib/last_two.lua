-- What is expected of a job: the mean of the run times of the last two jobs of its user that
-- finished; of fewer than two the walltime.
local last_two = {}

-- `on_end` and `estimate` of a policy.
function last_two.hooks()
  local before, last = {}, {}
  local function on_end(job)
    local user = job.user
    if not user or job.state ~= "finished" then return end
    before[user], last[user] = last[user], job.elapsed
  end
  local function estimate(job)
    local user = job.user
    return user and before[user] and (before[user] + last[user]) / 2
  end
  return on_end, estimate
end

return last_two
