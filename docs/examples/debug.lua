-- Debugging: what is printed is shown with the policy and the time, and kept in policy.log.
-- `print(queue)` shows the members, `why_not` the reason why one of them does not start.
return {
  schedule = function(queue, cluster)
    print(queue, "idle", cluster:idle())
    local refused = cluster:start_all(queue)
    if refused then print(refused, queue:why_not(refused)) end
  end,
}
