-- What KEASY, REASY and MEASY share (Liu et al. 2012).  They differ in three rules:
--   reserve(cluster, head)     the plan of the first job that cannot run in the foreground, and
--                              a function to call with each job promoted beside it (nil: none);
--                              the plan's `room` may be true: any idle processors
--   move(cluster, job, room)   how a background job that cannot swap is promoted (nil: it is
--                              not)
--   freeze(cluster, job)       seconds for which it is frozen if promoted now (nil: 0)
-- A fourth, `background`, is the key of the order in which jobs start in the background
-- (nil: walltime).
local two_tier = {}

-- Algorithm 2, Deploy.
local function promote(cluster, rules, job, room)
  if room == true then room = nil end
  if job.tier ~= "background" then return cluster:start(job, room) end
  return cluster.tiers:swap(job, room) or (rules.move and rules.move(cluster, job, room))
end

-- Algorithms 1 and 3, steps 1 and 2.
local function foreground(cluster, rules)
  local line = cluster.tiers:candidates()
  for job in line:startable() do
    if not promote(cluster, rules, job) then break end
  end
  local head = line:head()
  if not head then return end
  local plan, charge = rules.reserve(cluster, head)
  for job in line:fitting(head) do
    local room = plan:room(job, rules.freeze and rules.freeze(cluster, job))
    if room and promote(cluster, rules, job, room) and charge then charge(job) end
  end
end

local function params_of(rules)
  local params = {
    bg_departure_pass = { default = "background_only", values = { "background_only", "full" },
                          help = "what a pass does when only a background job has ended" },
  }
  for name, parameter in pairs(rules.params or {}) do params[name] = parameter end
  return params
end

function two_tier.policy(rules)
  return {
    paper = rules.paper or "Liu et al. 2012: Scheduling Parallel Jobs Using Migration and " ..
      "Consolidation in the Cloud",
    promises = rules.promises,
    orders = { background = rules.background or function(job) return job.walltime end },
    params = params_of(rules),
    schedule = function(queue, cluster)
      local full = cluster.params.bg_departure_pass == "full" and cluster:happened("background_end")
      if full or cluster:happened("submit") or cluster:happened("foreground_end") then
        foreground(cluster, rules)
      end
      -- Step 3: in the order of the background, skipping jobs that do not fit.
      for job in queue:by("background"):fitting("background") do
        cluster.tiers:start_background(job)
      end
    end,
  }
end

return two_tier
