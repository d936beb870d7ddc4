-- Selective backfilling: a job gets a reservation once it has waited as long as it wants to
-- run; any other may start if it delays none of these.
return {
  schedule = function(queue, cluster)
    local book, now = cluster:book(), cluster:now()
    for job in queue:all() do
      if now - job.submit >= job.walltime then book:place(job) end
    end
    cluster:start_all(book)
    for job in queue:fitting() do
      if book:earliest(job.size, math.max(job.walltime, 1)) == now then cluster:start(job) end
    end
    cluster:wake_at(book:next())
  end,
}
