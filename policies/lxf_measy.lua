-- MEASY with the largest expansion factor first: the candidate of the largest bounded
-- slowdown if all started now and ran for their walltimes goes first, keeps MEASY's
-- reservation if it does not fit, and the others are backfilled in the same order.  So a
-- short job soon passes a long one that has waited longer.  The background is MEASY's.
--
-- It beats MEASY in mean bounded slowdown.  It loses in max_wait at high load: who is first
-- changes as jobs wait, so nobody is promised a start, and a long job is passed for as long
-- as short ones come.  A pass looks at all candidates, where MEASY asks for those that fit.
local lxf_measy = {
  paper = "after Liu et al. 2012",
  orders = { shortest = function(job) return job.walltime end },
}

local function expansion(job, now)
  return (now - job.submit) / math.max(job.walltime, 10)
end

local function largest(now, ...)
  local best, most
  for job in ... do
    local factor = expansion(job, now)
    if not best or factor > most then best, most = job, factor end
  end
  return best
end

local function sorted(now, ...)
  local list = {}
  for job in ... do list[#list + 1] = job end
  table.sort(list, function(a, b) return expansion(a, now) > expansion(b, now) end)
  return list
end

local function promote(cluster, job, room)
  if job.tier ~= "background" then return cluster:start(job, room) end
  return cluster.tiers:swap(job, room) or cluster.tiers:migrate(job, room)
end

local function foreground(cluster)
  local line, now = cluster.tiers:candidates(), cluster:now()
  if not largest(now, line:fitting()) then return end
  local head
  repeat
    head = largest(now, line:all())
    if not head then return end
  until head.size > cluster:idle() or not promote(cluster, head)
  local plan = cluster:reserve(head)
  for _, job in ipairs(sorted(now, line:fitting())) do
    local room = job.size <= cluster:idle() and plan:room(job, cluster.tiers:freeze(job))
    if room then promote(cluster, job, room) end
  end
end

function lxf_measy.schedule(queue, cluster)
  if cluster:happened("submit") or cluster:happened("foreground_end") then foreground(cluster) end
  for job in queue:by("shortest"):fitting("background") do cluster.tiers:start_background(job) end
end

return lxf_measy
