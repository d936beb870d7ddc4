-- REASY: as KEASY, but no job is killed: a background job stays on its processors, and its
-- reservation is made there.
return require("two_tier").policy {
  reserve = function(cluster, head) return cluster.tiers:reserve(head) end,
}
