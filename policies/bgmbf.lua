-- First come, first served; others may overtake in the order of their arrival, and make
-- way for the first (BgMBF, Li et al. 2018).  On an exclusive machine with preemption
-- this is AMBF (Liu et al. 2013).
return require("bgmbf").policy("submit")
