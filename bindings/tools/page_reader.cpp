#include <fmt/format.h>

#include "bindings/tools/frame.hpp"
#include "bindings/tools/page.hpp"

namespace berth::bindings {

namespace {

using As = CellShape::As;
using PartKind = PagePart::Kind;

constexpr int kDeepestAnswer = 16;

constexpr std::pair<std::string_view, As> kShapes[] = {
    {"text", As::kText},   {"id", As::kId},
    {"whole", As::kWhole}, {"seconds", As::kSeconds},
    {"ticks", As::kTicks}, {"clock", As::kClock},
    {"human", As::kHuman}, {"percent", As::kPercent},
    {"pp", As::kPp},       {"interval", As::kInterval},
    {"p", As::kP}};

constexpr std::pair<std::string_view, PartKind> kPartKinds[] = {
    {"title", PartKind::kTitle},       {"text", PartKind::kText},
    {"table", PartKind::kTable},       {"notes", PartKind::kNotes},
    {"numbered", PartKind::kNumbered}, {"file", PartKind::kFile}};

constexpr std::string_view kTableKeys[] = {"kind",  "title",  "columns",
                                           "rows",  "corner", "wide",
                                           "words", "padded", "left_out"};
constexpr std::string_view kColumnKeys[] = {"as", "of", "text"};
constexpr std::string_view kCellKeys[] = {"half", "as",    "best", "colour",
                                          "mark", "aside", "text", "below"};
constexpr std::string_view kShapeKeys[] = {"decimals", "sign"};

// Calls `read` for each element of the list at `at`, with the element on the top.
template <class Read>
void for_each_element(TableReader& reader, int at, const Read& read) {
  auto* lua = reader.lua();
  if (lua_type(lua, at) != LUA_TTABLE) {
    reader.refuse(fmt::format("expected a list, got {}", luaL_typename(lua, at)));
  }
  luaL_checkstack(lua, 8, nullptr);
  const auto list = lua_absindex(lua, at);
  const auto count = static_cast<lua_Integer>(lua_rawlen(lua, list));
  for (lua_Integer i = 1; i <= count; ++i) {
    reader.keep(0);
    lua_rawgeti(lua, list, i);
    read();
    lua_pop(lua, 1);
  }
}

Json json_at(TableReader& reader, int at, int depth) {
  auto* lua = reader.lua();
  reader.require(depth < kDeepestAnswer, "an answer is nested too deeply");
  switch (lua_type(lua, at)) {
    case LUA_TNIL: return {};
    case LUA_TBOOLEAN: return lua_toboolean(lua, at) != 0;
    case LUA_TNUMBER:
      if (lua_isinteger(lua, at) != 0) return Json(lua_tointeger(lua, at));
      return lua_tonumber(lua, at);
    case LUA_TSTRING: return reader.kept(at, "a text", kStringBytes);
    default: break;
  }
  reader.require(lua_type(lua, at) == LUA_TTABLE, "an answer holds no such value");
  if (reader.push(lua_absindex(lua, at), "object") == LUA_TNIL) {
    lua_pop(lua, 1);
    auto list = Json::array();
    for_each_element(reader, at,
                     [&] { list.append(json_at(reader, lua_gettop(lua), depth + 1)); });
    return list;
  }
  auto object = Json::object();
  for_each_element(reader, -1, [&] {
    const int member = lua_gettop(lua);
    reader.require(lua_type(lua, member) == LUA_TTABLE, "a member is no list");
    lua_rawgeti(lua, member, 1);
    lua_rawgeti(lua, member, 2);
    reader.require(lua_type(lua, -2) == LUA_TSTRING, "a member has no name");
    const auto name = reader.kept(-2, "a name");
    object.add(name, json_at(reader, lua_gettop(lua), depth + 1));
    lua_pop(lua, 2);
  });
  lua_pop(lua, 1);
  return object;
}

std::string field_text(TableReader& reader, int table, const char* key) {
  std::string text;
  const int type = reader.push(table, key);
  if (type != LUA_TNIL && type != LUA_TSTRING) {
    reader.refuse(fmt::format("{}: expected a text, got {}", key,
                              luaL_typename(reader.lua(), -1)));
  }
  if (type == LUA_TSTRING) text = reader.kept(-1, key, kStringBytes);
  lua_pop(reader.lua(), 1);
  return text;
}

bool flag_at(TableReader& reader, int table, const char* key) {
  reader.push(table, key);
  const bool flag = lua_toboolean(reader.lua(), -1) != 0;
  lua_pop(reader.lua(), 1);
  return flag;
}

std::int64_t whole_at(TableReader& reader, int table, const char* key,
                      std::int64_t most) {
  auto* lua = reader.lua();
  std::int64_t whole = 0;
  if (reader.push(table, key) != LUA_TNIL) {
    whole = lua_isinteger(lua, -1) != 0 ? lua_tointeger(lua, -1) : -1;
    if (whole < 0 || whole > most) {
      reader.refuse(fmt::format("{}: expected a whole number from 0 to {}", key, most));
    }
  }
  lua_pop(lua, 1);
  return whole;
}

template <class Value, std::size_t count>
std::optional<Value> named(std::string_view name,
                           const std::pair<std::string_view, Value> (&all)[count]) {
  for (const auto& each : all) {
    if (each.first == name) return each.second;
  }
  return std::nullopt;
}

// That at the top: a name, or what out.fixed(n) answers.
CellShape shape_at_top(TableReader& reader) {
  auto* lua = reader.lua();
  const int at = lua_gettop(lua);
  if (lua_type(lua, at) == LUA_TTABLE) {
    reader.check_keys(at, kShapeKeys, TableReader::Unknown::kRefused);
    const auto decimals = whole_at(reader, at, "decimals", kMostCellDecimals);
    return {As::kFixed, static_cast<int>(decimals), flag_at(reader, at, "sign")};
  }
  const auto name =
      lua_type(lua, at) == LUA_TSTRING ? reader.kept(at, "as") : std::string();
  if (const auto as = named(name, kShapes)) return {*as};
  std::vector<std::string_view> known;
  known.reserve(std::size(kShapes));
  for (const auto& each : kShapes) known.push_back(each.first);
  reader.refuse(fmt::format("as: expected {} or out.fixed(n), got {}",
                            fmt::join(known, ", "),
                            name.empty() ? luaL_typename(lua, at) : printable(name)));
}

std::optional<CellShape> shape_at(TableReader& reader, int table) {
  std::optional<CellShape> shape;
  if (reader.push(table, "as") != LUA_TNIL) shape = shape_at_top(reader);
  lua_pop(reader.lua(), 1);
  return shape;
}

CellValue value_at(TableReader& reader, int at) {
  auto* lua = reader.lua();
  switch (lua_type(lua, at)) {
    case LUA_TNIL: return {};
    case LUA_TBOOLEAN:
      if (lua_toboolean(lua, at) != 0) return true;
      return {};
    case LUA_TNUMBER:
      if (lua_isinteger(lua, at) != 0) return std::int64_t{lua_tointeger(lua, at)};
      return lua_tonumber(lua, at);
    case LUA_TSTRING: return reader.kept(at, "a cell", kStringBytes);
    default: break;
  }
  reader.refuse(fmt::format("expected a number, a text or false, got {}",
                            luaL_typename(lua, at)));
}

void check_value(const TableReader& reader, const CellValue& value,
                 const CellShape& shape) {
  const bool is_none = std::holds_alternative<std::monostate>(value);
  const bool is_whole = std::holds_alternative<std::int64_t>(value);
  if (is_none || shape.as == As::kText) return;
  const bool wants_whole = shape.as == As::kId || shape.as == As::kTicks;
  if (wants_whole && !is_whole && !std::holds_alternative<TickTime>(value)) {
    reader.refuse("expected a whole number");
  }
  const bool is_no_number =
      std::holds_alternative<std::string>(value) || std::holds_alternative<bool>(value);
  if (is_no_number) reader.refuse("expected a number");
}

Colour colour_at(TableReader& reader, int table) {
  constexpr std::pair<std::string_view, Colour> kColours[] = {{"good", Colour::kGood},
                                                              {"bad", Colour::kBad}};
  auto colour = Colour::kNone;
  reader.choice(table, "colour", colour, kColours);
  return colour;
}

void read_cell_fields(TableReader& reader, int at, PageCell& cell) {
  auto* lua = reader.lua();
  reader.check_keys(at, kCellKeys, TableReader::Unknown::kRefused);
  lua_rawgeti(lua, at, 1);
  cell.value = value_at(reader, -1);
  lua_pop(lua, 1);
  cell.half = reader.number(at, "half");
  cell.shape = shape_at(reader, at);
  cell.is_best = flag_at(reader, at, "best");
  cell.colour = colour_at(reader, at);
  cell.mark = field_text(reader, at, "mark");
  cell.aside = field_text(reader, at, "aside");
  cell.text = reader.text(at, "text");
  if (reader.push(at, "below") != LUA_TNIL) cell.below = read_texts(reader, -1);
  lua_pop(lua, 1);
}

// That at the top.
PageCell cell_at_top(TableReader& reader, const CellShape& shape) {
  const int at = lua_gettop(reader.lua());
  reader.keep(sizeof(PageCell));
  PageCell cell;
  if (lua_type(reader.lua(), at) == LUA_TTABLE) {
    read_cell_fields(reader, at, cell);
  } else {
    cell.value = value_at(reader, at);
  }
  check_value(reader, cell.value, cell.shape.value_or(shape));
  return cell;
}

CellValue value_of(const Column& column, std::size_t row) {
  if (!column.is_there(row)) return {};
  switch (column.kind()) {
    case Values::kWhole: return column.whole()[row];
    case Values::kTime: return TickTime{column.whole()[row]};
    case Values::kNumber: return column.numbers()[row];
    case Values::kMask: return column.mask()[row] != 0;
    case Values::kText: break;
  }
  return (*column.dictionary())[column.codes()[row]];
}

// Reads columns, and the values that they bring.
struct ColumnsAtTop {
  std::vector<PageColumn> columns{};
  std::vector<ColumnPtr> values{};  // null: it has none

  void add(TableReader& reader) {
    auto* lua = reader.lua();
    const int at = lua_gettop(lua);
    reader.enter(fmt::format("columns[{}]", columns.size() + 1));
    PageColumn column;
    values.emplace_back();
    if (lua_type(lua, at) == LUA_TTABLE) {
      reader.check_keys(at, kColumnKeys, TableReader::Unknown::kRefused);
      lua_rawgeti(lua, at, 1);
      column.head.value = value_at(reader, -1);
      lua_pop(lua, 1);
      column.head.text = reader.text(at, "text");
      column.shape = shape_at(reader, at).value_or(CellShape());
      if (reader.push(at, "of") != LUA_TNIL) values.back() = column_at(lua, -1);
      const bool is_column = lua_isnil(lua, -1) || values.back() != nullptr;
      lua_pop(lua, 1);
      reader.require(is_column, "of: expected a column");
    } else {
      column.head.value = value_at(reader, at);
    }
    reader.require(std::holds_alternative<std::string>(column.head.value),
                   "expected a head");
    columns.push_back(std::move(column));
    reader.leave();
  }
};

ColumnsAtTop columns_of(TableReader& reader, int table) {
  ColumnsAtTop made;
  reader.push(table, "columns");
  reader.require(!lua_isnil(reader.lua(), -1), "columns: expected a list of columns");
  for_each_element(reader, -1, [&] { made.add(reader); });
  lua_pop(reader.lua(), 1);
  reader.require(!made.columns.empty(), "columns: expected at least one");
  return made;
}

// Their rows; nullopt: some bring none.
std::optional<std::size_t> rows_in(const TableReader& reader,
                                   const ColumnsAtTop& read) {
  std::optional<std::size_t> rows;
  for (const auto& column : read.values) {
    if (column == nullptr) return std::nullopt;
    if (rows.value_or(column->rows()) != column->rows()) {
      reader.refuse(fmt::format("columns of {} and {} rows", *rows, column->rows()));
    }
    rows = column->rows();
  }
  return rows;
}

void add_row_of_columns(TableReader& reader, const ColumnsAtTop& read, std::size_t row,
                        PageTable& table) {
  std::vector<PageCell> cells(read.values.size());
  reader.keep(cells.size() * sizeof(PageCell));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].value = value_of(*read.values[i], row);
    reader.enter(fmt::format("row {}, column {}", row + 1, i + 1));
    check_value(reader, cells[i].value, table.columns[i].shape);
    reader.leave();
  }
  table.rows.push_back(std::move(cells));
}

// That at the top.
void add_row(TableReader& reader, PageTable& table) {
  std::vector<PageCell> cells;
  const auto number = table.rows.size() + 1;
  reader.enter(fmt::format("row {}", number));
  for_each_element(reader, -1, [&] {
    const auto i = cells.size();
    if (i < table.columns.size()) {
      reader.enter(fmt::format("row {}, column {}", number, i + 1));
    }
    cells.push_back(cell_at_top(
        reader, i < table.columns.size() ? table.columns[i].shape : CellShape()));
  });
  reader.enter(fmt::format("row {}", number));
  if (cells.size() != table.columns.size()) {
    reader.refuse(
        fmt::format("expected {} cells, got {}", table.columns.size(), cells.size()));
  }
  reader.leave();
  table.rows.push_back(std::move(cells));
}

PageTable table_at(TableReader& reader, int at) {
  using Wide = PageTable::Wide;
  constexpr std::pair<std::string_view, Wide> kWide[] = {
      {"fold", Wide::kFold}, {"transpose", Wide::kTranspose}};
  auto* lua = reader.lua();
  reader.check_keys(at, kTableKeys, TableReader::Unknown::kRefused);
  PageTable table{field_text(reader, at, "title"), field_text(reader, at, "corner")};
  reader.choice(at, "wide", table.wide, kWide);
  table.is_padded = flag_at(reader, at, "padded");
  auto read = columns_of(reader, at);
  table.columns = std::move(read.columns);
  while (table.words < table.columns.size() &&
         table.columns[table.words].shape.is_words()) {
    ++table.words;
  }
  if (const auto words = whole_at(reader, at, "words",
                                  static_cast<std::int64_t>(table.columns.size()))) {
    table.words = static_cast<std::size_t>(words);
  }
  if (reader.push(at, "rows") != LUA_TNIL) {
    for_each_element(reader, -1, [&] { add_row(reader, table); });
  } else {
    const auto rows = rows_in(reader, read);
    reader.require(rows.has_value(), "rows: expected a list of rows");
    for (std::size_t row = 0; row < rows.value_or(0); ++row) {
      add_row_of_columns(reader, read, row, table);
    }
  }
  lua_pop(lua, 1);
  const auto rows = static_cast<std::int64_t>(table.rows.size());
  table.left_out = static_cast<std::size_t>(whole_at(reader, at, "left_out", rows));
  const bool can_turn = table.wide == Wide::kAsItIs || table.words > 0;
  reader.require(can_turn, "wide: expected columns of text on the left");
  return table;
}

PageFile file_at(TableReader& reader, int at) {
  PageFile file{field_text(reader, at, "text")};
  const bool is_name =
      file.name.ends_with(".csv") && file.name.size() > 4 &&
      file.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.") ==
          std::string::npos &&
      file.name.front() != '.';
  reader.require(is_name, "expected the name of a file such as \"waits.csv\"");
  auto read = columns_of(reader, at);
  reader.require(rows_in(reader, read).has_value(), "expected columns with values");
  file.columns.reserve(read.columns.size());
  for (std::size_t i = 0; i < read.columns.size(); ++i) {
    file.columns.emplace_back(std::move(read.columns[i]), std::move(read.values[i]));
  }
  return file;
}

PagePart part_at(TableReader& reader, int at) {
  auto* lua = reader.lua();
  reader.require(lua_type(lua, at) == LUA_TTABLE,
                 "expected a part of a page, such as out.text");
  const auto kind = named(field_text(reader, at, "kind"), kPartKinds);
  reader.require(kind.has_value(), "expected a part of a page, such as out.text");
  PagePart part{*kind};
  switch (*kind) {
    case PartKind::kTable: part.table = table_at(reader, at); break;
    case PartKind::kFile: part.file = file_at(reader, at); break;
    case PartKind::kNotes:
    case PartKind::kNumbered:
      if (reader.push(at, "notes") != LUA_TNIL) part.lines = read_texts(reader, -1);
      lua_pop(lua, 1);
      break;
    default: part.text = field_text(reader, at, "text");
  }
  return part;
}

}  // namespace

std::vector<std::string> read_texts(TableReader& reader, int at) {
  std::vector<std::string> texts;
  for_each_element(reader, at, [&] {
    auto* lua = reader.lua();
    if (lua_type(lua, -1) != LUA_TSTRING) {
      reader.refuse(fmt::format("expected a text, got {}", luaL_typename(lua, -1)));
    }
    texts.push_back(reader.kept(-1, "a text", kStringBytes));
  });
  return texts;
}

Page read_page(TableReader& reader, int at) {
  auto* lua = reader.lua();
  at = lua_absindex(lua, at);
  const bool is_page =
      lua_type(lua, at) == LUA_TTABLE && field_text(reader, at, "kind") == "page";
  reader.require(is_page, "expected a page, made by out.page");
  Page page;
  page.is_plain = flag_at(reader, at, "plain");
  page.is_spaced = flag_at(reader, at, "spaced");
  for_each_element(reader, at, [&] {
    if (lua_isboolean(lua, -1) && lua_toboolean(lua, -1) == 0) return;
    page.parts.push_back(part_at(reader, lua_gettop(lua)));
  });
  return page;
}

PagePart read_part(TableReader& reader, int at) { return part_at(reader, at); }

CellShape read_shape(TableReader& reader, int at) {
  lua_pushvalue(reader.lua(), at);
  const auto shape = shape_at_top(reader);
  lua_pop(reader.lua(), 1);
  return shape;
}

PageCell read_cell(TableReader& reader, int at, const CellShape& shape) {
  lua_pushvalue(reader.lua(), at);
  auto cell = cell_at_top(reader, shape);
  lua_pop(reader.lua(), 1);
  return cell;
}

Json read_json(TableReader& reader, int at) { return json_at(reader, at, 0); }

}  // namespace berth::bindings
