-- Each task, largest first, goes where what is left points most nearly in the direction of
-- what it needs.
local function fill(draft) draft:put_all("max", "cosine") end

return require("repack").policy({
  name = "Best fit by cosine",
  pack = function(packing, jobs) return packing:search(jobs, fill) end,
})
