-- %z, the zero byte, was taken for the letter z.
return {
  schedule = function(queue, cluster)
    assert(("ab\0c"):find("%z") == 3)
    assert(("z"):find("%z") == nil)
    assert(("\0\0z"):match("^%z*(%Z)$") == "z")
    for job in queue:startable() do cluster:start(job) end
  end,
}
