print(load, dofile, io, os, debug, coroutine, package, collectgarbage)
load("return 1")()
string.dump(print)
require("easy")
require("../easy")
require("x" .. ("y"):rep(1000))
io.open("/etc/passwd")
os.execute("true")
debug.getregistry()
coroutine.wrap(function() end)()
collectgarbage("stop")
math.randomseed(1)
math.random(0)
math.random(2, 1)
math.random(math.mininteger, math.maxinteger)
math.tointeger("8"); math.fmod(1, 0); math.floor(0 / 0); math.ult(1, -1)
print(1 // 0)
print(1 % 0)
print(("x"):rep(1e5))
for i = 1, 1e5 do print(i, "\0\27[31m", "\n") end
error("\27]0;title\7" .. ("long "):rep(1e4))
error(nil)
error({ code = 1 })
error(print, 2)
assert(false)
assert(nil, {})
return 5
return nil
return { schedule = 5 }
return { shedule = print }
return { schedule = print, orders = { [1] = print } }
return { schedule = print, order = "nowhere", passes = "never", promises = "moon" }
return { schedule = print, params = { a = { default = 0 / 0, min = 2, max = 1 } } }
