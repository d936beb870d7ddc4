-- The numbers that a row is judged by: at each point of its sweeps one for each seed, or
-- of one run one for each of its batches, positive on the side that is claimed.
local stats = stats
local list = require "list"
local form = require "claim_form"

local points = {}

local function gain(row, own, base)
  local worse = row.side == "worse" and -1 or 1
  if row.is_value then return worse * row.scale * own end
  local change = worse * (row.better == "more" and own - base or base - own)
  if not row.is_percent then return row.scale * change end
  if base ~= 0 then return 100 * change / base end
  return own == 0 and 0 or nil
end

-- Batch means as deviations about the gain of the whole run; of a gain in per cent those
-- of the ratio of both means (the first order of its expansion).
local function about(row, whole, own, base)
  if not row.is_percent then
    local gains = list.map(own, function(value, k) return gain(row, value, base and base[k]) end)
    local mean = list.mean(gains)
    return list.map(gains, function(each) return whole + each - mean end)
  end
  local mean, ratio = list.mean(base), list.mean(own) / list.mean(base)
  return list.map(own, function(value, k)
    return whole + gain(row, mean + value - ratio * base[k], mean)
  end)
end

local function is_constant(values)
  return list.count(values, function(value) return value ~= values[1] end) == 0
end

-- The values of one point; `missing` says why there is none.
local function measure(row, own_of, base_of)
  local function read(of) return of.sweep:values(of.metric, of.point, of.policy) end
  local own, behind = read(own_of)
  local base, behind_base
  if base_of then base, behind_base = read(base_of) end
  local made = { v = {}, weights = {}, own = own, base = base, n = behind, base_n = behind_base }
  local may_lack = row.weight or row.pooled
  for seed, value in ipairs(own) do
    local v = value and (not base or base[seed]) and gain(row, value, base and base[seed])
    if not v and not may_lack then return { missing = "no value of " .. own_of.metric } end
    made.v[seed], made.weights[seed] = v or 0, v and behind[seed] or 0
  end
  made.is_left_out = row.weight and not row.pooled and math.max(table.unpack(made.weights)) == 0
  local function is_one_run(of) return of.sweep:is_one_run(of.point, of.policy) end
  if not is_one_run(own_of) or base_of and not is_one_run(base_of) then return made end
  made.one = { made.v[1] }
  local function batches(of)
    return of and of.sweep:batches(of.metric, of.point, of.policy, 1) or nil
  end
  own, base = batches(own_of), batches(base_of)
  local has_both = own and (not base_of or base and #base == #own)
  if form.paper.interval ~= "batches" or not has_both then return made end
  if row.is_percent and list.mean(base) == 0 then return made end
  made.one, made.is_batched = about(row, made.v[1], own, base), true
  made.lag_1 = list.lag_1(made.one)
  return made
end

-- The axes whose values vary among the points that are wanted.
local function varying(sweep, wanted)
  return list.filter(sweep.axes, function(axis)
    return not is_constant(list.map(wanted, function(each) return each.settings[axis.key] end))
  end)
end

-- Where the point stands along these axes.
local function place_of(point, axes)
  local parts = {}
  for i, axis in ipairs(axes) do
    local value = point.settings[axis.key]
    local label = axis.key == form.paper.axis and form.paper.label or tostring
    parts[i] = label(tonumber(value) or value)
  end
  return table.concat(parts, " ")
end

-- What a policy gains in `metric` over the base in one sweep, at the settings of `from`, a
-- point of this sweep or of another one.
local function at_settings(row, metric, base, policy, sweep, behind, from)
  local function place(of, label)
    local point = of == from.sweep and from.number or form.partner(of, from.settings)
    return { sweep = of, point = point, policy = label, metric = metric }
  end
  local own_of, base_of = place(sweep, policy), base and place(behind, base)
  for _, of in ipairs { own_of, base_of or nil } do
    if not of.point then return { missing = "the base has no such point" } end
    local failure = of.sweep:failure(of.point, of.policy)
    if failure then
      return { missing = ("%s failed: %s"):format(of.policy, failure), failed = true }
    end
  end
  local made = measure(row, own_of, base_of)
  made.is_full = sweep:is_full(own_of.point, policy)
  return made
end

-- v less that of `than`.  Seeds are paired, and batches of the same jobs; of other jobs
-- they are not, so that both are kept.
local function less(point, than, of_same_jobs)
  if point.missing or than.missing then return point.missing and point or than end
  point.is_full = point.is_full or than.is_full
  if #point.v == #than.v and (of_same_jobs or not point.is_batched) then
    point.v = list.map(point.v, function(v, k) return v - than.v[k] end)
  else
    point.other = than.v
  end
  return point
end

-- The mean or the most over all points of what one run of each has; nil of nothing.
local function over_points(row, all, seed, key)
  local most, sum, weights = nil, 0, 0
  for _, point in ipairs(all) do
    local value = point[key][seed]
    if value then
      local weight = row.weight and point[key == "own" and "n" or "base_n"][seed] or 1
      most, sum, weights = math.max(most or value, value), sum + weight * value, weights + weight
    end
  end
  if row.pooled == "most" then return most end
  return weights > 0 and sum / weights or nil
end

-- All points as one, whose gains are those of their means, or of their largest values.
local function pooled(row, all)
  local missing = list.filter(all, function(point) return point.missing end)
  if #missing > 0 or #all == 0 then return missing end
  local made = { v = {}, weights = { 1 }, series = "", at = "", is_one_run = all[1].is_one_run }
  for seed = 1, made.is_one_run and 1 or #all[1].own do
    local own, base = over_points(row, all, seed, "own"), over_points(row, all, seed, "base")
    local v = own and base and gain(row, own, base)
    if not v then return { { missing = "no value of " .. row.metric, series = "", at = "" } } end
    made.v[seed] = v
  end
  made.is_full = list.find(all, function(point) return point.is_full end) ~= nil
  return { made }
end

-- The points of a row against one base (nil: the metric itself): of each policy and each
-- sweep.  What weighs nothing is no point.  They are one run if all of them are.
function points.of(row, base, sweeps)
  local made, are_one = {}, true
  for _, policy in ipairs(row.of) do
    for at, name in ipairs(row.sweep) do
      local sweep, wanted = sweeps[name], form.points(row, sweeps[name])
      local than, behind = sweeps[form.at(row.than, at)], sweeps[form.at(row.against_in, at)]
      if row.than_metric then than = than or sweep end
      local series = { #row.of > 1 and policy or nil }
      if #row.sweep > 1 then series[#series + 1] = name:gsub("%.toml$", "") end
      local axes, numbers = varying(sweep, wanted), {}
      local main = list.find(axes, function(axis) return axis.key == form.paper.axis end)
      for number, point in ipairs(sweep.points) do numbers[point] = number end
      for _, point in ipairs(wanted) do
        local from = { sweep = sweep, number = numbers[point], settings = point.settings }
        local this = at_settings(row, row.metric, base, policy, sweep, behind or sweep, from)
        local other = than and at_settings(row, row.than_metric or row.metric, base, policy, than,
                                           behind or than, from)
        local both = { this, other or nil }
        local step = main and list.place(main.values, point.settings[main.key]) or numbers[point]
        local name_of_it = { table.concat(series, ", "), place_of(point, axes) }
        are_one = are_one and not list.find(both, function(of) return of.v and not of.one end)
        local along = main and place_of(point, { main }) or name_of_it[2]
        if not this.is_left_out then made[#made + 1] = { both, name_of_it, step, along } end
      end
    end
  end
  local all = list.map(made, function(each)
    local both = list.map(each[1], function(of)
      of.is_one_run, of.is_batched = are_one, are_one and of.is_batched
      if are_one and of.one then of.v, of.weights = of.one, { of.weights[1] } end
      return of
    end)
    local this = both[2] and less(both[1], both[2], not row.than) or both[1]
    this.series, this.at, this.step, this.along = each[2][1], each[2][2], each[3], each[4]
    return this
  end)
  return row.pooled and pooled(row, all) or all
end

-- { mean, low, high, half_width, p } of a list; without interval of one value.
function points.estimate(v, other)
  local confidence = form.paper.confidence
  local interval = other and stats.unpaired(v, other, confidence)
                   or not other and stats.interval(v, confidence)
  return interval or { mean = list.mean(v) - (other and list.mean(other) or 0) }
end

-- One list of the lists of several points, value by value; where they are not equally
-- many, of their means.
function points.combined(lists, f)
  if list.find(lists, function(v) return #v ~= #lists[1] end) then
    lists = list.map(lists, function(v) return { list.mean(v) } end)
  end
  return list.map(lists[1], function(_, k)
    return f(list.map(lists, function(v) return v[k] end), k)
  end)
end

return points
