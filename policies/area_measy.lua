-- MEASY with another background: the smallest area (walltime times size) first, not the
-- shortest walltime.  A wide job below is as slow as its slowest process and slows down
-- everybody above it; a small one gets through.
--
-- Against MEASY on the paper's workloads it wins in mean bounded slowdown on JWload.
-- It loses where wide short jobs wait: on FWload at low and middle load, and for their
-- users everywhere.
return require("two_tier").policy {
  paper = "after Liu et al. 2012",
  background = function(job) return job.walltime * job.size end,
  reserve = function(cluster, head) return cluster:reserve(head) end,
  move = function(cluster, job, room) return cluster.tiers:migrate(job, room) end,
  freeze = function(cluster, job) return cluster.tiers:freeze(job) end,
}
