local old_plan, old_walk, old_view, old_job, old_queue, old_cluster
for job in queue:all() do cluster:start(job) cluster:start(job) end
for job in queue:startable() do cluster:start(job) cluster:suspend(job) end
for job in queue:fitting() do cluster:reject(job) old_job = job end
while true do for job in cluster:running() do cluster:suspend(job) end for job in queue:fitting() do cluster:start(job) end end
cluster:start(queue:head(), { under = cluster:reserve(queue:head()) })
old_plan = old_plan or cluster:reserve(queue:head())
for job in queue:backfillable(old_plan, 3) do cluster:start(job) end
old_view = old_view or queue:by("o")
for job in old_view:all() do old_job = job end
old_queue, old_cluster = queue, cluster
old_cluster:start(job)
old_queue:head()
cluster:wake_at(cluster:now() + 1)
cluster:wake_at(cluster:now() + 1e-9)
cluster:wake_at(cluster:now())
cluster:wake_at(0 / 0)
cluster:wake_at(1e300)
cluster:wake_at(nil)
cluster:book():update()
cluster:book():rebuild(queue)
for job in cluster:book():due() do cluster:start(job) end
cluster:book():place(queue:head())
cluster:book():earliest(1e9, 1e9)
cluster:book():free_at(1e11)
cluster:because(("why "):rep(100))
cluster.start(queue, job)
cluster:strat(job)
cluster.params.x = 1
cluster.tiers:freeze(queue:head())
job.size = 5
return job.walltime
return -job.size
return 0 / 0
return cluster:start(job)
return tostring(job), job == queue:head(), job.nothing
local t = {}; for job in queue:all() do t[job] = job.size; t[#t + 1] = job end; for k, v in pairs(t) do old_job = k end
pcall(cluster.suspend, cluster, old_job)
pcall(cluster.start, cluster, 0x7fffffff)
policy = { schedule = function(q, c) for job in q:fitting() do c:start(job) end end, on_end = print }
return policy
cluster:start_all(queue)
cluster:start_all(queue:by("o"))
cluster:start_all(queue:fitting())
cluster:start_all(old_view)
cluster:start_all(cluster:running())
for job in queue:all() do cluster:start_all(queue:after(job)) end
cluster:backfill(queue)
cluster:backfill(queue:by("o"), 2)
cluster:backfill(old_view, -1)
local plan = cluster:backfill(queue, 0); if plan then cluster:backfill(queue, plan.spare) end
