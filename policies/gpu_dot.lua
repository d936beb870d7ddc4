-- The host with the smallest product of what is idle and what is asked (Dot-product of
-- Weng et al. 2023, after Grandl et al. 2014).
local function weight(host, job, hosts)
  local function product(kind)
    local top = hosts:largest(kind)
    return hosts:idle(host, kind) / top * (hosts:ask(job, host, kind) / top)
  end
  return math.floor(100 * (1 - (product("cpu") + product("gpu")) / 2))
end

return require("gpu").policy("Weng et al. 2023 (Dot-product), after Grandl et al. 2014", weight)
