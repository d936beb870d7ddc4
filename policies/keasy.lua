-- KEASY (Liu et al. 2012): EASY in the foreground; waiting jobs run in the background
-- meanwhile.  A background job that is promoted to other processors is killed and started
-- anew.
return require("two_tier").policy {
  promises = "easy",
  reserve = function(cluster, head) return cluster:reserve(head) end,
  move = function(cluster, job, room) return cluster.tiers:restart(job, room) end,
}
