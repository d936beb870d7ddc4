-- Claims: rules and verdicts, what files may hold, and the table.  Loading runs every case
-- and raises for all that found something else than they should.
local form = require "claim_form"
local points = require "claim_points"
local rules = require "claim_rules"
local page = require "claim_table"
local list = require "list"

local cases = {}
local function case(name, f) cases[#cases + 1] = { name = name, f = f } end

local function same(found, expected, what)
  if found ~= expected then
    error(("%s: expected %s, found %s"):format(what or "value", tostring(expected),
                                                tostring(found)), 2)
  end
end

local function near(found, expected, what)
  if math.abs(found - expected) > 0.0006 then
    error(("%s: expected %g, found %g"):format(what or "value", expected, found), 2)
  end
end

-- A sweep over loads of a policy "own" that is better than "base" by `gains` per cent.
local function sweep_of(gains, more)
  local sweep = { axes = { { key = "load", values = {} } }, points = {}, classes = {},
                  policies = { "own", "base" }, seeds = 0 }
  for i, each in ipairs(gains) do
    local name = ({ "a", "b", "c", "d", "e", "f" })[i]
    sweep.axes[1].values[i] = name
    sweep.points[i] = { number = i, settings = { load = name }, text = "load=" .. name }
    sweep.seeds = #each
  end
  function sweep.values(_, metric, point, policy)
    local of = (metric == "other" and more.other or gains)[point]
    local n = list.map(of, function() return (more or {}).n or 100 end)
    return list.map(of, function(gain, seed)
      local base = 1000 * (2 ^ seed)
      if (more or {}).is_one_run then base = 1000 end
      base = base * (((more or {}).scales or {})[point] or 1)
      if (more or {}).raw then return gain end
      return policy == "base" and base or base * (1 - gain / 100)
    end), n
  end
  function sweep.batches(_, _, point, policy)
    local batches = more and more.batches
    return batches and batches[policy][point]
  end
  function sweep.failure() return more and more.failure end
  function sweep.is_one_run(_, point)
    return #gains[point] == 1 or (more or {}).is_one_run == true or (more or {}).one == point
  end
  function sweep.is_full(_, point) return more ~= nil and more.full == point end
  return sweep
end

local a, b = { 12, 9, 11, 10, 13 }, { 8, 6, 7, 9, 5 }

local function row_of(rule, more)
  local row = { id = "1", says = "x", rule = rule, of = { "own" }, against = { "base" },
                sweep = { "s" }, metric = "m", unit = "%", better = "less", margin = 1, least = 5,
                size = 1 / 3, scale = 1, is_percent = true,
                place = "c.lua:1: ", claim = {} }
  for key, value in pairs(more or {}) do row[key] = value or nil end
  return row
end

local function judged(rule, gains, more, of_sweep)
  return rules.judge(row_of(rule, more), { s = sweep_of(gains, of_sweep) })
end

local function estimates(result, expected)
  for i, each in ipairs(expected) do
    near(result.points[i].estimate.mean, each[1], "mean " .. i)
    near(result.points[i].estimate.half_width, each[2], "half-width " .. i)
  end
end

local function shown(result)
  local names = list.filter(result.points, function(point) return point.shown end)
  return table.concat(list.map(names, function(point) return point.at end), " ")
end

case("always holds at each point", function()
  local result = judged("always", { a, b, { 4, 2, 3, 5, 1 } })
  estimates(result, { { 11, 1.507 }, { 7, 1.507 }, { 3, 1.507 } })
  same(result.verdict, "reproduced")
end)

case("a mean above 0 whose interval holds 0 is in the mean only", function()
  local result = judged("always", { a, b, { 4, -2, 3, 5, -1 } })
  near(result.points[3].estimate.mean, 1.8)
  near(result.points[3].estimate.half_width, 2.969)
  same(result.verdict, "in the mean only")
end)

case("some points of always are shown, corrected over the row", function()
  local gains = { a, b, { -3, -1, -2, 1, -4 } }
  local result = judged("always", gains)
  same(result.verdict, "at some points")
  same(shown(result), "a b")
  near(result.points[3].estimate.half_width, 1.834)
  near(result.points[1].p, 0.0003)
  near(result.points[2].p, 0.0012)
  near(result.points[3].p, 0.1045)
  local mean = judged("on_average", gains)
  near(mean.value.mean, 5.4)
  near(mean.value.half_width, 0.791)
  same(mean.verdict, "reproduced")
end)

case("small differences are none, and that is what same claims", function()
  local gains = { { 0.3, -0.1, 0.2, 0.1, 0 }, { 0.2, 0.4, 0.1, 0.3, 0 }, { -0.2, 0.1, 0, 0.3, -0.1 } }
  local result = judged("always", gains)
  estimates(result, { { 0.1, 0.151 }, { 0.2, 0.151 }, { 0.02, 0.183 } })
  same(result.verdict, "no difference")
  same(judged("same", gains).verdict, "reproduced")
  same(judged("same", { a, b }).verdict, "opposite")
end)

case("what is equal at each seed is no difference, and no better", function()
  local equal = { { 0, 0, 0 }, { 0, 0, 0 } }
  same(judged("always", equal).verdict, "no difference")
  same(judged("no_better", equal).verdict, "reproduced")
end)

case("opposite is an interval below 0 and a value below -least", function()
  local gains = { { -20, -14, -9, -17, -12 }, { -8, -11, -6, -9, -13 }, { -3, 2, -5, -7, -4 } }
  local result = judged("always", gains)
  near(result.value.mean, -9.067)
  near(result.value.half_width, 1.746)
  same(result.verdict, "opposite")
  same(judged("always", gains, { least = 10 }).verdict, "not shown")
  same(judged("on_average", gains, { side = "worse" }).verdict, "reproduced")
end)

case("a difference that is certain and tiny is none", function()
  local result = judged("on_average", { { -0.02, -0.03, -0.01, -0.02, -0.02 } })
  near(result.value.half_width, 0.0067)
  same(result.verdict, "no difference")
end)

case("what shows nothing is not shown", function()
  local result = judged("always", { { -2, 1, -3, 2, -1 }, { 3, -2, 1, -4, 0 }, { 1, -3, 2, -2, -1 } })
  near(result.value.mean, -0.533)
  near(result.value.half_width, 0.829)
  same(result.verdict, "not shown")
end)

case("up_to takes the most for each seed", function()
  local gains = { { 30, 5, 41, 12, 26 }, { 22, 38, 19, 40, 31 }, { 11, 14, 9, 12, 10 } }
  local result = judged("up_to", gains, { number = 65 })
  near(result.value.mean, 36)
  near(result.value.half_width, 4.908)
  same(result.verdict, "reproduced")
  same(result.size, "0.55 of it")
end)

case("up_to leaves out what has no value under a seed, if its points are weighted", function()
  local gains = { { 30, false, 41 }, { false, 38, 19 } }
  local row = { number = 40, unit = "s", against = false, weight = "jobs" }
  near(judged("up_to", gains, row, { raw = true }).value.mean, (30 + 38 + 41) / 3)
  row.weight = nil
  same(judged("up_to", gains, row, { raw = true }).verdict, "no result")
end)

case("no_better is judged point by point below the margin", function()
  local gains = { { -6, -42, -51, -20, -33 }, { 2, -1, 0.5, -2, 1 }, { 0.4, 0.2, -0.3, 0.1, 0.5 } }
  local result = judged("no_better", gains)
  near(result.points[2].estimate.mean, 0.1)
  near(result.points[2].estimate.half_width, 1.522)
  same(result.verdict, "in the mean only")
  same(judged("no_better", gains, { margin = 2 }).verdict, "reproduced")
end)

case("value is judged in the band of the paper's number", function()
  local found = { { 373, 350, 361, 402, 341 } }
  local function value(more)
    more.against, more.is_percent, more.unit = false, false, "s"
    return judged("value", found, more, { raw = true })
  end
  local result = value { number = 350 }
  near(result.value.mean, 365.4)
  near(result.value.half_width, 22.6076)
  same(result.verdict, "reproduced")
  same(result.size, "as the paper")
  same(value { number = 350, size = 0.05 }.verdict, "in the mean only")
  same(value { number = 500, size = 0.1 }.verdict, "other value")
  -- A share of 100 % under all seeds is no draw that is missing.
  found = { { 100, 100, 100 } }
  same(value { within = { 100, 100 } }.verdict, "reproduced")
  found = { { 373, 350, 361, 402, 341 } }
  same(value { within = { 340, 370 } }.verdict, "in the mean only")
  same(value { within = { 300, 360 } }.verdict, "not shown")
end)

case("values are judged at each point", function()
  local function values(...)
    return judged("values", { ... }, { number = 10, unit = "s", against = false }, { raw = true }).verdict
  end
  same(values({ 10, 11, 9, 10 }, { 9, 10, 9, 10 }), "reproduced")
  same(values({ 10, 11, 9, 10 }, { 30, 31, 32, 30 }), "at some points")
  same(values({ 20, 21, 19, 20 }, { 30, 31, 32, 30 }), "other value")
end)

case("mostly holds at more than half of the points, or than the number", function()
  local gains = { a, b, { -3, -1, -2, 1, -4 } }
  same(judged("mostly", gains).verdict, "reproduced")
  same(judged("mostly", gains, { number = 80 }).verdict, "at some points")
  -- Where all seeds are equal nobody has lost.
  local tie = { 0, 0, 0, 0, 0 }
  same(judged("mostly", { a, tie, tie }).verdict, "reproduced")
  same(judged("mostly", { a, tie, { -3, -1, -2, 1, -4 } }).verdict, "at some points")
end)

case("grows is the last point less the first, of each series", function()
  local result = judged("grows", { b, { 0, 0, 0, 0, 0 }, a })
  near(result.value.mean, 4)
  same(result.verdict, "reproduced")
end)

case("grows compares the ends of the axis, where another one varies besides", function()
  form.paper.axis = "load"
  local sweep = sweep_of { { 1, 2, 1, 2, 1 }, { 3, 4, 3, 4, 3 }, b, a }
  sweep.axes = { { key = "load", values = { "1", "2" } }, { key = "x", values = { "1", "2" } } }
  for i, point in ipairs(sweep.points) do
    point.settings = { load = i <= 2 and "1" or "2", x = i % 2 == 1 and "1" or "2" }
  end
  near(rules.judge(row_of("grows"), { s = sweep }).value.mean, 9 - 2.4)
  form.paper.axis = "x"
  near(rules.judge(row_of("grows"), { s = sweep }).value.mean, (3.4 + 11 - 1.4 - 7) / 2)
  -- The order of the points does not count, but that of the axis.
  sweep.axes[2].values = { "2", "1" }
  near(rules.judge(row_of("grows"), { s = sweep }).value.mean, (1.4 + 7 - 3.4 - 11) / 2)
  form.paper.axis = nil
end)

case("points of a figure with one value of the axis are one, their mean", function()
  form.paper.axis = "load"
  local sweep = sweep_of({ { 1, 2, 1, 2, 1 }, { 3, 4, 3, 4, 3 }, b, a }, { raw = true })
  sweep.axes = { { key = "load", values = { "1", "2" } }, { key = "x", values = { "1", "2" } } }
  for i, point in ipairs(sweep.points) do
    point.settings = { load = i <= 2 and "1" or "2", x = i % 2 == 1 and "1" or "2" }
  end
  local figure = { [1] = "F", says = "x", sweep = { "s" }, of = { "own" }, metric = "gain",
                   unit = "s", scale = 1, is_value = true, weight = "jobs" }
  local every = rules.drawn(figure, { s = sweep })
  same(#every, 2)
  same(every[1].at .. every[2].at, "12")
  near(every[1].estimate.mean, 2.4)
  near(every[2].estimate.mean, 9)
  form.paper.axis = nil
end)

case("what always grows does so from each point to the next, which names the step", function()
  local rising = { { 1, 2, 1, 2, 1 }, b, a }
  local result = judged("grows_always", rising)
  near(result.value.mean, (11 - 1.4) / 2)
  same(result.verdict, "reproduced")
  same(result.points[1].at .. result.points[2].at, "bc")
  local back = judged("grows_always", { a, b, { 40, 41, 39, 40, 42 } })
  same(back.verdict, "at some points")
  same(shown(back), "c")
  same(judged("grows", { a, b, { 40, 41, 39, 40, 42 } }).verdict, "reproduced")
end)

case("the most may be compared with the most in another sweep, at other points", function()
  local sweeps = { s = sweep_of { a, b }, t = sweep_of { { 1, 2, 1, 2, 1 }, { 0, 0, 0, 0, 0 },
                                                         { 3, 1, 3, 1, 3 } } }
  local result = rules.judge(row_of("up_to", { than = { "t" }, at = { load = { "a" } } }), sweeps)
  near(result.value.mean, 11 - 2.6) -- its most are 3, 2, 3, 2 and 3
  near(result.value.half_width, points.estimate(a, { 3, 2, 3, 2, 3 }).half_width)
  same(result.verdict, "reproduced")
  local other = rules.judge(row_of("up_to", { than = { "s" }, sweep = { "t" } }), sweeps)
  same(other.verdict, "opposite")
end)

case("an interval over the points takes each by its mean over the seeds", function()
  local gains = { a, b, { -3, -1, -2, 1, -4 } }
  local result = judged("always", gains, { interval = "points" })
  near(result.value.mean, 5.4)
  near(result.value.half_width, points.estimate({ 11, 7, -1.8 }).half_width)
  same(result.verdict, "at some points")
  same(judged("on_average", gains, { interval = "points" }).verdict, "in the mean only")
  same(judged("on_average", gains).verdict, "reproduced")
end)

case("growth from an end without a value has no result", function()
  local row = { weight = "jobs", unit = "s", against = false, is_percent = false }
  local none = { false, false, false }
  same(judged("grows", { none, { 3, 4, 3 } }, row, { raw = true }).verdict, "no result")
  same(judged("grows", { none, { 3, 4, 3 }, { 5, 7, 6 } }, row, { raw = true }).verdict, "reproduced")
end)

case("a larger gain is the gain less that of another sweep, seed by seed", function()
  local sweeps = { s = sweep_of { a, b }, t = sweep_of { b, { 1, 2, 1, 2, 1 } } }
  local result = rules.judge(row_of("larger_gain", { than = { "t" } }), sweeps)
  near(result.value.mean, (4 + 5.6) / 2)
  same(result.verdict, "reproduced")
end)

case("a larger gain than in another metric is over the same runs", function()
  local sweeps = { s = sweep_of({ a, b }, { other = { b, { 1, 2, 1, 2, 1 } } }) }
  local result = rules.judge(row_of("larger_gain", { than_metric = "other" }), sweeps)
  near(result.value.mean, (4 + 5.6) / 2)
  same(result.verdict, "reproduced")
end)

case("a mean may be weighted by what is behind its values", function()
  local result = judged("on_average", { a, b }, { weight = "jobs" })
  near(result.value.mean, 9)
end)

case("a pooled gain is that of the mean, or of the most, over all points", function()
  local function pooled(how, gains, scales)
    return judged("on_average", gains, { pooled = how, weight = "jobs" }, { scales = scales })
  end
  near(pooled("mean", { a, b }, { 1, 3 }).value.mean, (11 + 3 * 7) / 4)
  near(pooled("most", { a, b }, { 1, 3 }).value.mean, 7)
  same(pooled("mean", { a, b }, { 1, 3 }).verdict, "reproduced")
  same(#pooled("mean", { a, b }, { 1, 3 }).points, 1)
  -- A point at which the base has nothing counts, too.
  near(pooled("mean", { a, { 0, 0, 0, 0, 0 } }, { 1, 0 }).value.mean, 11)
  same(pooled("mean", { a }, { 0 }).verdict, "no difference")
end)

case("one run shows nothing but its value", function()
  local result = judged("always", { { 12 }, { 7 } })
  same(result.verdict, "in the mean only")
  same(result.value.half_width, nil)
  same(judged("always", { { -12 }, { -7 } }).verdict, "not shown")
  same(judged("on_average", { { 0 } }).verdict, "not shown")
  -- Seeds that draw nothing are one run.
  same(judged("always", { { 12, 12, 12 } }, nil, { is_one_run = true }).verdict, "in the mean only")
end)

case("a point that is equal under all seeds leaves the intervals of the others", function()
  local result = judged("on_average", { a, { 5, 5, 5, 5, 5 } }, nil, { one = 2 })
  near(result.value.mean, 8)
  near(result.value.half_width, 1.507 / 2)
end)

case("batches of one run give its intervals, and leave its value", function()
  form.paper.interval = "batches"
  local of_own = { own = { { 80, 85, 75, 82, 78 } }, base = { { 100, 104, 96, 99, 101 } } }
  local result = judged("on_average", { { 20 } }, nil, { is_one_run = true, batches = of_own })
  form.paper.interval = "seeds"
  near(result.value.mean, 20)
  near(result.value.half_width, points.estimate({ 0, -1.8, 1.8, -2.8, 2.8 }).half_width)
  same(result.verdict, "reproduced")
end)

case("up_to and grows may judge the metric itself", function()
  local gains = { { 30, 5, 41, 12, 26 }, { 22, 38, 19, 40, 31 } }
  local row = { number = 40, unit = "s", against = false }
  local result = judged("up_to", gains, row, { raw = true })
  near(result.value.mean, 36)
  same(result.verdict, "reproduced")
  local falls = { unit = "s", side = "worse", against = false, is_percent = false }
  same(judged("grows", { a, b }, falls, { raw = true }).verdict, "reproduced")
end)

case("of several bases the worst counts", function()
  local row = row_of("on_average", { against = { "base", "base" } })
  local one = sweep_of { a }
  same(rules.judge(row, { s = one }).verdict, "reproduced")
  same(#rules.judge(row, { s = one }).others, 1)
end)

case("points without a result leave no result, and say why", function()
  local result = judged("always", { a, b }, nil, { failure = "it broke" })
  same(result.verdict, "no result")
  same(result.missing[1].missing, "own failed: it broke")
end)

local function is_table(part) return part and part.kind == "table" end

case("a table has head lines, ranges of points and footnotes, and is not too wide", function()
  form.paper.axis, form.paper.axis_name = "load", "load"
  local gains = { a, b, { -3, -1, -2, 1, -4 } }
  local row = row_of("always", { figure = "Fig. 1", number = 10, note = { "a note" } })
  local reading = row_of("always", { id = "1.1", reading = "read so", note = { "a note" } })
  local sweeps = { s = sweep_of(gains, { full = 2 }) }
  local made = list.map({ row, reading }, function(each)
    return { row = each, result = rules.judge(each, sweeps) }
  end)
  local parts = page.of(made)
  local text = table.concat(list.map(parts, function(part) return part and part.text or "" end), "\n")
  same(text:find("1 claim of the paper: 1 at some points.", 1, true) ~= nil, true)
  same(text:find("1 reading: 1 at some points.", 1, true) ~= nil, true)
  local rows = list.find(parts, is_table).rows
  same(table.concat(rows[1], "|"), "1|x|10 %, Fig. 1|+5.4 % ± 0.8|a to b|at some points"
                                   .. "|0.54 of it|1 2")
  same(rows[2][2], "- read so")
  made[2].row.own = true
  parts = page.of(made)
  text = table.concat(list.map(parts, function(part) return part and part.text or "" end), "\n")
  same(text:find("1 own question: 1 at some points.", 1, true) ~= nil, true)
  made[2].row.own, form.paper.draws = nil, "the jobs alone"
  text = list.find(page.of(made), function(part)
    return part and (part.text or ""):find "intervals over seeds"
  end).text
  same(text:find("intervals over seeds: the jobs alone.", 1, true) ~= nil, true)
  form.paper.draws = ""
  row.says = ("a long sentence about it "):rep(3):sub(1, 72)
  row.figure = ("a figure of a long name "):rep(4)
  rows = list.find(page.of(made), is_table).rows
  local width = 1
  for column = 1, 8 do
    width = width + 3 + math.max(list.width(rows[1][column]), list.width(rows[2][column]))
  end
  same(width <= 160, true, "width " .. width)
end)

case("a figure has a row for each series, and what the paper prints beside it", function()
  form.figures = {}
  form.declare_figure { "Fig. 1", says = "waits", sweep = { "s" }, of = { "own", "base" }, metric = "m",
                        numbers = { own = { b = 7 } } }
  local drawn = form.figures[1]
  drawn.unit, drawn.scale = "s", 1
  local every = rules.drawn(drawn, { s = sweep_of({ a, b }, { raw = true }) })
  local parts = page.of({}, { { figure = drawn, points = every } })
  local rows = list.find(parts, is_table).rows
  same(table.concat(rows[1], "|"), "own|11.0 ± 1.5|7.0 ± 1.5 (the paper: 7)")
  same(rows[2][1], "base")
  form.figures = {}
  local before = #form.problems
  form.declare_figure { "Fig. 2", says = "waits", sweep = "s", of = "own", metrik = "m" }
  same(form.problems[before + 1]:find("figure Fig. 2: there is no key 'metrik'", 1, true) ~= nil, true)
  same(form.problems[before + 2]:find("figure Fig. 2: a figure needs metric", 1, true) ~= nil, true)
  form.figures = {}
end)

local kGood = { "z", says = "x", sweep = "s", of = "own", against = "base", metric = "m",
                rule = "always" }

local function told(changes)
  local given, before = {}, #form.problems
  for key, value in pairs(kGood) do given[key] = value end
  for key, value in pairs(changes) do given[key] = value ~= "nil" and value or nil end
  form.claims, form.rows = {}, {}
  form.declare_claim(given)
  local sweeps = { s = sweep_of { a, b }, t = sweep_of { a } }
  if #form.problems == before then
    form.check { sweeps = sweeps, metric_names = { "m", "mean_wait" },
                 metrics = { m = { unit = "s", better = "less" } } }
  end
  local text = form.problems[before + 1] or ""
  return (text:gsub("^[^:]*:%d+: ", ""))
end

case("what is wrong is told with its place, its value and the nearest name", function()
  same(told {}, "")
  same(told { rule = "allways" }, "claim z: rule: 'allways' is none of always, mostly, "
       .. "on_average, larger_gain, up_to, grows, grows_always, same, no_better, value, values")
  same(told { metric = "mean_wayt" },
       "claim z: metric: there is no mean_wayt, did you mean 'mean_wait'?")
  same(told { metric = "m@short" }, "claim z: metric: there is no class short in s")
  same(told { of = "own2" }, "claim z: of: there is no own2 in s, did you mean 'own'?")
  same(told { says = ("x"):rep(80) },
       "claim z: says: has 80 characters, at most 72: put the rest into note")
  same(told { metrik = "m" }, "claim z: there is no key 'metrik', did you mean 'metric'?")
  same(told { at = { lod = "a" } }, "claim z: at: there is no axis lod in s, did you mean 'load'?")
  same(told { at = { load = "z" } }, "claim z: at: there is no point with load = z in s")
  same(told { number = "5" }, "claim z: number: '5' is no number")
  same(told { number = 0 / 0 }:find "is no number" ~= nil, true)
  same(told { rule = "value", against = "nil" }, "claim z: rule: value needs number or within")
  same(told { rule = "larger_gain" },
       "claim z: than: larger_gain subtracts the gain in another sweep or metric: name it")
  same(told { than = "t" }, "claim z: than: only larger_gain and up_to subtract another gain")
  same(told { rule = "up_to", than_metric = "m" },
       "claim z: than: up_to subtracts the most of another sweep, against the same base")
  same(told { rule = "up_to", than = "t" }, "")
  same(told { rule = "grows", interval = "points" },
       "claim z: interval: only that of on_average, always and mostly may be over the points")
  same(told { rule = "grows_always", at = { load = "a" } },
       "claim z: rule: grows_always needs two points")
  same(told { rule = "larger_gain", than = "t" },
       "claim z: than: there is no point with load=b in t")
  same(told { against = "nil" }, "claim z: rule: always needs against")
  same(told { rule = "up_to", against = "nil" }, "claim z: rule: up_to needs number or within")
  same(told { unit = "h" }, "claim z: unit: 'h' is none of %, pp, s")
  same(told { readings = { { "r", note = "only that" } } },
       "claim z: reading 1: it overrides nothing")
  same(told { sweep = "nil" }, "claim z: a claim that is judged needs sweep")
  same(told { rule = "grows", at = { load = "a" } }, "claim z: rule: grows needs two points")
  same(told { rule = "always", pooled = "mean" },
       "claim z: pooled: only on_average, same and no_better pool their points, against a base")
  same(told { rule = "up_to", number = 65 },
       "claim z: figure: where does the paper print the number? \"Fig. 4a\", \"abstract\"")
  same(told { rule = "up_to", number = 65, figure = "Fig. 1" }, "")
  same(told { rule = "same", unit = "s" }, "claim z: margin: same needs a margin in s")
  same(told { rule = "same", unit = "s", margin = 5 }, "")
  same(told { given = "so it is", readings = { { "r", metric = "mean_wait" } } },
       "claim z: readings: a fact that is given has none")
  same(told { given = "so it is", expect = "reproduced" },
       "claim z: expect: a fact that is given has no verdict")
  same(told { rule = "on_average", expect = "at some points" },
       "claim z: expect: the rule on_average never finds 'at some points'")
  same(told { expect = "other value" }, "claim z: expect: the rule always never finds 'other value'")
  same(told { rule = "value", against = "nil", within = { 1, 2 }, expect = "opposite" },
       "claim z: expect: the rule value never finds 'opposite'")
  same(told { expect = "opposite" }, "")
end)

case("two claims of one row are refused, and --claim names one that is there", function()
  form.claims, form.rows = {}, {}
  form.declare_claim { "1a", says = "x", given = "y" }
  local before = #form.problems
  form.declare_claim { "1a", says = "x", given = "y" }
  same(form.problems[before + 1]:find("claim 1a: there are two claims of this row") ~= nil, true)
  same(form.keep_only { "1b" }, "--claim: there is no claim 1b, did you mean '1a'?")
  same(form.keep_only { "1a" }, nil)
end)

case("readings have rows of their own, and an inherited place counts where it can", function()
  form.claims, form.rows = {}, {}
  form.declare_claim { "2", says = "x", sweep = "s", of = "own", against = "base", metric = "m",
                       rule = "always", at = { memory = 1 }, note = "n", expect = "opposite",
                       readings = { { "other", sweep = "t" } } }
  local reading = form.rows[2]
  same(reading.id, "2.1")
  same(reading.note, nil)
  same(reading.expect, nil)
  same(#form.points(reading, sweep_of { a, b }), 2)
  same(#form.points(form.rows[1], sweep_of { a, b }), 0)
end)

local failures = {}
for _, each in ipairs(cases) do
  local is_right, what = pcall(each.f)
  if not is_right then failures[#failures + 1] = each.name .. ": " .. what end
end
if #failures > 0 then error(table.concat(failures, "\n"), 0) end
