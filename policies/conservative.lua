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

local book, compress  -- of the run: they outlive a decision

function conservative.schedule(queue, cluster)
  if not book then book, compress = cluster:book(), cluster.params.compress end
  book:update(queue, compress)
  cluster:start_all(book)
  cluster:wake_at(book:next())
end

return conservative
