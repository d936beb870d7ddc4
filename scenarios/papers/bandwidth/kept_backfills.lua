-- Only jobs that overtook are suspended, so that each suspension ends one such start.
return metric {
  name = "kept_backfills", unit = "starts", better = "more",
  says = "starts of jobs that overtook and were not suspended later",
  of = function(run)
    return run.counts.backfilled_starts - run.counts.suspensions, #run.finished
  end,
}
