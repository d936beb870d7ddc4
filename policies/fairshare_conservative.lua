-- Every job has a reservation, made anew at each pass in the order of the users' decayed usage
-- for their weights.  A reservation can move later: nothing is promised.
return {
  order = "fair_share",
  schedule = function(queue, cluster)
    local book = cluster:book()
    book:rebuild(queue)
    cluster:start_all(book)
    cluster:wake_at(book:next())
  end,
}
