-- As bgmbf; of those that may overtake the one with least walltime left comes first
-- (BgMBFSDF, Li et al. 2018).
return require("bgmbf").policy("shortest_left")
