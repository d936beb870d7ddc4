-- A run in which the audit finds the rule broken in one of these passes has no result.
return metric {
  name = "judged_tops", unit = "passes", better = "neither",
  says = "passes after which the audit found that no younger job keeps the top job from its place",
  of = function(run)
    return run.audited and run.audited.R3, run.counts.passes
  end,
}
