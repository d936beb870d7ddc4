-- KEASY: EASY in the foreground; whoever waits runs in the background meanwhile, and is
-- killed and started anew when its turn comes elsewhere.
return require("two_tier").policy {
  promises = "easy",
  reserve = function(cluster, head) return cluster:reserve(head) end,
  move = function(cluster, job, room) return cluster.tiers:restart(job, room) end,
}
