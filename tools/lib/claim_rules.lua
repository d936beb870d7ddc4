-- Rules and verdicts: which of the words says what was found about a row.
local stats = stats
local list = require "list"
local form = require "claim_form"
local points = require "claim_points"

local rules = {}
local kEach = { always = true, mostly = true, same = true, no_better = true,
                grows_always = true }

-- The mean of the points of a series at one step along the axis of the paper.
local function at_step(values, k, all, row, series, step)
  local sum, weights = 0, 0
  for i, point in ipairs(all) do
    if point.series == series and point.step == step then
      local weight = row.weight and point.weights[k] or 1
      sum, weights = sum + weight * values[i], weights + weight
    end
  end
  return sum / math.max(weights, 1)
end

-- How the values of the points become one, by rule; else their mean.
local kWhole = {
  up_to = function(values, k, all, row)
    local most = -math.huge
    for i, value in ipairs(values) do
      local has_one = not row.weight or all[i].weights[k] > 0
      if has_one and value > most then most = value end
    end
    return most
  end,
  grows = function(values, k, all, row)
    local first, last, growth, series = {}, {}, 0, 0
    for _, point in ipairs(all) do
      local of, step = point.series, point.step
      first[of], last[of] = math.min(first[of] or step, step), math.max(last[of] or step, step)
    end
    for of, step in pairs(last) do
      growth = growth + at_step(values, k, all, row, of, step)
                      - at_step(values, k, all, row, of, first[of])
      series = series + 1
    end
    return growth / series
  end,
}

-- From each point to the next one of its series, under the name of the latter.
local function steps(all)
  local made = {}
  for i, point in ipairs(all) do
    local before = all[i - 1]
    if before and before.series == point.series then
      local v = points.combined({ before.v, point.v }, function(of) return of[2] - of[1] end)
      made[#made + 1] = { v = v, series = point.series, at = point.at,
                          is_full = before.is_full or point.is_full }
    end
  end
  return made
end

local function weighted(values, k, all)
  local sum, weights = 0, 0
  for i, value in ipairs(values) do
    local weight = all[i].weights[k] or all[i].weights[1]
    sum, weights = sum + weight * value, weights + weight
  end
  return sum / math.max(weights, 1)
end

local function whole_of(row, all, key)
  local lists = list.map(all, function(point) return point[key] end)
  if row.rule == "up_to" and all[1].is_one_run then
    table.sort(lists, function(a, b) return list.mean(a) > list.mean(b) end)
    return lists[1]
  end
  local whole = kWhole[row.rule] or row.weight and weighted or list.mean
  return points.combined(lists, function(values, k) return whole(values, k, all, row) end)
end

-- Marks the points on the claimed side and those that are shown there: by p-values that
-- are corrected over the row; points without an interval count as 1.
local function mark(all, each)
  local p = stats.holm(list.map(each, function(e) return e.p or 1 end))
  for i, point in ipairs(all) do
    point.p, point.holds = each[i].half_width and p[i] or nil, each[i].mean > 0
    point.shown = point.holds and point.p ~= nil and p[i] <= 1 - form.paper.confidence
  end
end

-- The table of verdicts for numbers of which positive ones are claimed.
local function of_side(each, whole, is_enough, bounds)
  local function all_of(f) return is_enough(list.count(each, f)) end
  local margin = bounds.margin
  if all_of(function(e) return e.half_width and e.low > -margin and e.high < margin end) then
    return "no difference"
  elseif all_of(function(e) return e.half_width and e.low > 0 end) then
    return "reproduced"
  elseif all_of(function(e) return e.mean > 0 end) then
    return "in the mean only"
  elseif bounds.has_shown then
    return "at some points"
  end
  local is_opposite = whole.half_width and whole.high < 0 and whole.mean <= -bounds.least
  return is_opposite and "opposite" or "not shown"
end

-- Where the paper has the value.
local function band_of(row)
  if row.within then return row.within[1], row.within[2] end
  local room = row.size * math.abs(row.number)
  return row.number - room, row.number + room
end

local function of_band(row, all, each)
  local low, high = band_of(row)
  for i, point in ipairs(all) do
    local e = each[i]
    point.holds = e.mean >= low and e.mean <= high
    point.shown = e.half_width and e.low >= low and e.high <= high
    point.is_elsewhere = e.half_width and (e.low > high or e.high < low)
  end
  local function has(key) return list.count(all, function(point) return point[key] end) end
  if has "shown" == #all then return "reproduced" end
  if has "holds" == #all then return "in the mean only" end
  if has "shown" > 0 then return "at some points" end
  return has "is_elsewhere" == #all and "other value" or "not shown"
end

-- The value of the row: of the numbers of its seeds, or of the means of its points.
local function value_of(row, all, than)
  if row.interval == "points" then
    return points.estimate(list.map(all, function(point) return point.estimate.mean end))
  end
  local other = than and whole_of(row, than, "v") or all[1].other and whole_of(row, all, "other")
  return points.estimate(whole_of(row, all, "v"), other)
end

-- The estimates of the points at which some seed has another value than its base, if any.
local function without_ties(each, all)
  local made = list.filter(each, function(_, i)
    return list.find(all[i].v, function(v) return v ~= 0 end)
  end)
  return #made > 0 and made or each
end

-- The verdict and the estimate of the row; marks its points.
local function judged(row, all, than)
  for _, point in ipairs(all) do point.estimate = points.estimate(point.v, point.other) end
  local each = list.map(all, function(point) return point.estimate end)
  local value = value_of(row, all, than)
  local whole, bounds = value, { margin = row.margin, least = row.least }
  if row.rule == "same" or row.rule == "no_better" then
    -- They ask that the margin less the size of the gain is positive.
    local below = list.map(all, function(point)
      local s = row.rule == "same" and list.mean(point.v) < 0 and -1 or 1
      return { v = list.map(point.v, function(v) return row.margin - s * v end) }
    end)
    each = list.map(below, function(point) return points.estimate(point.v) end)
    whole = points.estimate(whole_of({}, below, "v"))
    bounds = { margin = 0, least = row.least - row.margin }
  end
  mark(all, each)
  if row.is_value and (row.number or row.within) then
    local verdict = of_band(row, all, each)
    return row.rule == "values" and verdict or of_band(row, { {} }, { value }), value
  elseif not kEach[row.rule] then
    return of_side({ value }, value, function(count) return count == 1 end, bounds), value
  end
  local share = row.rule == "mostly" and (row.number or 50) / 100
  bounds.has_shown = list.find(all, function(point) return point.shown end) ~= nil
  if share then each = without_ties(each, all) end
  return of_side(each, whole, function(count)
    return share and count > #each * share or count == #each
  end, bounds), value
end

-- The value beside the paper's number.
local function size_of(row, value)
  if row.rule == "mostly" or not (row.number or row.within) then return "" end
  local low, high = band_of(row)
  if value.mean >= low and value.mean <= high then return "as the paper" end
  local ratio = row.number and row.number ~= 0 and value.mean / row.number
  return ratio and ratio > 0 and ("%.2f of it"):format(ratio) or ""
end

-- The points of a row, and where its most is compared with that of another sweep, of that.
local function points_of(row, base, sweeps)
  local is_most = row.rule == "up_to" and row.than
  if not is_most then return points.of(row, base, sweeps) end
  local than = { sweep = row.than, than = false, at = false, against_in = false }
  return points.of(form.with(row, { than = false }), base, sweeps),
         points.of(form.with(row, than), base, sweeps)
end

local function against(row, base, sweeps)
  local every, than = points_of(row, base, sweeps)
  local result = { base = base, verdict = "no result", size = "",
                   points = list.filter(every, function(point) return not point.missing end),
                   missing = list.filter(every, function(point) return point.missing end) }
  local first = result.points[1]
  local has_ends = list.find(result.points, function(point) return point.step ~= first.step end)
  local is_growth = row.rule == "grows" or row.rule == "grows_always"
  if is_growth and first and not has_ends then
    result.missing[#result.missing + 1] = { missing = "an end has no value", series = "", at = "" }
  end
  local is_missing = list.find(than or {}, function(point) return point.missing end)
  local is_whole = not is_missing and (not is_growth or #result.missing == 0)
  local has_failed = list.find(result.missing, function(point) return point.failed end)
  if has_failed or #result.points == 0 or not is_whole then return result end
  if row.rule == "grows_always" then result.points = steps(result.points) end
  result.verdict, result.value = judged(row, result.points, than)
  result.size = size_of(row, result.value)
  return result
end

-- The result of a row: of several bases the worst, opposite only if it is so against all.
function rules.judge(row, sweeps)
  if row.given then return { verdict = "given", points = {}, missing = {}, size = "" } end
  row.is_value = row.against == nil
  local results = list.map(row.against or { false }, function(base)
    return against(row, base or nil, sweeps)
  end)
  local worst = results[1]
  for _, result in ipairs(results) do
    local function rank(of) return list.place(form.kVerdicts, of.verdict) end
    if rank(result) > rank(worst) then worst = result end
  end
  worst.others = list.filter(results, function(result) return result ~= worst end)
  local is_mixed = list.find(worst.others, function(each) return each.verdict ~= "opposite" end)
  if worst.verdict == "opposite" and is_mixed then worst.verdict = "not shown" end
  return worst
end

-- Points of a series that share their place along the axis, as one: of each seed the mean.
-- A seed without anything behind its values has none.
local function merged(figure, all)
  local point, v = all[1], {}
  if #all == 1 then return point end
  for k = 1, #point.v do
    local values = list.map(all, function(each) return each.v[k] end)
    local function weighs(each) return not figure.weight or each.weights[k] > 0 end
    if list.find(all, weighs) then
      v[#v + 1] = at_step(values, k, all, figure, point.series, point.step)
    end
  end
  return { series = point.series, at = point.along, v = v }
end

-- The points of a figure with their estimates; without one where there is no result.
function rules.drawn(figure, sweeps)
  local groups, at = {}, {}
  for _, point in ipairs(points.of(figure, nil, sweeps)) do
    local place = ("%s %s %s"):format(point.series, point.along, point.missing or "")
    at[place] = at[place] or #groups + 1
    groups[at[place]] = list.joined(groups[at[place]] or {}, { point })
  end
  return list.map(groups, function(all)
    if all[1].missing then return all[1] end
    local point = merged(figure, all)
    point.estimate = points.estimate(point.v)
    return point
  end)
end

return rules
