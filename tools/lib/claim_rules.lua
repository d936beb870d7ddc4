-- Rules and verdicts: which of the words says what was found about a row.
local stats = stats
local list = require "list"
local form = require "claim_form"
local points = require "claim_points"

local rules = {}

-- From the best to the worst.
rules.kVerdicts = { "reproduced", "in the mean only", "at some points", "no difference",
                    "other value", "not shown", "opposite", "no result" }

local kEach = { always = true, mostly = true, same = true, no_better = true, values = true }

local function lists_of(all, key)
  return list.map(all, function(point) return point[key] or { 0 } end)
end

-- One list for the row: the mean over its points, or what its rule asks for.
local function whole_of(row, all, key)
  local lists = lists_of(all, key)
  if row.rule == "up_to" and all[1].is_one_run then
    local top = all[1]
    for _, point in ipairs(all) do
      if list.mean(point.v) > list.mean(top.v) then top = point end
    end
    return top[key], top
  elseif row.rule == "up_to" then
    return points.combined(lists, function(values) return math.max(table.unpack(values)) end)
  elseif row.rule == "grows" then
    return points.combined(lists, function(values)
      local growth, series = 0, 0
      for i, point in ipairs(all) do
        if i == 1 or all[i - 1].series ~= point.series then
          series, growth = series + 1, growth - values[i]
        end
        if i == #all or all[i + 1].series ~= point.series then growth = growth + values[i] end
      end
      return growth / series
    end)
  elseif row.weight then
    return points.combined(lists, function(values, k)
      local sum, all_weights = 0, 0
      for i, value in ipairs(values) do
        local weight = all[i].weights[k] or all[i].weights[1]
        sum, all_weights = sum + weight * value, all_weights + weight
      end
      return sum / math.max(all_weights, 1)
    end)
  end
  return points.combined(lists, list.mean)
end

-- p-values of the points, corrected over the row; those without one count as 1.
local function corrected(estimates)
  return stats.holm(list.map(estimates, function(each) return each.p or 1 end))
end

-- Marks the points on the claimed side, and those that are shown there.
local function mark(all, judged)
  local p = corrected(judged)
  for i, point in ipairs(all) do
    point.p = judged[i].half_width and p[i] or nil
    point.holds = judged[i].mean > 0
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
  elseif whole.half_width and whole.high < 0 and whole.mean <= -bounds.least then
    return "opposite"
  end
  return "not shown"
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

-- How far |v| or v is below the margin: what `same` and `no_better` ask to be positive.
local function below_margin(row, all)
  return list.map(all, function(point)
    local s = row.rule == "same" and list.mean(point.v) < 0 and -1 or 1
    return { v = list.map(point.v, function(v) return row.margin - s * v end) }
  end)
end

local function is_enough_for(row, all)
  return function(count)
    if row.rule ~= "mostly" then return count == #all end
    return count > #all * (row.number or 50) / 100
  end
end

-- The verdict, the estimate of the row, and marks at its points.
local function judged(row, all)
  for _, point in ipairs(all) do point.estimate = points.estimate(point.v, point.other) end
  local v, top = whole_of(row, all, "v")
  local other = all[1].other and points.combined(lists_of(all, "other"), list.mean)
  local value = points.estimate(v, other)
  local own = list.map(all, function(point) return point.estimate end)
  if row.is_value and (row.number or row.within) then
    mark(all, own)
    local verdict = of_band(row, all, own)
    if row.rule ~= "values" then verdict = of_band(row, { {} }, { value }) end
    return verdict, value, top
  end
  local bounds, whole, each = { margin = row.margin, least = row.least }, value, own
  if row.rule == "same" or row.rule == "no_better" then
    local below = below_margin(row, all)
    each = list.map(below, function(point) return points.estimate(point.v) end)
    whole = points.estimate(points.combined(lists_of(below, "v"), list.mean))
    bounds = { margin = 0, least = row.least - row.margin }
  end
  mark(all, each)
  if not kEach[row.rule] then
    return of_side({ value }, value, function(count) return count == 1 end, bounds), value, top
  end
  bounds.has_shown = list.find(all, function(point) return point.shown end) ~= nil
  return of_side(each, whole, is_enough_for(row, all), bounds), value, top
end

-- The value beside the paper's number.
local function size_of(row, value)
  if row.rule == "mostly" or not (row.number or row.within) then return "" end
  local low, high = band_of(row)
  if value.mean >= low and value.mean <= high then return "as the paper" end
  local ratio = row.number and row.number ~= 0 and value.mean / row.number
  return ratio and ratio > 0 and ("%.2f of it"):format(ratio) or ""
end

local function rank(verdict)
  return select(2, list.find(rules.kVerdicts, function(each) return each == verdict end))
end

local function against(row, base, sweeps)
  local every = points.of(row, base, sweeps)
  local all = list.filter(every, function(point) return not point.missing end)
  local result = { base = base, points = all, verdict = "no result", size = "",
                   missing = list.filter(every, function(point) return point.missing end) }
  local has_failed = list.find(result.missing, function(point) return point.failed end)
  if has_failed or #all == 0 or row.rule == "grows" and #all < #every then return result end
  result.verdict, result.value, result.top = judged(row, all)
  result.size = size_of(row, result.value)
  return result
end

-- The result of a row: of several bases the worst, opposite only if it is so against all.
function rules.judge(row, sweeps)
  if row.given then return { verdict = "given", points = {}, missing = {}, size = "" } end
  local results = list.map(row.against or { false }, function(base)
    return against(row, base or nil, sweeps)
  end)
  local worst = results[1]
  for _, result in ipairs(results) do
    if rank(result.verdict) > rank(worst.verdict) then worst = result end
  end
  local opposite = list.count(results, function(each) return each.verdict == "opposite" end)
  if worst.verdict == "opposite" and opposite < #results then worst.verdict = "not shown" end
  worst.others = list.filter(results, function(each) return each ~= worst end)
  return worst
end

return rules
