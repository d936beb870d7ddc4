-- The judged rows as a page: head lines, a table of the paper's claims and one of own
-- rows, footnotes; and as an object for programs.
local list = require "list"
local form = require "claim_form"

local page = {}
local kWidth, kLeastSays = 160, 24
local kColumns = { "id", "says", "paper", "here", "points", "verdict", "size", "notes" }

-- A question of one's own has an answer: nobody claimed what it asks.
local kAnswers = { reproduced = "yes", ["in the mean only"] = "in the mean", opposite = "no" }
local function answer_to(verdict) return kAnswers[verdict] or verdict end
local function word_for(row, verdict) return row.own and answer_to(verdict) or verdict end

-- Decimals that a value with this half-width is worth.
local function decimals(value, half, unit)
  if half and half >= 100 or not half and math.abs(value) >= 1000 then return 0 end
  if unit == "%" or unit == "pp" then return half and half < 0.05 and 2 or 1 end
  local size = math.abs(half and half > 0 and half or value)
  if size >= 1 or size == 0 then return 1 end
  return math.min(6, math.ceil(-math.log(size, 10)) + 1)
end

-- The value with this sign, "" or "+", and its half-width or "".
local function texts_of(value, half, unit, sign)
  local digits = "." .. decimals(value, half, unit) .. "f"
  return ("%" .. sign .. digits):format(value), half and (" ± %" .. digits):format(half) or ""
end

local function here_text(row, result)
  if row.given or not result.value then return row.given or "" end
  local is_growth = row.rule == "grows" or row.rule == "grows_always"
  local sign = row.is_value and not is_growth and "" or "+"
  local value, half = texts_of(result.value.mean, result.value.half_width, row.unit, sign)
  return value .. " " .. row.unit .. half
end

local function paper_text(row)
  if row.reading then return "" end
  local number = row.number and ("%.6g"):format(row.number)
  if row.within then
    local low, high = row.within[1], row.within[2]
    local range = ("%.6g to %.6g"):format(low, high)
    if low == -math.huge then range = ("at most %.6g"):format(high) end
    if high == math.huge then range = ("at least %.6g"):format(low) end
    if low ~= high then number = number and ("%s (%s)"):format(number, range) or range end
  end
  local unit = row.rule == "mostly" and "% of them" or row.unit or ""
  return table.concat(list.joined({ number and number .. " " .. unit }, { row.figure }), ", ")
end

local function with_series(series, at)
  return series .. (series ~= "" and at ~= "" and " " or "") .. at
end

-- "0.8 to 1.0, 1.3": neighbours as a range, each series with its name.
local function ranges(all, wanted)
  local made, series, i = "", nil, 1
  while i <= #all do
    local from, last = all[i], i
    local function goes_on(next) return next and next.series == from.series and wanted(next) end
    while wanted(from) and goes_on(all[last + 1]) do last = last + 1 end
    if wanted(from) then
      local is_new = from.series ~= series
      local text = from.at .. (last > i and " to " .. all[last].at or "")
      if is_new then text, series = with_series(from.series, text), from.series end
      made = made .. (made == "" and "" or is_new and "; " or ", ") .. text
    end
    i = last + 1
  end
  return made
end

local function is_any() return true end
local function does_hold(point) return point.holds end
local function is_shown(point) return point.shown end
local function has_interval(point) return point.estimate.half_width end

local function points_text(row, result)
  local all = result.points
  local is_growth = row.rule == "grows" and row.is_value -- the points have no side
  if #all < 2 or not result.value or is_growth then return "" end
  local holds, shown = list.count(all, does_hold), list.count(all, is_shown)
  if holds == 0 then return "none of " .. ranges(all, is_any) end
  local is_plain = result.verdict == "reproduced" and row.rule == "always"
  if is_plain or shown == holds or not list.find(all, has_interval) then
    return ranges(all, does_hold)
  end
  local of_shown = shown == 0 and "none" or ranges(all, is_shown)
  return ("%s (%s)"):format(ranges(all, does_hold), of_shown)
end

-- What must be known to read the row, beside its own notes.
local function notes_of(row, result)
  local notes = list.joined(row.assumes or {}, row.note or {})
  local function add(...) notes[#notes + 1] = (...):format(select(2, ...)) end
  local function at(wanted)
    local where = ranges(result.points, wanted)
    return where == "" and where or " at " .. where
  end
  for key, sign in pairs { margin = "δ", least = "λ", size = "size" } do
    if row.claim[key] then add("%s %g in this row", sign, row[key]) end
  end
  if row.pooled then
    add("the gain is that of the %s over all %ss, not the mean of their gains",
        row.pooled, form.paper.axis_name)
  end
  local places = {}
  for _, point in ipairs(result.missing) do
    places[point.missing] = places[point.missing] or {}
    table.insert(places[point.missing], with_series(point.series, point.at))
  end
  for why, where in pairs(places) do
    local text = #where > 3 and ("%d %ss"):format(#where, form.paper.axis_name)
                 or table.concat(where, ", ")
    add("%s%s", text == "" and "" or text .. ": ", why)
  end
  if row.interval == "points" and result.value then
    add("the interval is over the %d points, each its mean over the seeds", #result.points)
  end
  local function is_full(point) return point.is_full end
  local function has_none(point) return not has_interval(point) end
  local without = result.value and list.count(result.points, has_none) or 0
  if list.find(result.points, is_full) then
    add("the queue is full for most of the time%s: the value depends on the length of the workload",
        at(is_full))
  end
  if without > 0 then
    add("one run%s: no interval", without < #result.points and at(has_none) or "")
  end
  if list.find(result.points, function(point) return (point.lag_1 or 0) > 0.2 end) then
    add "neighbouring batches correlate at some points: they are too short"
  end
  for _, other in ipairs(result.others or {}) do
    add("against %s: %s, %s", other.base, here_text(row, other), word_for(row, other.verdict))
  end
  if #notes > 0 and #(result.others or {}) > 0 then
    add("shown against %s, the worst of its bases", result.base)
  end
  return notes
end

-- What a line that is too wide gives up, in this order, with how many columns are left for
-- the cell: the text in the place of the cell of a column, and the footnote.
local kFolds = {
  { "points", function(line)
    local all = line.result.points
    local short = ("%d of %d (%d)"):format(list.count(all, does_hold), #all,
                                           list.count(all, is_shown))
    if #short >= list.width(line.points) then return end
    return short, list.width(line.points) <= kWidth and "at " .. line.points or nil
  end },
  { "paper", function(line)
    local figure = line.row.figure
    if figure and #line.paper > #figure then return line.paper:sub(1, -#figure - 3), figure end
  end },
  { "says", function(line, room)
    local text = line.says
    while list.width(text) > math.max(kLeastSays, room) - 2 and text:find "%s" do
      text = text:gsub("%s+%S*$", "")
    end
    if text ~= line.says then return text .. " …", line.says end
  end },
  { "here", function(line)
    if line.row.given and #line.here > 20 then return "", line.here end
  end },
}

-- Gives up what the line can until it is no wider than kWidth.
local function fold(line, footnotes)
  local digits = #footnotes + #line.texts < 95 and 3 or 4
  for _, each in ipairs(kFolds) do
    local column, shorten = each[1], each[2]
    local excess = 1 + 3 * #kColumns + digits * #line.texts - kWidth -- with numbers of footnotes
    for _, of in ipairs(kColumns) do excess = excess + list.width(line[of]) end
    local short, note
    if excess > 0 then short, note = shorten(line, list.width(line[column]) - excess - 3) end
    if short then
      line[column], line.texts[#line.texts + 1] = short, note
    end
  end
  return line
end

local function table_of(judged, first, verdict, footnotes)
  if #judged == 0 then return false end
  local rows = list.map(judged, function(each)
    local row, result = each.row, each.result
    local line = fold({ row = row, result = result, id = row.id, paper = paper_text(row),
                        says = row.reading and "- " .. row.reading or row.says,
                        here = here_text(row, result), points = points_text(row, result),
                        verdict = word_for(row, result.verdict), size = result.size, notes = "",
                        texts = notes_of(row, result) }, footnotes)
    local numbers = {}
    for _, text in ipairs(line.texts) do
      if not list.place(footnotes, text) then footnotes[#footnotes + 1] = text end
      local number = list.place(footnotes, text)
      if not list.place(numbers, number) then numbers[#numbers + 1] = number end
    end
    table.sort(numbers)
    line.notes = table.concat(numbers, " ")
    return list.map(kColumns, function(column) return line[column] end)
  end)
  local has_readings = list.find(judged, function(each) return each.row.reading end)
  return out.table {
    rows = rows, padded = true,
    columns = { "claim", first .. (has_readings and "; readings below it" or ""), "paper", "here",
                form.paper.axis_name .. "s with the sign (shown)", verdict, "size", "" } }
end

-- The series of a figure by name, and the points that they have, both in their order.
local function series_of(figure, all)
  local names, ats, values = {}, {}, {}
  for _, point in ipairs(all) do
    local name = point.series ~= "" and point.series or figure.of[1]
    if not values[name] then names[#names + 1], values[name] = name, {} end
    if not list.place(ats, point.at) then ats[#ats + 1] = point.at end
    values[name][point.at] = point.estimate
  end
  return names, ats, values
end

-- Half-widths are left out where a line would be too long.
local function figure_table(figure, all)
  local names, ats, values = series_of(figure, all)
  local function rows_of(has_halves)
    return list.map(names, function(name)
      return list.joined({ name }, list.map(ats, function(at)
        local estimate, number = values[name][at] or {}, ((figure.numbers or {})[name] or {})[at]
        local value, half = "", ""
        if estimate.mean then
          value, half = texts_of(estimate.mean, estimate.half_width, figure.unit, "")
        end
        return value .. (has_halves and half or "")
               .. (number and (" (the paper: %.6g)"):format(number) or "")
      end))
    end)
  end
  local rows = rows_of(true)
  local is_wide = list.find(rows, function(row)
    return list.width(table.concat(row, " | ")) + 4 > kWidth
  end)
  return { out.text("%s: %s, in %s.", figure.id, figure.says, figure.unit),
           out.table { rows = is_wide and rows_of(false) or rows, padded = true,
                       columns = list.joined({ form.paper.axis_name }, ats) } }
end

-- Of a row at one value of the axis its label.
local function at_of(row)
  local wanted = (row.at or {})[form.paper.axis] or {}
  return #wanted == 1 and (form.paper.label or tostring)(tonumber(wanted[1]) or wanted[1])
end

-- The rows with a number that compare two of these series at one of these points.
local function compared_in(figure, names, ats, judged)
  local function are_of(row, base)
    return row.number and row.metric == figure.metric and #row.of == 1
           and table.concat(row.sweep, "\n") == table.concat(figure.sweep, "\n")
           and list.place(names, row.of[1]) and list.place(names, base)
           and list.place(ats, at_of(row))
  end
  local rows = list.filter(judged, function(each)
    return each.result.value and are_of(each.row, each.result.base)
  end)
  return list.map(rows, function(each)
    local row, result = each.row, each.result
    return out.object {
      { "claim", row.id }, { "at", at_of(row) }, { "of", row.of[1] }, { "base", result.base },
      { "value", result.value.mean }, { "half_width", result.value.half_width },
      { "number", row.number }, { "unit", row.unit } }
  end)
end

local function figure_json(figure, all, judged)
  local names, ats, values = series_of(figure, all)
  return out.object {
    { "id", figure.id }, { "says", figure.says }, { "metric", figure.metric },
    { "unit", figure.unit }, { "axis", form.paper.axis_name }, { "points", ats },
    { "series", list.map(names, function(name)
      return out.object { { "name", name }, { "values", list.map(ats, function(at)
        local value = values[name][at] or {}
        return out.object { { "value", value.mean }, { "half_width", value.half_width },
                            { "number", ((figure.numbers or {})[name] or {})[at] } }
      end) } }
    end) }, { "compared", compared_in(figure, names, ats, judged) },
  }
end

local function counts_of(judged)
  return list.map(list.joined(form.kVerdicts, { "given" }), function(verdict)
    return { verdict, list.count(judged, function(each) return each.result.verdict == verdict end) }
  end)
end

-- "12 claims of the paper: 1 in the mean only, 8 opposite, 1 given."
local function summary(judged, one, rest, word_of)
  local parts = list.map(list.filter(counts_of(judged), function(each) return each[2] > 0 end),
                         function(each) return ("%d %s"):format(each[2], word_of(each[1])) end)
  if #judged == 0 then return "" end
  return ("%d %s%s%s: %s."):format(#judged, one, #judged == 1 and "" or "s", rest,
                                   table.concat(parts, ", "))
end

-- `drawn`: of figures, { figure, points }.
function page.of(judged, drawn)
  local paper, footnotes = form.paper, {}
  local own = list.filter(judged, function(each) return each.row.own end)
  local others = list.filter(judged, function(each) return not each.row.own end)
  local readings = list.filter(others, function(each) return each.row.reading end)
  local literal = list.filter(others, function(each) return not each.row.reading end)
  local function text(line) return line ~= "" and out.text(line) end
  local function notes(make, lines) return #lines > 0 and make(lines) end
  local function as_it_is(verdict) return verdict end
  local claims = table_of(others, "the paper says", "verdict", footnotes)
  local rest = table_of(own, "the question", "answer", footnotes)
  local figures = {}
  for _, each in ipairs(drawn or {}) do
    figures = list.joined(figures, figure_table(each.figure, each.points))
  end
  local parts = list.joined({
    paper.title ~= "" and out.title(paper.title),
    text(paper.by ~= "" and paper.by .. "." or ""), notes(out.notes, paper.found),
    out.text("δ %g: a smaller difference is none; λ %g: from -%g on it is opposite; size: "
             .. "within %.2g of the number; %g %% intervals over seeds%s%s.",
             paper.margin, paper.least, paper.least, paper.size, 100 * paper.confidence,
             paper.interval == "batches" and ", of one run over its batches" or "",
             paper.draws ~= "" and ": " .. paper.draws or ""),
    text(summary(literal, "claim", " of the paper", as_it_is)),
    text(summary(readings, "reading", "", as_it_is)),
    text(summary(own, "own question", "", answer_to)),
    claims, #own > 0 and out.text "Not of the paper:", rest,
  }, figures, {
    notes(out.numbered, footnotes),
    #paper.assumes > 0 and out.text "For all claims:", notes(out.notes, paper.assumes),
  })
  parts.plain = true
  return out.page(parts)
end

local function json_of(row, result)
  local value, within = result.value or {}, row.within
  return out.object {
    { "id", row.id }, { "reading", row.reading }, { "says", row.says }, { "figure", row.figure },
    { "own", row.own or false }, { "given", row.given }, { "metric", row.metric },
    { "base", result.base }, { "number", row.number },
    { "within", within and out.object { { "least", within[1] }, { "most", within[2] } } },
    { "unit", row.unit }, { "verdict", result.verdict },
    { "answer", row.own and answer_to(result.verdict) or nil }, { "expect", row.expect },
    { "value", value.mean }, { "half_width", value.half_width }, { "size", result.size },
    { "points", list.map(result.points, function(point)
      local estimate = point.estimate or {}
      return out.object {
        { "at", with_series(point.series, point.at) }, { "value", estimate.mean },
        { "half_width", estimate.half_width }, { "p", point.p }, { "holds", point.holds or false },
        { "shown", point.shown or false }, { "full", point.is_full or false } }
    end) },
    { "notes", notes_of(row, result) },
  }
end

function page.json(judged, drawn)
  local literal = list.filter(judged, function(each)
    return not each.row.reading and not each.row.own
  end)
  return out.object {
    { "format", 2 }, { "title", form.paper.title }, { "paper", form.paper.by },
    { "found", form.paper.found }, { "assumes", form.paper.assumes },
    { "counts", out.object(counts_of(literal)) },
    { "claims", list.map(judged, function(each) return json_of(each.row, each.result) end) },
    { "figures", list.map(drawn or {}, function(each)
      return figure_json(each.figure, each.points, judged)
    end) },
  }
end

return page
