-- cosine.lua with a score in Lua for each task and host, as a heuristic of one's own has it.
local sqrt = math.sqrt

local function fill(draft)
  for task, cpu, memory in draft:tasks("max") do
    local best, most
    for host, c, m in draft:hosts(task) do
      local score = (cpu * c + memory * m)
        / sqrt((cpu * cpu + memory * memory) * (c * c + m * m))
      if not best or score > most then
        best, most = host, score
      end
    end
    if not best then return end
    draft:put(task, best)
  end
end

return require("repack").policy({
  name = "Best fit by cosine",
  pack = function(packing, jobs)
    return packing:search(jobs, fill)
  end,
})
