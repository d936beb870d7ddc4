-- Conservative backfilling: every job has a reservation, kept from pass to pass; nobody
-- may delay anybody.  After an early end, in order, each moves forward as far as it can;
-- with compress = "start_now" only if it can start at once, which is quicker to work out
-- and gives another schedule: whoever cannot keeps its place, so the longest waits grow.
local conservative = {
  paper = "Mu'alem and Feitelson 2001",
  promises = "conservative",
  params = {
    compress = { default = "early_ends", values = { "early_ends", "every_pass", "start_now" },
                 help = "when reservations move forward; start_now: only to start at once" },
  },
}

function conservative.schedule(queue, cluster)
  local book = cluster:book()
  book:update(queue, cluster.params.compress)
  cluster:start_all(book:due())
  cluster:wake_at(book:next())
end

return conservative
