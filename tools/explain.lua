-- `berth explain RUN`: where all waiting time went, by reason, by the jobs in the way, by
-- user and by size.
local kShown, kNamed = 10, 5

local reasons -- a list of { name, slurm }, by rank
local function name_of(rank) return reasons[rank].name end
local function slurm_of(rank) return reasons[rank].slurm end

-- k for sizes above 2^(k - 1), up to 2^k.
local function size_class(size) return math.ceil(math.log(size, 2)) end

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

-- The sums of the rows with an equal `key`, by key, or the `most` with most of the time.
local function sums(frame, key, jobs, most)
  local groups = frame:by(key)
  local rows = most and groups:sum("seconds"):top(most)
  local function chosen(column) return rows and column:at(rows) or column end
  return { key = chosen(groups:key()), seconds = chosen(groups:sum("seconds")),
           jobs = chosen(groups:sum(jobs)), passes = chosen(groups:sum("passes")) }
end

-- `first`: the columns before the sums.
local function table_of(first, of, total)
  first[#first + 1] = { "seconds", as = "seconds", of = of.seconds }
  first[#first + 1] = total and { "share", as = "percent", of = of.seconds * 100 / total }
  first[#first + 1] = { "jobs", as = "whole", of = of.jobs }
  return first
end

local function reason_table(waits, total)
  local of = sums(waits, "rank", "some", #waits)
  local columns = table_of({ { "reason", of = of.key:map(name_of) },
                             { "slurm", of = of.key:map(slurm_of) } }, of, total)
  columns[#columns + 1] = { "passes", as = "whole", of = of.passes }
  return out.table { columns = columns }
end

-- The jobs that were in the way longest.
local function blockers_of(run)
  local all = run.blockers
  local rows = all.seconds:top(kShown)
  return { key = all.job:at(rows), seconds = all.seconds:at(rows), jobs = all.waits:at(rows) }
end

local function blocker_table(run)
  local of, jobs = blockers_of(run), run.jobs
  local function column(name, as) return { name, as = as, of = jobs:column(name):at(of.key) } end
  return out.table { columns = table_of({
    { "job", as = "id", of = jobs.id:at(of.key) }, column("size", "whole"),
    column("length", "clock"), column("walltime", "clock") }, of) }
end

-- The users with most of the time; the sizes ascending.
local function group_table(waits, key, most, name, total)
  local of, main = sums(waits, key, "waited", most), main_reasons(waits, key)
  return out.table { columns = table_of({
    { name and "size" or key, of = name and of.key:map(name) or of.key },
    { "most of it", of = of.key:map(function(at) return main[at] end) } }, of, total) }
end

-- An object of the sums of each group.
local function object_of(of, name)
  local members = {}
  for i = 1, #of.key do
    members[i] = { name(of.key[i]), out.object {
      { "seconds", of.seconds[i] }, { "jobs", of.jobs[i] }, { "passes", of.passes[i] } } }
  end
  return out.object(members)
end

local function blockers(run)
  local of, jobs, made = blockers_of(run), run.jobs, {}
  for i = 1, #of.key do
    made[i] = out.object { { "job", jobs.id[of.key[i]] }, { "seconds", of.seconds[i] },
                           { "jobs", of.jobs[i] } }
  end
  return made
end

local function json_of(run, waits, followed)
  return out.object {
    { "policy", run.policy }, { "jobs", followed }, { "waited", waits.waited:sum() },
    { "seconds", waits.seconds:sum() },
    { "reasons", object_of(sums(waits, "rank", "some"), name_of) },
    { "blockers", blockers(run) },
    { "users", object_of(sums(of_users(waits), "user", "waited"), tostring) },
    { "sizes", object_of(sums(waits, "class", "waited"), size_text) }, { "format", 1 } }
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
    #run.blockers > 0 and out.text "jobs that others waited for longest",
    #run.blockers > 0 and blocker_table(run),
    any and out.text "by user", any and group_table(users, "user", kShown, nil, total),
    some and out.text "by size", some and group_table(waits, "class", nil, size_text, total),
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

-- "3, 4, 5, 6, 7, ..."
local function numbers(jobs, rows)
  local named = {}
  for i = 1, math.min(#rows, kNamed) do named[i] = tostring(jobs.id[rows[i]]) end
  return table.concat(named, ", ") .. (#rows > kNamed and ", ..." or "")
end

local function start_of(start, jobs, held_by)
  local row = start.job
  return ("%s starts job %d (size %d, walltime %s); under %s: %s"):format(
    start.policy, jobs.id[row], jobs.size[row], out.shown(jobs.walltime[row], "clock"),
    held_by, start.reason)
end

-- The waits of these jobs under both, and the reasons for which they waited longest.
local function differences(left, right, chosen)
  local columns, rows = { { "job", as = "id" } }, {}
  for i, row in ipairs(chosen) do rows[i] = { left.jobs.id[row] } end
  for _, run in ipairs { left, right } do
    columns[#columns + 1] = { run.policy, as = "seconds" }
    columns[#columns + 1] = "mostly"
    local main, waits = main_reasons(run.waits, "job"), run.jobs.wait
    for i, row in ipairs(chosen) do
      rows[i][#columns - 1] = waits[row] or false
      rows[i][#columns] = main[row] or "-"
    end
  end
  return out.table { columns = columns, rows = rows, words = 1 }
end

local function parting_page(left, right, facts)
  local waiting, starts = facts.waiting, {}
  for i, start in ipairs(facts.starts) do
    starts[i] = start_of(start, left.jobs,
                         start.policy == left.policy and right.policy or left.policy)
  end
  local differ = #facts.others > 0
  return out.page {
    plain = true, spaced = true,
    out.text("%s and %s differ from %s on; %d job%s waiting then: %s", left.policy, right.policy,
             out.shown(facts.at, "seconds"), #waiting, #waiting == 1 and "" or "s",
             numbers(left.jobs, waiting)),
    #starts > 0 and out.notes(starts),
    differ and out.text "waits that differ most, in seconds",
    differ and differences(left, right, facts.others),
  }
end

return {
  -- `facts`: other, the second policy; at, in seconds, or nil where nothing differs; waiting
  -- and others, rows of jobs; starts, a list of { policy, job, reason }; reasons.
  between = function(run, facts)
    reasons = facts.reasons
    if facts.at then return parting_page(run, run.others[facts.other], facts) end
    return out.page { out.text("%s and %s start every job at the same time", run.policy,
                               facts.other) }
  end,

  -- `facts`: json and files, whether they are wanted; followed, the number of jobs that are
  -- explained; reasons.
  all = function(run, facts)
    reasons = facts.reasons
    local waits, report = waits_of(run), facts.json and json_of or page_of
    return { [facts.json and "json" or "page"] = report(run, waits, facts.followed),
             files = facts.files and out.page { file_of(run) } }
  end,
}
