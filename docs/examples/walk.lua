-- Walking a queue.  A view is no list: `queue:all()` gives every member, other selections
-- those that meet a condition at that moment, so starting a job while walking is safe.
return {
  schedule = function(queue, cluster)
    local wanted = 0
    for job in queue:all() do wanted = wanted + job.size end
    for job in queue:fitting() do
      if job.size <= cluster:size() // 2 or wanted == job.size then cluster:start(job) end
    end
    local head = queue:head()
    if head then cluster:start(head) end
  end,
}
