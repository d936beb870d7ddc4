-- What a claims file declares: `paper {}` and `claim {}`, read and checked key by key.
-- Nothing runs.  Every problem is told with the line of the call, not only the first.
local tool = tool
local list = require "list"

local kRules = { "always", "mostly", "on_average", "larger_gain", "up_to", "grows", "same",
                 "no_better", "value", "values" }
local kVerdicts = { "reproduced", "in the mean only", "at some points", "no difference",
                    "other value", "not shown", "opposite", "no result" }
-- Rules of the metric itself, without a base.
local kValueRules = { value = "always", values = "always", up_to = "maybe", grows = "maybe" }
local kMostRows, kLongestSays = 10000, 72

local form = { problems = {}, claims = {}, rows = {},
               paper = { title = "", by = "", axis_name = "point", interval = "seeds",
                         confidence = 0.9, margin = 1, least = 5, size = 1 / 3, assumes = {} } }

-- Readers of values: the value as it is kept, or nil and what was expected.
local function kind(wanted, says)
  return function(value)
    if type(value) == wanted then return value end
    return nil, "expected " .. says .. ", got " .. type(value)
  end
end

local function number(least, most)
  return function(value)
    local right = type(value) == "number" and value >= (least or -math.huge)
                  and value <= (most or math.huge)
    if right then return value end
    return nil, ("%s is no number%s"):format(
      type(value) == "number" and tostring(value) or "a " .. type(value),
      least and (" of %g to %g"):format(least, most or math.huge) or "")
  end
end

local function word(words)
  return function(value)
    if list.has(words, value) then return value end
    return nil, ("'%s' is none of %s"):format(
      type(value) == "string" and value or type(value), table.concat(words, ", "))
  end
end

local function texts(value)
  if type(value) == "string" then return { value } end
  local right = type(value) == "table" and #value > 0
                and list.count(value, function(each) return type(each) == "string" end) == #value
  if right then return value end
  return nil, "expected a text or a list of texts, got " .. type(value)
end

local function bounds(value)
  local right = type(value) == "table" and type(value[1]) == "number"
                and type(value[2]) == "number" and value[1] <= value[2]
  if right then return value end
  return nil, "expected { least, most }"
end

local function places(value)
  if type(value) ~= "table" then return nil, "expected { [\"workload.load\"] = 0.9 }" end
  local made = {}
  for axis, wanted in pairs(value) do
    if type(axis) ~= "string" then return nil, "expected axes by their names" end
    made[axis] = type(wanted) == "table" and wanted or { wanted }
  end
  return made
end

local function says(value)
  if type(value) ~= "string" then return nil, "expected text, got " .. type(value) end
  if list.width(value) <= kLongestSays then return value end
  return nil, ("has %d characters, at most %d: put the rest into note"):format(
    list.width(value), kLongestSays)
end

local function id(value)
  if type(value) == "string" and value ~= "" then return value end
  return nil, "a claim begins with its row: claim { \"1a\", ... }"
end

local text, count = kind("string", "text"), number(0)
local kPaper = { title = text, by = text, axis = text, axis_name = text,
                 label = kind("function", "a function"), interval = word { "seeds", "batches" },
                 confidence = number(0.5, 0.9999), margin = count, least = count, size = count,
                 assumes = texts }
local kReading = { [1] = id, sweep = texts, at = places, than = texts, of = texts,
                   against = texts, metric = text, margin = count, note = texts,
                   assumes = texts, expect = word(kVerdicts) }
local kClaim = { figure = text, says = says, number = number(), within = bounds, unit = text,
                 against_in = texts, side = word { "better", "worse" }, rule = word(kRules),
                 weight = word { "jobs" }, readings = kind("table", "a list of readings"),
                 given = text, own = kind("boolean", "true or false"), least = count,
                 size = count }
for key, reader in pairs(kReading) do kClaim[key] = reader end

-- The line from which the declaring function was called: "claims.lua:25: ".
local function here()
  local _, place = pcall(error, "", 4)
  return place
end

local function complain(place, what, ...)
  local parts = list.map({ what, ... }, function(part) return part .. ": " end)
  form.problems[#form.problems + 1] = place .. table.concat(parts):sub(1, -3)
end

-- "there is no eazy in loads.toml, did you mean 'easy'?", or nothing if it is there.
local function missing(name, known, where)
  if list.has(known, name) then return nil end
  local near = tool.nearest(name, known)
  return ("there is no %s%s%s"):format(name, where and " in " .. where or "",
                                       near and (", did you mean '%s'?"):format(near) or "")
end

-- A copy of `given` with each value as `keys` read it; wrong ones are complained about.
local function read(given, keys, place, who)
  if type(given) ~= "table" then error(who .. ": expected a table, got " .. type(given), 3) end
  local made, known = { place = place }, {}
  for key in pairs(keys) do known[#known + 1] = tostring(key) end
  for key, value in pairs(given) do
    if keys[key] then
      local kept, wrong = keys[key](value)
      made[key] = kept
      if wrong then complain(place, who, key == 1 and "row" or key, wrong) end
    else
      local near = type(key) == "string" and tool.nearest(key, known)
      complain(place, who, ("there is no key '%s'%s"):format(
        tostring(key), near and (", did you mean '%s'?"):format(near) or ""))
    end
  end
  return made
end

function form.declare_paper(given)
  local place = here()
  if form.paper.place then complain(place, "paper", "there is one already") end
  for key, value in pairs(read(given, kPaper, place, "paper")) do form.paper[key] = value end
end

-- A row that is judged: a claim, or a claim as one of its readings has it.
local function add_row(claim, reading, number_of_it)
  local row = { claim = claim, id = claim[1], place = claim.place }
  for key, value in pairs(claim) do
    if type(key) == "string" then row[key] = value end
  end
  row.inherits_at = reading ~= nil and reading.at == nil
  if reading then
    row.id = ("%s.%d"):format(claim[1], number_of_it)
    row.reading, row.note, row.assumes, row.expect = reading[1], nil, nil, nil
    for key, value in pairs(reading) do
      if type(key) == "string" then row[key] = value end
    end
  end
  row.margin, row.least = row.margin or form.paper.margin, row.least or form.paper.least
  row.size, row.is_value = row.size or form.paper.size, row.against == nil
  if not row.is_value then row.unit = row.unit or "%" end
  form.rows[#form.rows + 1] = row
  if #form.rows > kMostRows then error(("more than %d rows"):format(kMostRows), 0) end
end

local function check_judged(claim, place, who)
  for _, key in ipairs { "sweep", "of", "metric", "rule" } do
    if claim[key] == nil then complain(place, who, "a claim that is judged needs " .. key) end
  end
  local rule, has_band = claim.rule, claim.number or claim.within
  local judges = kValueRules[rule] -- the metric itself
  if judges and not claim.against and rule ~= "grows" and not has_band then
    complain(place, who, "rule", rule .. " needs number or within")
  elseif judges == "always" and claim.against then
    complain(place, who, "against", rule .. " judges the metric itself")
  elseif rule and not judges and not claim.against then
    complain(place, who, "rule", rule .. " needs against")
  end
  if rule == "larger_gain" and not claim.than then
    complain(place, who, "rule", "larger_gain needs than, the sweep whose gain is subtracted")
  elseif rule and rule ~= "larger_gain" and claim.than then
    complain(place, who, "than", "only larger_gain subtracts the gain of another sweep")
  end
  if claim.weight and rule ~= "on_average" and rule ~= "value" then
    complain(place, who, "weight", "only on_average and value weight their points")
  end
end

local function overrides(claim, reading)
  for key in pairs(kReading) do
    local is_of_row = key == 1 or key == "note" or key == "assumes" or key == "expect"
    if not is_of_row and reading[key] ~= nil and reading[key] ~= claim[key] then return true end
  end
  return false
end

function form.declare_claim(given)
  local place = here()
  local who = "claim"
  if type(given) == "table" and type(given[1]) == "string" then who = "claim " .. given[1] end
  local claim = read(given, kClaim, place, who)
  if not claim[1] then
    if given[1] == nil then complain(place, who, select(2, id())) end
    claim[1] = "?"
  end
  if list.find(form.claims, function(other) return other[1] == claim[1] end) then
    complain(place, who, "there are two claims of this row")
  end
  if given.says == nil then complain(place, who, "a claim needs says") end
  if not claim.given then check_judged(claim, place, who) end
  form.claims[#form.claims + 1] = claim
  add_row(claim)
  for i, reading in ipairs(claim.readings or {}) do
    local whose = ("%s: reading %d"):format(who, i)
    local made = read(reading, kReading, place, whose)
    if made[1] == nil then complain(place, whose, "a reading begins with its name") end
    if not overrides(claim, made) then complain(place, whose, "it overrides nothing") end
    add_row(claim, made, i)
  end
end

-- Only the rows of these claims; a problem if one is not there.
function form.keep_only(ids)
  local known = list.map(form.claims, function(claim) return claim[1] end)
  for _, wanted in ipairs(ids) do
    local what = missing(wanted, known)
    if what then return "--claim: " .. what:gsub("is no ", "is no claim ", 1) end
  end
  form.claims = list.filter(form.claims, function(claim) return list.has(ids, claim[1]) end)
  form.rows = list.filter(form.rows, function(row) return list.has(ids, row.claim[1]) end)
end

-- The scenarios that the rows need, each once, in the order in which they come.
function form.sweeps()
  local names = {}
  for _, row in ipairs(form.rows) do
    for _, key in ipairs { "sweep", "than", "against_in" } do
      for _, name in ipairs(not row.given and row[key] or {}) do
        if not list.has(names, name) then names[#names + 1] = name end
      end
    end
  end
  return names
end

local function is_value_of(text_of_it, wanted)
  return text_of_it == tostring(wanted) or tonumber(text_of_it) == wanted
end

-- The numbers of the points of a sweep that the row wants.
function form.points(row, sweep)
  local found = {}
  for i, point in ipairs(sweep.points) do
    local is_wanted = true
    for axis, wanted in pairs(row.at or {}) do
      local value = point.settings[axis]
      local is_foreign = value == nil and row.inherits_at
      is_wanted = is_wanted and (is_foreign or list.find(wanted, function(each)
        return value ~= nil and is_value_of(value, each)
      end) ~= nil)
    end
    if is_wanted then found[#found + 1] = i end
  end
  return found
end

-- The point of `sweep` with the same values of all axes that both have.
function form.partner(sweep, settings)
  for i, point in ipairs(sweep.points) do
    local agrees = true
    for key, value in pairs(settings) do
      local other = point.settings[key]
      agrees = agrees and (other == nil or other == value)
    end
    if agrees then return i end
  end
end

-- One of `names` for each sweep of a row; there may be one for all.
function form.at(names, at) return names and (names[at] or names[1]) end

local function check_at(row, name, sweep, told)
  local axes = list.map(sweep.axes, function(axis) return axis.key end)
  for key, wanted in pairs(row.at or {}) do
    local axis = list.find(sweep.axes, function(each) return each.key == key end)
    local what = not row.inherits_at and missing(key, axes, name)
    if what then told("at", (what:gsub("is no ", "is no axis ", 1))) end
    for _, value in ipairs(axis and wanted or {}) do
      local is_there = list.find(axis.values, function(each) return is_value_of(each, value) end)
      if not is_there then
        told("at", ("there is no point with %s = %s in %s"):format(key, tostring(value), name))
      end
    end
  end
end

local function check_metric(row, name, sweep, facts, told)
  local base, class = row.metric:match("^([^@]*)@?(.*)$")
  local metric = facts.metrics[base:find("^utilisation_of_.") and "utilisation" or base]
  local what = not metric and missing(base, facts.metric_names)
  if what then return told("metric", what) end
  -- Classes by a field are known by it: "user=".
  what = class ~= "" and missing(class:match("^%a+=") or class, sweep.classes, name)
  if what then return told("metric", (what:gsub("is no ", "is no class ", 1))) end
  local unit = metric.unit
  row.unit, row.better = row.unit or unit, metric.better
  local is_part = unit == "fraction" or unit == "%"
  row.scale = unit == "fraction" and row.unit ~= unit and 100 or 1
  -- Gains in per cent differ by percentage points.
  local is_of_gains = row.against and (row.rule == "larger_gain" or row.rule == "grows")
  row.is_percent = row.against and (row.unit == "%" or row.unit == "pp" and not is_part)
  local is_right = row.unit == unit or row.unit == "pp" and (is_part or is_of_gains)
                   or row.unit == "%" and (row.against or is_part)
  if is_right then return end
  told("unit", ("'%s' is none of %s%s"):format(
    row.unit, row.against and "%, " or "", is_part and "pp, " .. unit or unit))
end

local function check_labels(row, key, name, sweep, told)
  for _, label in ipairs(row[key] or {}) do
    local what = missing(label, sweep.policies, name)
    if what then told(key, what) end
  end
end

-- How many points of the sweep the row wants; each must be in the sweep of `than`, too.
local function check_points(row, at, facts, told)
  local sweep, than = facts.sweeps[row.sweep[at]], form.at(row.than, at)
  local wanted = form.points(row, sweep)
  for _, i in ipairs(than and wanted or {}) do
    local point = sweep.points[i]
    if not form.partner(facts.sweeps[than], point.settings) then
      told("than", ("there is no point with %s in %s"):format(point.text, than))
    end
  end
  return #wanted
end

local function check_row(row, facts, told)
  local wanted = 0
  for _, key in ipairs { "sweep", "than" } do
    for at, name in ipairs(row[key] or {}) do
      local sweep = facts.sweeps[name]
      check_at(row, name, sweep, told)
      check_metric(row, name, sweep, facts, told)
      check_labels(row, "of", name, sweep, told)
      if not row.against_in then check_labels(row, "against", name, sweep, told) end
      if key == "sweep" then wanted = wanted + check_points(row, at, facts, told) end
    end
  end
  for _, name in ipairs(row.against_in or {}) do
    check_labels(row, "against", name, facts.sweeps[name], told)
  end
  for _, key in ipairs { "against_in", "than" } do
    local names = row[key] or row.sweep
    if #names ~= 1 and #names ~= #row.sweep then
      told(key, "name one sweep, or one for each of sweep")
    end
  end
  if wanted == 0 then told("at", "no point is left") end
  if row.rule == "grows" and wanted < 2 then told("rule", "grows needs two points") end
end

-- Whatever the sweeps do not have.  `facts`: metrics, metric_names, sweeps by name.
function form.check(facts)
  for _, row in ipairs(form.rows) do
    if not row.given then
      check_row(row, facts, function(key, what)
        complain(row.place, "claim " .. row.id, key, what)
      end)
    end
  end
  local axis, axes = form.paper.axis, {}
  for _, name in ipairs(form.sweeps()) do
    list.append(axes, list.map(facts.sweeps[name].axes, function(each) return each.key end))
  end
  local what = axis and #axes > 0 and missing(axis, axes)
  if what then complain(form.paper.place, "paper", "axis", what) end
end

return form
