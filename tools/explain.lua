-- `berth explain RUN`: where all waiting time went, by reason, by the jobs in the way, by
-- user and by size.
local kShown = 10

local reasons -- a list of { name, slurm }, by rank
local function name_of(rank) return reasons[rank].name end
local function slurm_of(rank) return reasons[rank].slurm end

-- k for sizes above 2^(k - 1), up to 2^k.
local function size_class(size)
  local class = 0
  while 1 << class < size do class = class + 1 end
  return class
end

local function size_text(class)
  local most = 1 << class
  local least = most // 2 + 1
  return least >= most and tostring(most) or ("%d-%d"):format(least, most)
end

-- The waits with what they are summed by.
local function waits_of(run)
  local waits, jobs = run.waits, run.jobs
  return waits:with { some = waits.seconds:gt(0), user = jobs.user:at(waits.job),
                      class = jobs.size:at(waits.job):map(size_class) }
end

local function of_users(waits) return waits:where(waits.user:ne(-1)) end

-- By value of `key` the reason with most of the time, of equal ones the first.
local function main_reasons(waits, key)
  local groups = waits:by(key, "rank")
  local keys, ranks, seconds = groups:key(), groups:key(2), groups:sum("seconds")
  local main, most = {}, {}
  for i = 1, #groups do
    local at = keys[i]
    if not most[at] or seconds[i] > most[at] then
      main[at], most[at] = name_of(ranks[i]), seconds[i]
    end
  end
  return main
end

local function reason_table(waits, total)
  local groups = waits:by("rank")
  local rows = groups:sum("seconds"):top(#groups)
  local rank, seconds = groups:key():at(rows), groups:sum("seconds"):at(rows)
  return out.table { columns = {
    { "reason", of = rank:map(name_of) }, { "slurm", of = rank:map(slurm_of) },
    { "seconds", as = "seconds", of = seconds },
    { "share", as = "percent", of = seconds * 100 / total },
    { "jobs", as = "whole", of = groups:sum("some"):at(rows) },
    { "passes", as = "whole", of = groups:sum("passes"):at(rows) } } }
end

local function blocker_table(blocks, jobs)
  local groups = blocks:by("job")
  local rows = groups:sum("seconds"):top(kShown)
  local job = groups:key():at(rows)
  return out.table { columns = {
    { "job", as = "id", of = jobs.id:at(job) }, { "size", as = "whole", of = jobs.size:at(job) },
    { "length", as = "clock", of = jobs.length:at(job) },
    { "walltime", as = "clock", of = jobs.walltime:at(job) },
    { "seconds", as = "seconds", of = groups:sum("seconds"):at(rows) },
    { "jobs", as = "whole", of = groups:count():at(rows) } } }
end

-- The users with most of the time; the sizes ascending.
local function group_table(waits, key, head, total)
  local groups, main = waits:by(key), main_reasons(waits, key)
  local is_user = key == "user"
  local rows = is_user and groups:sum("seconds"):top(kShown)
  local function shown(column) return rows and column:at(rows) or column end
  local keys, seconds = shown(groups:key()), shown(groups:sum("seconds"))
  return out.table { columns = {
    { head, as = "text", of = is_user and keys or keys:map(size_text) },
    { "most of it", of = keys:map(function(at) return main[at] end) },
    { "seconds", as = "seconds", of = seconds },
    { "share", as = "percent", of = seconds * 100 / total },
    { "jobs", as = "whole", of = shown(groups:sum("waited")) } } }
end

-- An object of the sums of each group.
local function sums(groups, jobs, name)
  local keys, seconds, passes = groups:key(), groups:sum("seconds"), groups:sum("passes")
  local members = {}
  for i = 1, #groups do
    members[i] = { name(keys[i]), out.object {
      { "seconds", seconds[i] }, { "jobs", jobs[i] }, { "passes", passes[i] } } }
  end
  return out.object(members)
end

local function blockers(blocks, jobs)
  local groups = blocks:by("job")
  local keys, seconds, count = groups:key(), groups:sum("seconds"), groups:count()
  local made, rows = {}, seconds:top(kShown)
  for i = 1, #rows do
    local at = rows[i]
    made[i] = out.object { { "job", jobs.id[keys[at]] }, { "seconds", seconds[at] },
                           { "jobs", count[at] } }
  end
  return made
end

local function json_of(run, waits, followed)
  local ranks, users, sizes = waits:by("rank"), of_users(waits):by("user"), waits:by("class")
  return out.object {
    { "policy", run.policy }, { "jobs", followed }, { "waited", waits.waited:sum() },
    { "seconds", waits.seconds:sum() },
    { "reasons", sums(ranks, ranks:sum("some"), name_of) },
    { "blockers", blockers(run.blocks, run.jobs) },
    { "users", sums(users, users:sum("waited"), tostring) },
    { "sizes", sums(sizes, sizes:sum("waited"), size_text) }, { "format", 1 } }
end

local function page_of(run, waits, followed)
  local total, users = waits.seconds:sum(), of_users(waits)
  local some, any = #waits > 0, #users > 0
  return out.page {
    plain = true, spaced = true,
    out.text("%s jobs under %s: %s waited, %s s in all", out.shown(followed, "whole"), run.policy,
             out.shown(waits.waited:sum(), "whole"),
             out.shown(waits.seconds:sum("ticks"), "ticks")),
    not some and out.text "",
    some and reason_table(waits, total),
    #run.blocks > 0 and out.text "jobs that others waited for longest",
    #run.blocks > 0 and blocker_table(run.blocks, run.jobs),
    any and out.text "by user", any and group_table(users, "user", "user", total),
    some and out.text "by size", some and group_table(waits, "class", "size", total),
  }
end

local function file_of(run)
  local waits, id = run.waits, run.jobs.id
  return out.file("waits.csv", {
    { "job_id", of = id:at(waits.job) }, { "reason", of = waits.reason },
    { "passes", of = waits.passes }, { "seconds", of = waits.seconds },
    { "first", of = waits:column "first" }, { "last", of = waits.last },
    { "blocker", as = "id", of = id:at(waits.blocker) } })
end

return {
  -- `facts`: json and files, whether they are wanted; followed, the number of jobs that are
  -- explained; reasons.
  all = function(run, facts)
    reasons = facts.reasons
    local waits, report = waits_of(run), facts.json and json_of or page_of
    return { [facts.json and "json" or "page"] = report(run, waits, facts.followed),
             files = facts.files and out.page { file_of(run) } }
  end,
}
