-- Hosts that hold jobs of the same size, and no others, come first (GPU clustering of
-- Weng et al. 2023).
local function class(job)
  return job.share and "share" or job.gpus
end

local function weight(host, job, hosts)
  if job.gpus == 0 then return 0 end
  local same, others = false, false
  for each in hosts:jobs(host) do
    if each.gpus > 0 then
      if class(each) == class(job) then same = true else others = true end
    end
  end
  local top = hosts:largest("gpu")
  local base = same and (others and 50 or 75) or (others and 0 or 25)
  return 25 * (top - hosts:idle(host, "gpu")) // top + base
end

return require("gpu").policy("Weng et al. 2023 (GPU clustering)", weight)
