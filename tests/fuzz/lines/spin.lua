local n = 0
while true do n = n + 1 end
repeat n = n + 1 until n < 0
for i = 1, math.huge do n = i end
local function down(k) if k > 0 then return down(k - 1) + down(k - 1) end return 1 end
n = down(60)
local function deep(k) return 1 + deep(k + 1) end
n = deep(0)
while true do pcall(function() while true do n = n + 1 end end) end
xpcall(function() while true do end end, function() while true do end end)
xpcall(error, function() error("again") end)
local guard <close> = setmetatable({}, { __close = function() while true do end end })
local many = setmetatable({}, { __index = function(t, k) return t[k + 1] end })
n = many[1]
local loud = setmetatable({}, { __tostring = function() while true do end end })
error(loud)
print(loud)
goto done
do local x <const> = 5; n = x end
::done::
return { schedule = function() while true do end end }
