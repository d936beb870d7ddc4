-- MEASY: as KEASY, but a background job migrates with its progress when its turn comes
-- elsewhere, and stands still for the migration cost.
return require("two_tier").policy {
  reserve = function(cluster, head) return cluster:reserve(head) end,
  move = function(cluster, job, room) return cluster.tiers:migrate(job, room) end,
  freeze = function(cluster, job) return cluster.tiers:freeze(job) end,
}
