-- The numbers that a row is judged by: at each point of its sweeps one for each seed, or
-- of one run one for each of its batches, positive on the side that is claimed.
local stats = stats
local list = require "list"
local form = require "claim_form"

local points = {}

local function sign(row)
  return (row.better == "more" and -1 or 1) * (row.side == "worse" and -1 or 1)
end

local function gain(row, own, base)
  if row.is_value then return (row.side == "worse" and -1 or 1) * row.scale * own end
  local change = sign(row) * (base - own)
  if not row.is_percent then return row.scale * change end
  if base ~= 0 then return 100 * change / base end
  return own == 0 and 0 or nil
end

-- Batch means as deviations about the gain of the whole run; of a gain in per cent those
-- of the ratio of both means (the first order of its expansion).
local function about(row, whole, own, base)
  if row.is_value then
    local mean = list.mean(own)
    return list.map(own, function(value) return whole + gain(row, value) - gain(row, mean) end)
  end
  local is_percent = row.is_percent
  local scale = is_percent and 100 / list.mean(base) or row.scale
  local ratio = is_percent and list.sum(own) / list.sum(base) or 1
  local mean = list.mean(base) * ratio - list.mean(own)
  return list.map(own, function(value, k)
    return whole + scale * sign(row) * (ratio * base[k] - value - mean)
  end)
end

local function is_constant(values)
  return list.count(values, function(value) return value == values[1] end) == #values
end

-- Correlation of neighbours.
local function lag_1(values)
  local mean, products, squares = list.mean(values), 0, 0
  for i, value in ipairs(values) do
    squares = squares + (value - mean) ^ 2
    if i > 1 then products = products + (value - mean) * (values[i - 1] - mean) end
  end
  return squares > 0 and products / squares or 0
end

-- The values of one point, or nothing and why not.
local function measure(row, own_of, base_of)
  local own, behind = own_of.sweep:values(row.metric, own_of.point, own_of.policy)
  local base = base_of and base_of.sweep:values(row.metric, base_of.point, base_of.policy)
  local made = { v = {}, weights = {} }
  for seed, value in ipairs(own) do
    local other = base and base[seed]
    local v = value and (not base or other) and gain(row, value, other)
    if not v and not row.weight then return nil, "no value of " .. row.metric end
    made.v[seed], made.weights[seed] = v or 0, v and behind[seed] or 0
  end
  if list.sum(made.weights) == 0 and row.weight then return nil end
  if not is_constant(own) or base and not is_constant(base) then return made end
  made.is_one_run = true
  made.v, made.weights = { made.v[1] }, { made.weights[1] }
  if form.paper.interval ~= "batches" then return made end
  own = own_of.sweep:batches(row.metric, own_of.point, own_of.policy, 1)
  base = base_of and base_of.sweep:batches(row.metric, base_of.point, base_of.policy, 1)
  local has_both = own and (not base_of or base and #base == #own)
  if not has_both or base and row.is_percent and list.sum(base) == 0 then return made end
  made.v, made.is_batched = about(row, made.v[1], own, base), true
  made.weights = list.map(own, function() return made.weights[1] end)
  made.lag_1 = lag_1(made.v)
  return made
end

-- Where the point stands: its values of the axes that vary among those that are wanted.
local function place_of(point, sweep, wanted)
  local parts = {}
  for _, axis in ipairs(sweep.axes) do
    local values = list.map(wanted, function(i) return sweep.points[i].settings[axis.key] end)
    local value = point.settings[axis.key]
    if not is_constant(values) then
      local is_main = axis.key == form.paper.axis
      if is_main and form.paper.label then value = form.paper.label(tonumber(value) or value) end
      parts[#parts + 1] = is_main and #parts > 0 and value or tostring(value)
    end
  end
  return table.concat(parts, ", ")
end

local function why_missing(sweep, point, policy)
  local failure = sweep:failure(point, policy)
  return failure and ("%s failed: %s"):format(policy, failure)
end

local function stem(name) return (name:gsub("%.toml$", ""):gsub("^.*/", "")) end

-- What a policy gains over the base at these settings in one sweep, or says why not.
local function at_settings(row, base, policy, sweeps, settings)
  local own_of = { sweep = sweeps.own, point = form.partner(sweeps.own, settings), policy = policy }
  local base_of = base and { sweep = sweeps.behind, point = form.partner(sweeps.behind, settings),
                             policy = base }
  local failed = why_missing(own_of.sweep, own_of.point, policy)
  if base_of and not base_of.point then return { missing = "the base has no such point" } end
  failed = failed or base_of and why_missing(base_of.sweep, base_of.point, base)
  if failed then return { missing = failed, failed = true } end
  local made, why = measure(row, own_of, base_of)
  made = made or { missing = why, is_left_out = not why }
  made.is_full = own_of.sweep:is_full(own_of.point, policy)
  return made
end

-- v less that of `than`.  Seeds are paired; batches of different jobs are not, so that
-- both are kept.
local function less(point, than)
  if point.missing or than.missing then
    return { missing = point.missing or than.missing, failed = point.failed or than.failed }
  end
  point.is_full = point.is_full or than.is_full
  if #point.v ~= #than.v or point.is_batched or than.is_batched then
    point.other = than.v
  else
    point.v = list.map(point.v, function(v, k) return v - than.v[k] end)
  end
  return point
end

-- The points of a row against one base (nil: the metric itself): of each policy and each
-- sweep.  `missing` of a point says why it has no value; what weighs nothing is no point.
function points.of(row, base, sweeps)
  local made = {}
  for _, policy in ipairs(row.of) do
    for at, name in ipairs(row.sweep) do
      local sweep, wanted = sweeps[name], form.points(row, sweeps[name])
      local series = { #row.of > 1 and policy or nil }
      if #row.sweep > 1 then series[#series + 1] = stem(name) end
      for _, i in ipairs(wanted) do
        local settings = sweep.points[i].settings
        local behind = sweeps[form.at(row.against_in, at) or name]
        local this = at_settings(row, base, policy, { own = sweep, behind = behind }, settings)
        local than = sweeps[form.at(row.than, at)]
        if than then
          local places = { own = than, behind = row.against_in and behind or than }
          this = less(this, at_settings(row, base, policy, places, settings))
        end
        this.series = table.concat(series, ", ")
        this.at = place_of(sweep.points[i], sweep, wanted)
        if not this.is_left_out then made[#made + 1] = this end
      end
    end
  end
  return made
end

-- { mean, low, high, half_width, p } of a list; without interval of one value.
function points.estimate(v, other)
  local interval
  if other then
    interval = stats.unpaired(v, other, form.paper.confidence)
  else
    interval = stats.interval(v, form.paper.confidence)
  end
  return interval or { mean = list.mean(v) - (other and list.mean(other) or 0) }
end

-- One list of the lists of several points, value by value; where they are not equally
-- many, of their means.
function points.combined(lists, f)
  local is_even = list.count(lists, function(v) return #v == #lists[1] end) == #lists
  if not is_even then lists = list.map(lists, function(v) return { list.mean(v) } end) end
  local made = {}
  for k = 1, #lists[1] do
    made[k] = f(list.map(lists, function(v) return v[k] end), k)
  end
  return made
end

return points
