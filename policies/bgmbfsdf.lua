-- As bgmbf; of those that may overtake the one with least walltime left comes first.
return require("bgmbf").policy("shortest_left")
