-- The host on which least CPU and GPU is left over (Best-fit of Weng et al. 2023).
local function weight(host, job, hosts)
  local function rest(kind)
    return (hosts:idle(host, kind) - hosts:ask(job, host, kind)) / hosts:largest(kind) * 0.5
  end
  return math.floor((1 - (rest("cpu") + rest("gpu"))) * 100)
end

return require("gpu").policy("Weng et al. 2023 (Best-fit)", weight)
