-- At once or never: a job that cannot start as it arrives is rejected.
return {
  schedule = function(queue, cluster)
    for job in queue:all() do
      if not cluster:start(job) then cluster:reject(job) end
    end
  end,
}
