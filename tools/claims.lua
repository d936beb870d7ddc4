-- `berth claims`: what a paper says, judged by sweeps.  The program loads this file, which
-- has the user's claims.lua declare; then it asks for the sweeps, checks, runs, and judges.
local form = require "claim_form"
local rules = require "claim_rules"
local page = require "claim_table"
local list = require "list"

tool = nil -- what the program lends is not for the user's file
paper, claim, metric = form.declare_paper, form.declare_claim, form.declare_metric
figure = form.declare_figure
require "claims"
local judged, judging = {}, nil
if #form.claims == 0 then form.problems[1] = ":1: there is no claim in it" end

return {
  -- Problems so far, the scenarios that are needed, and the metrics of the file.
  declared = function(only)
    local unknown = #only > 0 and form.keep_only(only) or nil
    return { unknown = unknown, problems = form.problems, sweeps = form.sweeps(),
             metrics = form.metrics }
  end,
  check = function(facts)
    form.check(facts)
    return { problems = form.problems }
  end,
  -- Judges the next row; how many are left.  Each has the time of an entry, so that a long
  -- file needs no longer limit.  `sweeps`: by name, as the sweep object has them; once.
  judge = function(sweeps)
    judging = sweeps or judging
    local row = form.rows[#judged + 1]
    judged[#judged + 1] = row and { row = row, result = rules.judge(row, judging) }
    return { left = #form.rows - #judged }
  end,
  answer = function()
    local unexpected = {}
    for _, each in ipairs(judged) do
      local row, found = each.row, each.result.verdict
      if row.expect and row.expect ~= found then
        unexpected[#unexpected + 1] = ("%sclaim %s: expected %s, found %s"):format(
          row.place, row.id, row.expect, found)
      end
    end
    local drawn = list.map(form.figures, function(each)
      return { figure = each, points = rules.drawn(each, judging) }
    end)
    return { page = page.of(judged, drawn), json = page.json(judged, drawn),
             unexpected = unexpected }
  end,
}
