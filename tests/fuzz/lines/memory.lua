local t = {}
for i = 1, 1e9 do t[i] = i end
for i = 1, 1e9 do t[i] = { t } end
local s = "ab"
while true do s = s .. s end
s = ("x"):rep(1 << 40)
s = (""):rep(1 << 62)
s = ("xy"):rep(1 << 19, "z")
t[#t + 1] = ("x"):rep(1 << 20)
for i = 1, 1e6 do t[i] = ("x"):rep(1000) .. i end
s = table.concat(t, s)
s = ("a"):rep(1e5):gsub(".", "%0%0%0%0%0%0%0%0%0%0%0")
s = string.format("%-99.99s", s)
while true do local u = {} u.u = u t = u end
for i = 1, 1e7 do local f = function() return i end t[f] = nil t[i % 7] = f end
t[0 / 1] = t; t[-1] = s; t[2^53] = s
local wide = table.pack(table.unpack(t, 1, 4096))
table.unpack(t, 1, 1e8)
select(-1, table.unpack(t))
