local t = setmetatable({ 3, 1, 2 }, { __len = function() return 1 << 40 end })
table.sort(t, function(a, b) return true end)
table.sort(t, function(a, b) error("no") end)
table.sort({ 1, "x", {} })
table.sort(t, function(a, b) t[#t + 1] = a return a < b end)
table.insert(t, 1e9, 1)
table.insert(t, 1, 1, 1)
table.remove(t, -1)
table.concat({ 1, {}, 3 })
table.concat(t, ",", 1, 1e12)
for k, v in pairs({ 1, 2, a = 1, b = 2, [true] = 3, [1.5] = 4 }) do t[k] = v end
for k in pairs(t) do t[k] = nil end
for k in pairs(t) do t[k .. "x"] = k end
for k in pairs({ [print] = 1 }) do print(k) end
for i, v in ipairs(setmetatable({}, { __index = function(_, i) return i end })) do t[1] = v end
next(t, 1)
next({}, "x")
rawset(_G, "pairs", nil)
_G.error = nil
_G = nil
setmetatable(_G, { __index = error, __newindex = error })
setmetatable(t, { __gc = print })
setmetatable(t, { __mode = "kv" })
getmetatable("").__index = nil
getmetatable(t).__len = nil
rawlen(5)
select("#", select(2, 1, 2, 3))
