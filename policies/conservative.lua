-- Conservative backfilling (Mu'alem and Feitelson 2001): every job has a reservation,
-- kept from pass to pass, and no job may delay the reservation of another.  After an
-- early end every reservation, in order, moves forward as far as possible; with compress
-- = "start_now" only those that can then start at once, which takes less time and gives
-- another schedule with longer longest waits.
local conservative = {
  paper = "Mu'alem and Feitelson 2001: Utilization, Predictability, Workloads, and " ..
    "User Runtime Estimates in Scheduling the IBM SP2 with Backfilling",
  promises = "conservative",
  params = {
    compress = { default = "early_ends", values = { "early_ends", "every_pass", "start_now" },
                 help = "when reservations move forward; start_now: only to start at once" },
  },
}

function conservative.schedule(queue, cluster)
  local book = cluster:book()
  book:update(queue, cluster.params.compress)
  cluster:start_all(book)
  cluster:wake_at(book:next())
end

return conservative
