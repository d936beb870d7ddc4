-- FCFS with AdaBa written as a weight, for bench_embedding.
local function weight(slots, job, network)
  local top = network:largest_request()
  local ratio = top > 0 and job.bandwidth / top or 0
  return -0.5 * slots * slots + network:slots() * ratio * slots
end

return {
  passes = "when_a_job_fits",
  embedding = { weight = weight },
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
