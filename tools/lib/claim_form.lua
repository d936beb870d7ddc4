-- What a claims file declares: `paper {}`, `claim {}` and `figure {}`, read and checked key by
-- key.
-- Nothing runs.  Every problem is told with the line of the call, not only the first.
local tool = tool
local list = require "list"

local kMostRows, kLongestSays = 10000, 72
local kRules = { "always", "mostly", "on_average", "larger_gain", "up_to", "grows",
                 "grows_always", "same", "no_better", "value", "values" }
-- Rules that may pool their points; that may weight them.
local kPools = { on_average = true, same = true, no_better = true }
local kWeighs = { on_average = true, value = true, up_to = true, grows = true }
-- Rules that may judge the metric itself, without a base; false: they do nothing else.
local kOfMetric = { value = false, values = false, up_to = true, grows = true,
                    grows_always = true }

local form = {
  problems = {}, claims = {}, rows = {}, figures = {}, metrics = {},
  -- From the best to the worst.
  kVerdicts = { "reproduced", "in the mean only", "at some points", "no difference",
                "other value", "not shown", "opposite", "no result" },
  paper = { title = "", by = "", axis_name = "point", interval = "seeds", confidence = 0.9,
            margin = 1, least = 5, size = 1 / 3, assumes = {}, found = {}, draws = "" },
}

-- A reader gives the value as it is kept, or nil and what is wrong with it.
local function reader(is_right, expected)
  return function(value)
    if is_right(value) then return value end
    local is_scalar = type(value) == "string" or type(value) == "number"
    local got = is_scalar and ("'%s'"):format(tostring(value)) or "a " .. type(value)
    return nil, expected:find("^is ") and got .. " " .. expected or expected .. ", got " .. got
  end
end
local function of_type(name, expected)
  return reader(function(value) return type(value) == name end, expected)
end
local function word(words)
  local is_one = function(value) return list.place(words, value) end
  return reader(is_one, "is none of " .. table.concat(words, ", "))
end
local function number(least, most)
  return reader(function(value)
    return type(value) == "number" and value >= least and value <= most
  end, least > -math.huge and ("is no number of %g to %g"):format(least, most) or "is no number")
end

local text, count = of_type("string", "expected text"), number(0, math.huge)
local id = reader(function(value) return type(value) == "string" and value ~= "" end,
                  "expected the row: claim { \"1a\", ... }")
local bounds = reader(function(value)
  return type(value) == "table" and type(value[1]) == "number" and type(value[2]) == "number"
         and value[1] <= value[2]
end, "expected { least, most }")

local function texts(value)
  if type(value) == "string" then return { value } end
  local is_list = type(value) == "table" and #value > 0
  if is_list and list.count(value, function(each) return type(each) ~= "string" end) == 0 then
    return value
  end
  return nil, "expected a text or a list of texts"
end

local function places(value)
  if type(value) ~= "table" then return nil, "expected { [\"workload.load\"] = 0.9 }" end
  local made = {}
  for axis, wanted in pairs(value) do
    made[tostring(axis)] = type(wanted) == "table" and wanted or { wanted }
  end
  return made
end

local function says(value)
  local width = type(value) == "string" and list.width(value) or 0
  if width <= kLongestSays then return text(value) end
  return nil, ("has %d characters, at most %d: put the rest into note"):format(width, kLongestSays)
end

local kPaper = { title = text, by = text, axis = text, axis_name = text,
                 label = of_type("function", "expected a function"),
                 interval = word { "seeds", "batches" }, confidence = number(0.5, 0.9999),
                 draws = text, margin = count, least = count, size = count, assumes = texts,
                 found = texts }
local kReading = { [1] = id, sweep = texts, at = places, than = texts, than_metric = text,
                   of = texts, against = texts, metric = text, margin = count, note = texts,
                   assumes = texts, interval = word { "seeds", "points" },
                   expect = word(form.kVerdicts) }
local kClaim = { figure = text, says = says, number = number(-math.huge, math.huge),
                 within = bounds, unit = text, against_in = texts, rule = word(kRules),
                 side = word { "better", "worse" }, weight = word { "jobs" },
                 pooled = word { "mean", "most" }, given = text,
                 readings = of_type("table", "expected a list"), least = count, size = count,
                 own = of_type("boolean", "expected true or false") }
for key, read in pairs(kReading) do kClaim[key] = read end
-- Of a figure: what is drawn, and numbers[series][point] of the paper.
local kFigure = { [1] = id, says = says, sweep = texts, at = places, of = texts, metric = text,
                  unit = text, weight = word { "jobs" },
                  numbers = of_type("table", "expected { [series] = { ... } }") }

local function complain(place, ...)
  form.problems[#form.problems + 1] = place .. table.concat({ ... }, ": ")
end

local function did_you_mean(name, known)
  local near = tool.nearest(name, known)
  return near and (", did you mean '%s'?"):format(near) or ""
end

-- "there is no eazy in loads.toml, did you mean 'easy'?", or nothing if it is there.
local function missing(name, known, where, what)
  if list.place(known, name) then return nil end
  return ("there is no %s%s%s%s"):format(what and what .. " " or "", name,
                                         where and " in " .. where or "", did_you_mean(name, known))
end

-- The values of `given` as `keys` read them, and the line from which the file declares.
local function read(given, keys, who, place)
  place = place or select(2, pcall(error, "", 4))
  if type(given) ~= "table" then error(who .. ": expected a table, got " .. type(given), 3) end
  local made, known = { place = place }, {}
  for key in pairs(keys) do known[#known + 1] = tostring(key) end
  for key, value in pairs(given) do
    local wrong
    if keys[key] then
      made[key], wrong = keys[key](value)
      if wrong then complain(place, who, key == 1 and "row" or key, wrong) end
    else
      key = tostring(key)
      complain(place, who, ("there is no key '%s'%s"):format(key, did_you_mean(key, known)))
    end
  end
  return made
end

function form.declare_paper(given)
  local made = read(given, kPaper, "paper")
  if form.paper.place then complain(made.place, "paper", "there is one already") end
  for key, value in pairs(made) do form.paper[key] = value end
end

-- The name of a metric that the file itself has; the program reads the rest where it runs.
function form.declare_metric(given)
  local name = type(given) == "table" and given.name
  if type(name) ~= "string" then error("metric: expected { name = \"...\", of = ... }", 2) end
  if list.place(form.metrics, name) then error(("metric: there are two of %s"):format(name), 2) end
  form.metrics[#form.metrics + 1] = name
  return given
end

-- A row that is judged: a claim, or a claim as one of its readings has it.
local function add_row(claim, reading, number_of_it)
  local row = { claim = claim, id = claim[1] }
  for key, value in pairs(claim) do row[key] = value end
  if reading then
    row.id, row.reading = ("%s.%d"):format(claim[1], number_of_it), reading[1]
    row.note, row.assumes, row.expect, row.inherits_at = nil, nil, nil, reading.at == nil
    for key, value in pairs(reading) do row[key] = value end
  end
  row.has_margin = row.margin ~= nil
  for _, key in ipairs { "margin", "least", "size" } do row[key] = row[key] or form.paper[key] end
  form.rows[#form.rows + 1] = row
  if #form.rows > kMostRows then error(("more than %d rows"):format(kMostRows), 0) end
end

-- Whether no value of the row gives the verdict that it expects.
local function is_never_found(row)
  local is_by_points = list.place({ "always", "mostly", "same", "no_better", "values" }, row.rule)
  local is_of_band = not row.against and (row.number or row.within)
  local verdict = row.expect
  return verdict == "at some points" and not is_by_points
         or verdict == "other value" and not is_of_band
         or (verdict == "opposite" or verdict == "no difference") and is_of_band
end

-- What a claim that is judged lacks, or has too much.
local function wrong_with(claim)
  for _, key in ipairs { "sweep", "of", "metric", "rule" } do
    if claim[key] == nil then return "a claim that is judged needs " .. key end
  end
  local rule, of_metric = claim.rule, kOfMetric[claim.rule]
  if claim.number and not claim.figure and not claim.own then
    return "figure", "where does the paper print the number? \"Fig. 4a\", \"abstract\""
  end
  if of_metric == nil and not claim.against then return "rule", rule .. " needs against" end
  if of_metric == false and claim.against then return "against", rule .. " has no base" end
  local is_growth = rule == "grows" or rule == "grows_always"
  local has_other = claim.than ~= nil or claim.than_metric ~= nil
  if not claim.against and not is_growth and not (claim.number or claim.within) then
    return "rule", rule .. " needs number or within"
  elseif rule == "up_to" and (claim.than_metric or claim.than and not claim.against) then
    return "than", "up_to subtracts the most of another sweep, against the same base"
  elseif rule == "larger_gain" and not has_other then
    return "than", "larger_gain subtracts the gain in another sweep or metric: name it"
  elseif has_other and rule ~= "larger_gain" and rule ~= "up_to" then
    return "than", "only larger_gain and up_to subtract another gain"
  elseif claim.weight and not kWeighs[rule] then
    return "weight", "only on_average, value, up_to and grows weight their points"
  elseif claim.pooled and not (kPools[rule] and claim.against) then
    return "pooled", "only on_average, same and no_better pool their points, against a base"
  end
end

function form.declare_claim(given)
  local who = "claim"
  if type(given) == "table" then who = who .. " " .. tostring(given[1]) end
  local before = #form.problems
  local claim = read(given, kClaim, who)
  local function told(...) complain(claim.place, who, ...) end
  if claim[1] == nil then told(select(2, id())) end
  if given.says == nil then told("a claim needs says") end
  if list.find(form.claims, function(other) return other[1] == claim[1] end) then
    told("there are two claims of this row")
  end
  if claim.given and claim.readings then told("readings", "a fact that is given has none") end
  if claim.given and claim.expect then told("expect", "a fact that is given has no verdict") end
  local what, why = wrong_with(claim)
  if what and not claim.given and #form.problems == before then told(what, why) end
  form.claims[#form.claims + 1] = claim
  add_row(claim)
  for i, reading in ipairs(claim.readings or {}) do
    local whose = ("%s: reading %d"):format(who, i)
    local made = read(reading, kReading, whose, claim.place)
    local overrides = list.find({ "sweep", "at", "than", "of", "against", "metric",
                                  "than_metric", "margin", "interval" },
      function(key) return made[key] ~= nil and made[key] ~= claim[key] end)
    if made[1] == nil then complain(claim.place, whose, "a reading begins with its name") end
    if not overrides then complain(claim.place, whose, "it overrides nothing") end
    add_row(claim, made, i)
  end
end

function form.declare_figure(given)
  local who = "figure"
  if type(given) == "table" then who = who .. " " .. tostring(given[1]) end
  local figure = read(given, kFigure, who)
  for _, key in ipairs { 1, "says", "sweep", "of", "metric" } do
    if figure[key] == nil and given[key] == nil then
      complain(figure.place, who, key == 1 and select(2, id()) or "a figure needs " .. key)
    end
  end
  figure.id, figure.is_value, figure.who = figure[1], true, who
  form.figures[#form.figures + 1] = figure
end

-- Only the rows of these claims; a problem if one is not there.
function form.keep_only(ids)
  local known = list.map(form.claims, function(claim) return claim[1] end)
  for _, wanted in ipairs(ids) do
    local what = missing(wanted, known, nil, "claim")
    if what then return "--claim: " .. what end
  end
  form.rows = list.filter(form.rows, function(row) return list.place(ids, row.claim[1]) end)
  form.is_part = true
  form.figures = {}
end

-- The scenarios that the rows need, each once, in the order in which they come.
function form.sweeps()
  local names = {}
  for _, row in ipairs(list.joined(form.rows, form.figures)) do
    local needed = list.joined(row.sweep or {}, row.than or {}, row.against_in or {})
    for _, name in ipairs(row.given and {} or needed) do
      if not list.place(names, name) then names[#names + 1] = name end
    end
  end
  return names
end

local function is_one_of(wanted, value)
  return list.find(wanted, function(each)
    return value == tostring(each) or tonumber(value) == each
  end) ~= nil
end

-- The points of a sweep that the row wants.
function form.points(row, sweep)
  return list.filter(sweep.points, function(point)
    for axis, wanted in pairs(row.at or {}) do
      local value = point.settings[axis]
      local is_right = value and is_one_of(wanted, value) or not value and row.inherits_at
      if not is_right then return false end
    end
    return true
  end)
end

-- The number of the point of `sweep` with the same values of all axes that both have.
function form.partner(sweep, settings)
  return select(2, list.find(sweep.points, function(point)
    for key, value in pairs(settings) do
      if (point.settings[key] or value) ~= value then return false end
    end
    return true
  end))
end

-- The row with other keys; false: without it.
function form.with(row, keys) return setmetatable(keys, { __index = row }) end

-- One of `names` for each sweep of a row; there may be one for all.
function form.at(names, at) return names and (names[at] or names[1]) end

-- That of all metrics whose names begin alike: "utilisation_of_KIND".
local function family(name, facts)
  for _, each in ipairs(facts.metric_names) do
    local front = each:match("^(.*_)%u+$")
    if front and name:sub(1, #front) == front and #name > #front then return facts.metrics[each] end
  end
end

-- The record of a metric, and what is wrong with its name.
local function known_metric(name, facts, sweep, where)
  local base, class = name:match("^([^@]*)@?(.*)$")
  local metric = facts.metrics[base] or family(base, facts)
  if not metric then return nil, missing(base, facts.metric_names) end
  -- Classes by a field are known by it: "user=".
  class = class:match("^%a+=") or class
  return metric, class ~= "" and missing(class, sweep.classes, where, "class") or nil
end

-- What the row says about one sweep of it, of which it wants some places.
local function check_in(row, places_of_it, name, facts, told)
  local sweep = facts.sweeps[name]
  for key, wanted in pairs(places_of_it) do
    local axis = list.find(sweep.axes, function(each) return each.key == key end)
    local axes = list.map(sweep.axes, function(each) return each.key end)
    if not axis and not row.inherits_at then told("at", missing(key, axes, name, "axis")) end
    for _, value in ipairs(axis and wanted or {}) do
      if not list.find(axis.values, function(each) return is_one_of({ value }, each) end) then
        told("at", ("there is no point with %s = %s in %s"):format(key, tostring(value), name))
      end
    end
  end
  local metric, what = known_metric(row.metric, facts, sweep, name)
  told("metric", what)
  if not metric then return end
  local other, wrong = metric, nil
  if row.than_metric then other, wrong = known_metric(row.than_metric, facts, sweep, name) end
  told("than_metric", wrong or other.better ~= metric.better
                      and "it and metric have not the same better side")
  local unit, is_part = metric.unit, metric.unit == "fraction" or metric.unit == "%"
  row.unit, row.better = row.unit or row.against and "%" or unit, metric.better
  row.scale = unit == "fraction" and row.unit ~= unit and 100 or 1
  -- Gains in per cent differ by percentage points.
  local is_of_gains = row.against and list.place({ "larger_gain", "grows", "grows_always" },
                                                 row.rule)
  row.is_percent = row.against and (row.unit == "%" or row.unit == "pp" and not is_part)
  local is_right = row.unit == unit or row.unit == "pp" and (is_part or is_of_gains)
                   or row.unit == "%" and (row.against or is_part)
  local needs_margin = (row.rule == "same" or row.rule == "no_better") and row.unit ~= "%"
                       and row.unit ~= "pp" and not row.has_margin
  told("margin", needs_margin and ("%s needs a margin in %s"):format(row.rule, row.unit))
  told("unit", not is_right and ("'%s' is none of %%, pp, %s"):format(row.unit, unit))
end

local function check_row(row, facts, told)
  local function labels(key, name)
    for _, label in ipairs(row[key] or {}) do
      told(key, missing(label, facts.sweeps[name].policies, name))
    end
  end
  for at, name in ipairs(list.joined(row.sweep, row.than or {})) do
    local is_whole = at > #row.sweep and row.rule == "up_to" -- all of its points count
    check_in(row, is_whole and {} or row.at or {}, name, facts, told)
    labels("of", name)
    if not row.against_in then labels("against", name) end
  end
  for _, name in ipairs(row.against_in or {}) do labels("against", name) end
  local wanted = 0
  for at, name in ipairs(row.sweep) do
    local than, points = form.at(row.than, at), form.points(row, facts.sweeps[name])
    wanted = wanted + #points
    for _, point in ipairs(than and row.rule ~= "up_to" and points or {}) do
      told("than", not form.partner(facts.sweeps[than], point.settings)
                   and ("there is no point with %s in %s"):format(point.text, than))
    end
  end
  for _, key in ipairs { "against_in", "than" } do
    local names = #(row[key] or row.sweep)
    told(key, names ~= 1 and names ~= #row.sweep and "name one sweep, or one for each of sweep")
  end
  local is_growth = row.rule == "grows" or row.rule == "grows_always"
  told("rule", is_growth and wanted == 1 and row.rule .. " needs two points")
  told("interval", row.interval == "points"
                   and not list.place({ "on_average", "always", "mostly" }, row.rule)
                   and "only that of on_average, always and mostly may be over the points")
  told("expect", row.expect and is_never_found(row)
                 and ("the rule %s never finds '%s'"):format(row.rule, row.expect))
end

-- Whatever the sweeps do not have.  `facts`: metrics, metric_names, sweeps by name.
function form.check(facts)
  local axes = {}
  for _, row in ipairs(list.joined(form.rows, form.figures)) do
    for _, name in ipairs(not row.given and row.sweep or {}) do
      local own = facts.sweeps[name].axes
      axes = list.joined(axes, list.map(own, function(each) return each.key end))
    end
    local function told(key, what)
      if what then complain(row.place, row.who or "claim " .. row.id, key, what) end
    end
    if not row.given then check_row(row, facts, told) end
  end
  -- The sweeps of a part of the rows need not have it.
  local is_asked = form.paper.axis and #axes > 0 and not form.is_part
  local what = is_asked and missing(form.paper.axis, axes)
  if what then complain(form.paper.place, "paper", "axis", what) end
end

return form
