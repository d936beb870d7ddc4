-- What `check` and `holds` of a test case ask of a run, beside what every run has.
local tool = {}

local kOfJob = { number = "id", size = "size", user = "user", submit = "submit", length = "length",
                 walltime = "walltime", start = "start", finish = "finish", wait = "wait" }
local opened = {} -- by run, those of this call: its jobs; false until they are asked for

local function jobs_of(run)
  local jobs = opened[run]
  if jobs then return jobs end
  if jobs == nil then error("this run is over: a run is known while its function is called", 3) end
  jobs = { by_number = {} }
  for i = 1, #run.jobs do jobs[i] = {} end
  for name, column in pairs(kOfJob) do
    local values = run.jobs[column]
    for i, each in ipairs(jobs) do
      local value = values[i]
      each[name] = value and (math.tointeger(value) or value)
    end
  end
  for _, each in ipairs(jobs) do
    jobs.by_number[each.number] = each
    if each.user < 0 then each.user = nil end
  end
  opened[run] = jobs
  return jobs
end

local function job(run, number)
  local found = jobs_of(run).by_number[number]
  if not found then error(("there is no job %s in this run"):format(tostring(number)), 2) end
  return found
end

-- `run:jobs()` calls the frame run.jobs with the run.
function tool.call(_, run)
  local jobs = {}
  for i, each in ipairs(jobs_of(run)) do jobs[i] = each end
  return jobs
end

-- The runs of the calls before this one are over.
function tool.close_runs() opened = {} end

-- Adds to the members of a run of this call.
function tool.open_run(run, members, why)
  opened[run] = false
  members.processors, members.job, members.why = run.machine.processors, job, why
end

return tool
