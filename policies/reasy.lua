-- REASY: as KEASY, but nobody is killed: a background job stays on its processors, and
-- the reservation is made on them.
return require("two_tier").policy {
  reserve = function(cluster, head) return cluster.tiers:reserve(head) end,
}
