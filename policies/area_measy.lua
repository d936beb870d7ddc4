-- MEASY with another background: the smallest area (walltime times size) first, not the
-- shortest walltime.  A wide job below is as slow as its slowest process and slows down
-- everybody above it; a small one gets through.
--
-- Against MEASY in mean bounded slowdown it is even on JWload at the paper's size, a
-- little better at low load on FWload, and it loses where wide short jobs wait.
return require("two_tier").policy {
  paper = "after Liu et al. 2012",
  background = function(job) return job.walltime * job.size end,
  reserve = function(cluster, head) return cluster:reserve(head) end,
  move = function(cluster, job, room) return cluster.tiers:migrate(job, room) end,
  freeze = function(cluster, job) return cluster.tiers:freeze(job) end,
}
