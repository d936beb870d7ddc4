-- Lists, and words in messages.
local list = {}

function list.map(values, f)
  local made = {}
  for i, value in ipairs(values) do made[i] = f(value, i) end
  return made
end

function list.filter(values, f)
  local made = {}
  for i, value in ipairs(values) do
    if f(value, i) then made[#made + 1] = value end
  end
  return made
end

function list.find(values, f)
  for i, value in ipairs(values) do
    if f(value) then return value, i end
  end
end

function list.place(values, wanted)
  return select(2, list.find(values, function(value) return value == wanted end))
end

function list.count(values, f) return #list.filter(values, f) end

function list.joined(...)
  local made = {}
  for _, values in ipairs { ... } do
    for _, value in ipairs(values) do made[#made + 1] = value end
  end
  return made
end

-- Lists of `count` values each, one after another.
function list.parts(values, count)
  local made = {}
  for i, value in ipairs(values) do
    if (i - 1) % count == 0 then made[#made + 1] = {} end
    local last = made[#made]
    last[#last + 1] = value
  end
  return made
end

function list.mean(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value end
  return sum / #values
end

-- Correlation of neighbours.
function list.lag_1(values)
  local mean, products, squares = list.mean(values), 0, 0
  for i, value in ipairs(values) do
    squares = squares + (value - mean) ^ 2
    if i > 1 then products = products + (value - mean) * (values[i - 1] - mean) end
  end
  return squares > 0 and products / squares or 0
end

-- The columns that a text takes: one for each code point.
function list.width(text) return #text - select(2, text:gsub("[\x80-\xBF]", "")) end

return list
