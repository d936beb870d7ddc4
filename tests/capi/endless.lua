-- A policy that never ends its decision: a work limit does.
return { schedule = function() while true do end end }
