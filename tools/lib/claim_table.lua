-- The judged rows as a page: head lines, a table of the paper's claims and one of own
-- rows, footnotes; and as an object for programs.
local list = require "list"
local form = require "claim_form"
local rules = require "claim_rules"

local page = {}
local kWidth = 160

-- Decimals that a value with this half-width is worth.
local function decimals(value, half, unit)
  if half and half >= 100 or not half and math.abs(value) >= 1000 then return 0 end
  if unit == "%" or unit == "pp" then return half and half < 0.05 and 2 or 1 end
  local size = math.abs(half and half > 0 and half or value)
  if size >= 1 or size == 0 then return 1 end
  return math.min(6, math.ceil(-math.log(size, 10)) + 1)
end

local function number_text(value) return (("%.6g"):format(value)) end

local function here_text(row, result)
  if row.given then return row.given end
  if not result.value then return "" end
  local value, half = result.value.mean, result.value.half_width
  local digits = "." .. decimals(value, half, row.unit) .. "f"
  local is_plain = row.is_value and row.rule ~= "grows"
  local text = ("%" .. (is_plain and "" or "+") .. digits):format(value) .. " " .. row.unit
  return half and text .. (" ± %" .. digits):format(half) or text
end

local function paper_text(row)
  if row.reading then return "" end
  local number = row.number and number_text(row.number)
  if row.within then
    local low, high = row.within[1], row.within[2]
    local range = low == -math.huge and "at most " .. number_text(high)
                  or high == math.huge and "at least " .. number_text(low)
                  or number_text(low) .. " to " .. number_text(high)
    number = number and ("%s (%s)"):format(number, range) or range
  end
  local unit = row.rule == "mostly" and "% of them" or row.unit or ""
  local parts = { number and (number .. " " .. unit), row.figure }
  return table.concat(number and parts or { row.figure }, ", ")
end

local function with_series(series, at)
  return series .. (series ~= "" and at ~= "" and " " or "") .. at
end

-- "0.8 to 1.0, 1.3": neighbours as a range, each series with its name.
local function ranges(all, wanted)
  local texts, series = {}, nil
  local i = 1
  while i <= #all do
    local from, last = all[i], i
    if wanted(from) then
      while all[last + 1] and all[last + 1].series == from.series and wanted(all[last + 1]) do
        last = last + 1
      end
      local text = from.at .. (last > i and " to " .. all[last].at or "")
      local is_new = from.series ~= series
      if is_new then text = with_series(from.series, text) end
      texts[#texts + 1] = (#texts == 0 and "" or is_new and "; " or ", ") .. text
      series = from.series
    end
    i = last + 1
  end
  return table.concat(texts)
end

local function is_any() return true end
local function does_hold(point) return point.holds end
local function is_shown(point) return point.shown end

local function points_text(row, result)
  local all = result.points
  if #all < 2 or not result.value then return "" end
  local holds = list.count(all, does_hold)
  if holds == 0 then return "none of " .. ranges(all, is_any) end
  local has_intervals = list.find(all, function(point) return point.estimate.half_width end)
  local is_plain = result.verdict == "reproduced" and row.rule == "always" or not has_intervals
  local shown = list.count(all, is_shown)
  local text = ranges(all, does_hold)
  if is_plain or shown == holds then return text end
  return ("%s (%s)"):format(text, shown == 0 and "none" or ranges(all, is_shown))
end

local function short_points_text(result)
  return ("%d of %d (%d)"):format(list.count(result.points, does_hold), #result.points,
                                  list.count(result.points, is_shown))
end

-- What must be known to read the row, beside its own notes.
local function notes_of(row, result)
  local notes = list.append({}, row.assumes or {})
  list.append(notes, row.note or {})
  local function at(wanted) -- the points behind a note
    local where = ranges(result.points, wanted)
    return where == "" and "" or " at " .. where
  end
  local places, reasons = {}, {}
  for _, point in ipairs(result.missing) do
    local why = point.missing
    if not places[why] then places[why], reasons[#reasons + 1] = {}, why end
    table.insert(places[why], with_series(point.series, point.at))
  end
  for _, why in ipairs(reasons) do
    local where = table.concat(places[why], ", ")
    if #places[why] > 3 then where = list.counted(#places[why], form.paper.axis_name) end
    notes[#notes + 1] = (where == "" and "" or where .. ": ") .. why
  end
  local function is_full(point) return point.is_full end
  if list.find(result.points, is_full) then
    notes[#notes + 1] = "the queue is full for most of the time" .. at(is_full)
                        .. ": the value depends on the length of the workload"
  end
  local function has_none(point) return not point.estimate.half_width end
  if #result.points > 0 and list.find(result.points, has_none) then
    notes[#notes + 1] = "one run" .. (list.count(result.points, has_none) < #result.points
                                      and at(has_none) or "") .. ": no interval"
  end
  local function is_correlated(point) return (point.lag_1 or 0) > 0.2 end
  if list.find(result.points, is_correlated) then
    notes[#notes + 1] = "neighbouring batches correlate at some points: they are too short"
  end
  for _, other in ipairs(result.others or {}) do
    notes[#notes + 1] = ("against %s: %s, %s"):format(other.base, here_text(row, other),
                                                      other.verdict)
  end
  if #(result.others or {}) > 0 then
    notes[#notes + 1] = "shown against " .. result.base .. ", the worst of its bases"
  end
  return notes
end

local Footnotes = {}
Footnotes.__index = Footnotes

function Footnotes:add(text)
  if not self.numbers[text] then
    self.texts[#self.texts + 1] = text
    self.numbers[text] = #self.texts
  end
  return self.numbers[text]
end

-- Gives up the end of the text to a footnote, to be `most` columns wide.
local function cut(text, most)
  while list.width(text) > most - 2 do
    local shorter = text:gsub("%s+%S*$", "")
    if shorter == text then return text end
    text = shorter
  end
  return text .. " …"
end

local kLeastSays = 24

-- What a line that is too wide gives up, in this order: for a cell of that column the
-- text in its place, and the footnote.
local kFolds = {
  { "points", function(line)
    local short = line.has_points and short_points_text(line.result)
    if short and #short < list.width(line.points) then
      return short, line.points:find("^none") and line.points or "at " .. line.points
    end
  end },
  { "paper", function(line)
    local figure = line.row.figure
    if not line.row.reading and figure and #line.paper > #figure then
      return (line.paper:sub(1, -#figure - 3)), figure
    end
  end },
  { "says", function(line, room)
    local short = cut(line.says, math.max(kLeastSays, room))
    if list.width(short) < list.width(line.says) then return short, line.says end
  end },
  { "here", function(line)
    if line.row.given and #line.here > 20 then return "", line.here end
  end },
}

local kColumns = { "id", "says", "paper", "here", "points", "verdict", "size", "notes" }

local function cells(line, footnotes)
  local numbers = {}
  for _, text in ipairs(line.texts) do
    local number = footnotes:add(text)
    if not list.has(numbers, number) then numbers[#numbers + 1] = number end
  end
  table.sort(numbers)
  line.notes = table.concat(numbers, " ")
  return list.map(kColumns, function(column) return line[column] end)
end

local function width_of(line)
  local width = 1 + 3 * #kColumns + 3 * #line.texts -- the numbers of footnotes
  for _, column in ipairs(kColumns) do width = width + list.width(line[column]) end
  return width
end

-- Gives up what the line can until it is no wider than kWidth.
local function fold(line)
  for _, each in ipairs(kFolds) do
    local column, shorten = each[1], each[2]
    local excess = width_of(line) - kWidth
    local short, note
    if excess > 0 then short, note = shorten(line, list.width(line[column]) - excess - 3) end
    if short then
      line[column] = short
      line.texts[#line.texts + 1] = note
    end
  end
  return line
end

local function line_of(row, result)
  local says = row.reading and "- " .. row.reading or row.says
  local points = points_text(row, result)
  return fold { row = row, result = result, id = row.id, says = says, paper = paper_text(row),
                here = here_text(row, result), points = points, has_points = points ~= "",
                verdict = result.verdict, size = result.size, notes = "",
                texts = notes_of(row, result) }
end

local function table_of(judged, first, is_own, footnotes)
  local lines = {}
  for _, each in ipairs(judged) do
    if (each.row.claim.own or false) == is_own then
      lines[#lines + 1] = line_of(each.row, each.result)
    end
  end
  if #lines == 0 then return nil end
  local points = form.paper.axis_name .. "s with the sign (shown)"
  local heads = { "claim", first, "paper", "here", points, "verdict", "size", "" }
  local has_readings = list.find(lines, function(line) return line.row.reading end)
  if has_readings then heads[2] = first .. "; readings below it" end
  return { kind = "table", columns = heads,
           rows = list.map(lines, function(line) return cells(line, footnotes) end) }
end

-- "12 claims of the paper: 1 in the mean only, 8 opposite, 1 given."
local function summary(judged, one, many)
  if #judged == 0 then return nil end
  local words = list.append(list.append({}, rules.kVerdicts), { "given" })
  local parts = {}
  for _, verdict in ipairs(words) do
    local count = list.count(judged, function(each) return each.result.verdict == verdict end)
    if count > 0 then parts[#parts + 1] = ("%d %s"):format(count, verdict) end
  end
  return ("%s: %s."):format(list.counted(#judged, one, many), table.concat(parts, ", "))
end

local function kinds_of(judged)
  local function those(f) return list.filter(judged, f) end
  return those(function(each) return not each.row.claim.own and not each.row.reading end),
         those(function(each) return not each.row.claim.own and each.row.reading end),
         those(function(each) return each.row.claim.own end)
end

local function add(parts, kind, text)
  if text and text ~= "" then parts[#parts + 1] = { kind = kind, text = text } end
end

function page.of(judged)
  local paper, parts = form.paper, {}
  local footnotes = setmetatable({ texts = {}, numbers = {} }, Footnotes)
  local claims, readings, own = kinds_of(judged)
  add(parts, "title", paper.title)
  add(parts, "text", paper.by ~= "" and paper.by .. "." or nil)
  add(parts, "text", ("δ %g: a smaller difference is none; λ %g: from -%g on it is opposite; "
                      .. "%g %% intervals over %s."):format(
    paper.margin, paper.least, paper.least, 100 * paper.confidence,
    paper.interval == "batches" and "seeds, of one run over its batches" or "seeds"))
  add(parts, "text", summary(claims, "claim of the paper", "claims of the paper"))
  add(parts, "text", summary(readings, "reading"))
  add(parts, "text", summary(own, "own row"))
  parts[#parts + 1] = table_of(judged, "the paper says", false, footnotes)
  local others = table_of(judged, "what is claimed", true, footnotes)
  if others then add(parts, "text", "Not of the paper:") end
  parts[#parts + 1] = others
  if #footnotes.texts > 0 then parts[#parts + 1] = { kind = "notes", notes = footnotes.texts } end
  if #paper.assumes > 0 then
    add(parts, "text", "For all claims:")
    parts[#parts + 1] = { kind = "list", notes = paper.assumes }
  end
  return parts
end

local function object(members) return { object = members } end

local function json_of(row, result)
  local value = result.value or {}
  return object {
    { "id", row.id }, { "reading", row.reading }, { "says", row.says }, { "figure", row.figure },
    { "own", row.claim.own or false }, { "given", row.given }, { "metric", row.metric },
    { "base", result.base }, { "number", row.number },
    { "within", row.within and object { { "least", row.within[1] }, { "most", row.within[2] } } },
    { "unit", row.unit }, { "verdict", result.verdict }, { "expect", row.expect },
    { "value", value.mean }, { "half_width", value.half_width }, { "size", result.size },
    { "points", list.map(result.points, function(point)
      return object {
        { "at", with_series(point.series, point.at) },
        { "value", point.estimate.mean }, { "half_width", point.estimate.half_width },
        { "p", point.p }, { "holds", point.holds or false }, { "shown", point.shown or false },
        { "full", point.is_full or false },
      }
    end) },
    { "notes", notes_of(row, result) },
  }
end

function page.json(judged)
  local counts = {}
  for _, verdict in ipairs(list.append(list.append({}, rules.kVerdicts), { "given" })) do
    counts[#counts + 1] = { verdict, list.count(kinds_of(judged), function(each)
      return each.result.verdict == verdict
    end) }
  end
  return object {
    { "format", 2 }, { "title", form.paper.title }, { "paper", form.paper.by },
    { "assumes", form.paper.assumes }, { "counts", object(counts) },
    { "claims", list.map(judged, function(each) return json_of(each.row, each.result) end) },
  }
end

return page
