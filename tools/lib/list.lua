-- Lists, and words in messages.
local list = {}

function list.map(values, f)
  local made = {}
  for i, value in ipairs(values) do made[i] = f(value, i) end
  return made
end

function list.filter(values, f)
  local made = {}
  for _, value in ipairs(values) do
    if f(value) then made[#made + 1] = value end
  end
  return made
end

function list.find(values, f)
  for i, value in ipairs(values) do
    if f(value) then return value, i end
  end
end

function list.has(values, wanted)
  return list.find(values, function(value) return value == wanted end) ~= nil
end

-- How many of them satisfy `f`.
function list.count(values, f) return #list.filter(values, f) end

function list.append(to, values)
  for _, value in ipairs(values) do to[#to + 1] = value end
  return to
end

function list.sum(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value end
  return sum
end

function list.mean(values) return list.sum(values) / #values end

-- The columns that a text takes: one for each code point.
function list.width(text) return #text - select(2, text:gsub("[\x80-\xBF]", "")) end

-- "1 reading", "3 readings".
function list.counted(count, one, many)
  return ("%d %s"):format(count, count == 1 and one or many or one .. "s")
end

return list
