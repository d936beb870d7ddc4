-- A comparison of policies, as `berth run` and `berth sweep` print it: the notes below it,
-- and its tables for people.  `c` has the fields of the comparison of the program; the page
-- of a sweep is asked for piece by piece, each with the rows of one metric.
local list = require "list"
local notes = require "comparison_notes"

-- As many decimals as the largest value of these rows needs.
local function shape_of(rows)
  local values = {}
  for _, row in ipairs(rows) do
    for _, entry in ipairs(row.entries) do values[#values + 1] = entry.mean end
  end
  return out.fixed(out.decimals(values))
end

local function has_minutes(row)
  return row.unit == "s" and list.find(row.entries, function(entry)
    return entry.mean and entry.mean >= 60
  end) ~= nil
end

-- The mean, marked: times of minutes and more as people read them, with the seconds below;
-- and why it is not comparable.
local function value_cell(entry, row, shape)
  local mean = entry.mean or false
  local is_long = mean and has_minutes(row)
  return { mean, as = shape, best = entry.best, mark = mean and entry.warning ~= "" and "!" or "",
           text = is_long and out.shown(mean, "human") or nil,
           below = { is_long and out.shown(mean, shape) .. " s" or "" },
           aside = mean and entry.not_comparable or "" }
end

local function has_one_value(row)
  local first = row.entries[1].mean
  return not list.find(row.entries, function(entry)
    return not entry.mean or entry.mean ~= first
  end)
end

-- A line for each metric, a column for each policy.  The load of all policies stands above
-- the table already where it is turned.
local function run_table(c)
  local rows = list.map(c.rows, function(row)
    local shape = shape_of { row }
    local unit = { row.unit, text = has_minutes(row) and "" or nil }
    return list.joined({ row.metric, unit }, list.map(row.entries, function(entry)
      return value_cell(entry, row, shape)
    end))
  end)
  local _, load = list.find(c.rows, function(row) return row.metric == "load" end)
  return out.table { columns = list.joined({ "metric", "unit" }, c.policies), rows = rows,
                     words = 2, wide = "transpose", corner = "policy",
                     left_out = load and has_one_value(c.rows[load]) and load or nil }
end

local function verdict_cell(entry)
  local verdict, reason = entry.verdict, entry.not_comparable
  local colours = { better = "good", worse = "bad" }
  local text = verdict
  if reason ~= "" then
    text = verdict == "not comparable" and reason or ("%s; %s"):format(verdict, reason)
  end
  return { text, text = verdict == "no difference shown" and "not shown" or nil,
           colour = colours[verdict] }
end

-- The last part of a key, unless two keys share it.
local function short_keys(c)
  local names, seen = {}, {}
  for i, key in ipairs(c.keys) do
    names[i] = key:match "[^.]*$"
    if seen[names[i]] then return c.keys end
    seen[names[i]] = true
  end
  return names
end

-- Whether the offered load is not yet among the keys.
local function shows_load(c)
  return not list.place(c.keys, "workload.load")
         and list.find(c.loads, function(load) return load end) ~= nil
end

local function title_of(row)
  local better = row.better ~= "none" and (", %s is better"):format(row.better) or ""
  return ("%s (%s%s%s; against %s)"):format(
    row.metric, row.unit, better, row.exploratory and "; exploratory, p not corrected" or "",
    row.entries[1].policy)
end

-- Of the rows of one metric: a line for each cell and policy.  Beside means of minutes and
-- more, in seconds, stands how people read them.
local function sweep_table(c, of_metric)
  local value, load = shape_of(of_metric), shows_load(c)
  local short, columns, rows = short_keys(c), {}, {}
  for i, key in ipairs(c.keys) do columns[i] = { key, text = short[i] } end
  if load then columns[#columns + 1] = { "offered", as = out.fixed(3) } end
  columns[#columns + 1] = "policy"
  local words, is_long = #columns, list.find(of_metric, has_minutes)
  columns = list.joined(columns, is_long and { "mean" } or {}, {
    { is_long and "in s" or "mean", as = value }, { "+-", as = value },
    { "difference", as = value }, { "+-", as = value }, { "%", as = out.fixed(1, true) },
    { "p", as = "p" }, "verdict" })
  for _, row in ipairs(of_metric) do
    local cells = list.joined(c.cells[row.cell], load and { c.loads[row.cell] } or {})
    for _, entry in ipairs(row.entries) do
      local gain = entry.improvement or false
      rows[#rows + 1] = list.joined(cells, { entry.policy },
        is_long and { entry.mean and out.shown(entry.mean, "human") or "" } or {}, {
        { entry.mean or false, mark = entry.mean and entry.warning ~= "" and "!" or "" },
        entry.half or false, entry.difference or false, entry.difference_half or false,
        gain and row.better == "lower" and -gain or gain, entry.p or false, verdict_cell(entry) })
    end
  end
  return out.table { title = title_of(of_metric[1]), columns = columns, rows = rows, words = words,
                     wide = "fold" }
end

local function tables_of(c)
  if c.layout == "run" then return { run_table(c) } end
  -- The load of every line stands beside it.
  local is_load = #c.rows > 0 and c.rows[1].metric == "load" and c.has_others
  return (is_load or #c.rows == 0) and {} or { sweep_table(c, c.rows) }
end

-- What the table is of: the offered load, or the way to its intervals.
local function head_of(c)
  if c.layout ~= "run" then return c.basis end
  return c.loads[1] and ("load %.3f"):format(c.loads[1]) or ""
end

-- "n = 3000 jobs", or by policy where they differ; of the first row.
local function counts_of(c)
  local row = c.first
  local all = row and row.entries or {}
  if #all == 0 then return nil end
  local what, first = "jobs", all[1]
  if row.metric == "min_yield" then what = "solved instances" end
  if row.metric:find("@", 1, true) then what = "jobs behind " .. row.metric end
  if list.find(all, function(entry) return entry.n ~= first.n end) then
    local counts = list.map(all, function(entry) return ("%s %d"):format(entry.policy, entry.n) end)
    return ("n: %s %s"):format(table.concat(counts, ", "), what)
  end
  if first.runs > 1 and first.n_each > 0 then
    return ("n = %d %s in each of %d runs"):format(first.n_each, what, first.runs)
  end
  return ("n = %d %s"):format(first.n, what)
end

local function notes_of(c, is_terminal)
  local lines = {}
  if is_terminal and c.has_best then lines[1] = "* best" end
  if is_terminal and c.has_warning then
    lines[#lines + 1] =
      "! the queue is full for most of the time, or many jobs were rejected: see below"
  end
  return out.notes(list.joined(lines, { counts_of(c) }, c.notes))
end

-- `is_terminal`: with what the marks mean.
local function page(c, is_terminal)
  local head = c.is_first and head_of(c) or ""
  return out.page(list.joined({ head ~= "" and out.text(head) }, tables_of(c),
                              { c.is_last and notes_of(c, is_terminal) }))
end

return { notes = notes, page = page }
