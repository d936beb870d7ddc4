-- Shared devices come first, then idle devices of a host in use, then an idle host (GPU
-- packing of Weng et al. 2023).
local function weight(host, job, hosts)
  if job.gpus == 0 then return 0 end
  local parts, able, idle, count = hosts:parts(), {}, 0, 0
  local least = hosts:ask(job, host, "gpu") // job.gpus
  for _, left in hosts:devices(host) do
    count = count + 1
    if left == parts then idle = idle + 1 end
    if left >= least then able[#able + 1] = left end
  end
  if idle == count then return 33 - idle end
  table.sort(able)
  local new, percent = 0, 0
  for i = 1, job.gpus do
    if able[i] == parts then new = new + 1 end
    percent = percent + able[i] * 100 // parts
  end
  if new > 0 then return math.max(50 - new, 33) end
  return math.max(100 - percent // 10, 50)
end

return require("gpu").policy("Weng et al. 2023 (GPU packing)", weight)
