-- Gang scheduling (Ousterhout 1982): rows are time slices, columns are hosts.  A job has
-- one row, and all its tasks run in that slice, on different hosts; the memory of all
-- rows stays on the hosts.
local gang = {
  name = "Gang scheduling",
  paper = "Ousterhout 1982: Scheduling Techniques for Concurrent Systems",
  params = {
    switch = { default = 0, min = 0, max = 60, help = "seconds lost at each change of row" },
    quantum = { default = 60, min = 60, max = 1e6, help = "seconds of a slice" },
  },
}

local rows = {} -- rows[r][host] = job
local seats = {} -- seats[job] = its hosts, one a task
local used = {} -- used[host] = GiB, of all rows

-- The lowest hosts on which the row is free and memory suffices.
local function columns(row, job, cluster)
  local found = {}
  local memory = cluster.packing:memory()
  for host = 0, cluster:size() - 1 do
    if not row[host] and (used[host] or 0) + job.memory <= memory then
      found[#found + 1] = host
      if #found == job.size then return found end
    end
  end
end

local function seat(job, cluster)
  for r = 1, #rows + 1 do
    local row = rows[r] or {}
    local hosts = columns(row, job, cluster)
    if hosts then
      rows[r], seats[job] = row, hosts
      for _, host in ipairs(hosts) do
        row[host] = job
        used[host] = (used[host] or 0) + job.memory
      end
      return true
    end
  end
end

-- A row has one task of a job on each host.
function gang.on_submit(job, cluster)
  if job.size > cluster:size() then cluster:reject(job) end
end

function gang.on_end(job)
  for _, host in ipairs(seats[job]) do
    used[host] = used[host] - job.memory
  end
  for r = #rows, 1, -1 do
    for host, other in pairs(rows[r]) do
      if other == job then rows[r][host] = nil end
    end
    if next(rows[r]) == nil then table.remove(rows, r) end
  end
  seats[job] = nil
end

local function fill(draft)
  draft:keep() -- jobs that run stay
  local put = {}
  for task in draft:tasks() do
    local job = draft:job(task)
    put[job] = (put[job] or 0) + 1
    draft:put(task, seats[job][put[job]])
  end
end

function gang.schedule(queue, cluster)
  local jobs, params = {}, cluster.params
  for job in cluster:running() do
    jobs[#jobs + 1] = job
  end
  for job in queue:all() do
    if not seat(job, cluster) then break end
    jobs[#jobs + 1] = job
  end
  if #jobs == 0 then return end
  local slice = (1 - params.switch / params.quantum) / #rows
  cluster.packing:apply(cluster.packing:search(jobs, fill, { yield = slice }))
end

return gang
