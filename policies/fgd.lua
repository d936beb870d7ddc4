-- Fragmentation gradient descent (Weng et al. 2023): the host, and the device, where
-- fragmentation grows least.
local function score(hosts, host, job, device)
  local less = hosts:fragmentation(host) - hosts:fragmentation(host, job, device)
  return math.floor(1 / (1 + math.exp(-less / hosts:parts())) * 100)
end

local function weight(host, job, hosts)
  if not job.share then return score(hosts, host, job) end
  local best, at
  local ask = hosts:ask(job, host, "gpu")
  for device, left in hosts:devices(host) do
    if left >= ask then
      local value = score(hosts, host, job, device)
      if not best or value > best then best, at = value, device end
    end
  end
  return best, at
end

return require("gpu").policy("Weng et al. 2023 (FGD)", weight)
