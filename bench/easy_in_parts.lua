-- EASY out of the single primitives, as one writes a variant of it.
return {
  passes = "when_a_job_fits",
  promises = "easy",
  schedule = function(queue, cluster)
    local head = cluster:start_all(queue)
    if head then cluster:start_all(queue:backfillable(cluster:reserve(head))) end
  end,
}
