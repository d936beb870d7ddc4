-- MEASY (Liu et al. 2012): as KEASY, but a background job that is promoted to other
-- processors migrates with its progress, and is frozen for the migration delay.
return require("two_tier").policy {
  reserve = function(cluster, head) return cluster:reserve(head) end,
  move = function(cluster, job, room) return cluster.tiers:migrate(job, room) end,
  freeze = function(cluster, job) return cluster.tiers:freeze(job) end,
}
