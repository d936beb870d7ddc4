// What scripts make pages with.

#include <array>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"
#include "bindings/tools/page.hpp"

namespace berth::bindings {

namespace {

// Where string.format of the sandbox is kept.
constexpr char kFormatKey = 0;

// "tools/explain.lua:12: out.table", for messages.
std::string& write_place(lua_State* lua) {
  luaL_where(lua, 1);
  auto& place = Sandbox::of(lua).scratch();
  place = lua_tostring(lua, -1);
  if (place.empty()) place = "out: ";  // called by no line of a script
  place.resize(place.size() - 2);
  lua_pop(lua, 1);
  return place;
}

// Makes the table at 1 a part, reads it, and answers it.
int checked_part(lua_State* lua, const char* kind) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  lua_pushstring(lua, "kind");
  lua_pushstring(lua, kind);
  lua_rawset(lua, 1);
  const auto& place = write_place(lua);
  run_reader(lua, [&] {
    TableReader reader(lua, place);
    static_cast<void>(read_part(reader, 1));
  });
  lua_settop(lua, 1);
  return 1;
}

// Makes a part whose field `key` is the value at 1.
int part_with(lua_State* lua, const char* kind, const char* key) {
  lua_settop(lua, 1);
  lua_createtable(lua, 0, 2);
  lua_insert(lua, 1);
  lua_setfield(lua, 1, key);
  return checked_part(lua, kind);
}

// A part of one text: string.format of the arguments, or the only one as it is.
int text_part(lua_State* lua, const char* kind) {
  const int count = lua_gettop(lua);
  luaL_checktype(lua, 1, LUA_TSTRING);
  if (count > 1) {
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &kFormatKey);
    lua_insert(lua, 1);
    lua_call(lua, count, 1);
  }
  return part_with(lua, kind, "text");
}

int out_title(lua_State* lua) { return text_part(lua, "title"); }
int out_text(lua_State* lua) { return text_part(lua, "text"); }
int out_table(lua_State* lua) { return checked_part(lua, "table"); }

int notes_part(lua_State* lua, const char* kind) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  return part_with(lua, kind, "notes");
}

int out_notes(lua_State* lua) { return notes_part(lua, "notes"); }
int out_numbered(lua_State* lua) { return notes_part(lua, "numbered"); }

// Pushes a list of the columns of the frame at 2.
void push_columns_of_frame(lua_State* lua) {
  lua_newtable(lua);
  auto& names = push_box<std::vector<std::string>>(lua).value;
  work_outside(lua, 0, [&](Budget&) { names = frame_at(lua, 2).names; });
  for (std::size_t i = 0; i < names.size(); ++i) {
    lua_createtable(lua, 1, 1);
    push_string(lua, names[i]);
    lua_rawseti(lua, -2, 1);
    push_frame_column(lua, 2, names[i]);
    lua_setfield(lua, -2, "of");
    lua_rawseti(lua, -3, static_cast<lua_Integer>(i) + 1);
  }
  lua_pop(lua, 1);
}

int out_file(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TSTRING);
  lua_settop(lua, 2);
  if (is_frame(lua, 2)) {
    push_columns_of_frame(lua);
  } else {
    if (!lua_istable(lua, 2)) expected(lua, 2, "a frame or a list of columns");
    lua_pushvalue(lua, 2);
  }
  lua_createtable(lua, 0, 3);
  lua_insert(lua, 1);
  lua_setfield(lua, 1, "columns");
  lua_pushvalue(lua, 2);
  lua_setfield(lua, 1, "text");
  return checked_part(lua, "file");
}

int out_page(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  lua_pushstring(lua, "kind");
  lua_pushstring(lua, "page");
  lua_rawset(lua, 1);
  return 1;
}

int out_object(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_createtable(lua, 0, 1);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "object");
  return 1;
}

int out_fixed(lua_State* lua) {
  const auto decimals = read_count(lua, 1, 0);
  if (decimals > kMostCellDecimals) bad_argument(lua, 1, "at most 17 decimals");
  const bool has_sign = lua_toboolean(lua, 2) != 0;
  lua_createtable(lua, 0, 2);
  lua_pushinteger(lua, decimals);
  lua_setfield(lua, -2, "decimals");
  lua_pushboolean(lua, has_sign ? 1 : 0);
  lua_setfield(lua, -2, "sign");
  return 1;
}

int out_shown(lua_State* lua) {
  luaL_checkany(lua, 1);
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  const auto place = std::string_view(write_place(lua));
  run_reader(lua, [&] {
    const std::string file(place);
    TableReader reader(lua, file);
    const auto shape = read_shape(reader, 2);
    const auto cell = read_cell(reader, 1, shape);
    Sandbox::of(lua).scratch() = shown_text(cell, cell.shape.value_or(shape));
  });
  push_string(lua, Sandbox::of(lua).scratch());
  return 1;
}

int out_decimals(lua_State* lua) {
  const auto& column = push_values(lua, 1);
  int decimals = 0;
  work_outside(lua, column.rows() * sizeof(double), [&](Budget&) {
    std::vector<double> values;
    values.reserve(column.rows());
    for (std::size_t row = 0; row < column.rows(); ++row) {
      if (column.is_there(row)) values.push_back(column.number(row));
    }
    decimals = decimals_for(values);
  });
  lua_pushinteger(lua, decimals);
  return 1;
}

constexpr std::array kOutCalls{
    Primitive{
        "page", "parts: table", "table",
        "What a tool answers: a list of parts; false is none.  plain: in Markdown "
        "only what would end a line or a cell is escaped; spaced: one more empty "
        "line below each table.",
        "#out.page { out.text(\"one\") } == 1", out_page},
    Primitive{"title", "form: string, ...", "table",
              "A heading: a text, or string.format of the arguments.",
              "out.title(\"waits of %s\", \"easy\").text == \"waits of easy\"",
              out_title},
    Primitive{"text", "form: string, ...", "table",
              "A line of text: as it is, or string.format of the arguments.",
              "out.text(\"%d jobs\", 4).text == \"4 jobs\"", out_text},
    Primitive{
        "table", "of: table", "table",
        "A table of columns, each a head or { head, as, of, text }, and of rows, lists "
        "of cells (a number, a text, false for none), unless each column brings its "
        "values with `of`.  as: text, id, whole, seconds, ticks, clock, human, "
        "percent, "
        "pp, interval, p or out.fixed(n).  A cell may be { value, half, as, best, "
        "colour, mark, aside, text, below }.  Further keys: title, corner, words, "
        "padded, wide: \"fold\" or \"transpose\" where a line is too long, and "
        "left_out: "
        "the row that is not shown where it is transposed.",
        "out.table { columns = { \"a\" }, rows = { { 1 } } }.kind == \"table\"",
        out_table},
    Primitive{"notes", "notes: string[]", "table", "Lines below each other.",
              "#out.notes({ \"one\", \"two\" }).notes == 2", out_notes},
    Primitive{"numbered", "notes: string[]", "table", "The same, numbered from 1 on.",
              "out.numbered({ \"one\" }).kind == \"numbered\"", out_numbered},
    Primitive{"file", "name: string, of: Frame|table", "table",
              "A CSV file of a frame, or of columns as in a table.",
              "out.file(\"jobs.csv\", jobs).text == \"jobs.csv\"", out_file},
    Primitive{"object", "members: table", "table",
              "An object for programs: a list of { name, value } in this order.",
              "out.object({ { \"jobs\", 4 } }).object[1][2] == 4", out_object},
    Primitive{"fixed", "decimals: integer, sign?: boolean", "table",
              "As a column: with so many decimals; with a sign, also above 0.",
              "out.shown(2.5, out.fixed(2)) == \"2.50\"", out_fixed},
    Primitive{"shown", "value: number|string|false, as: string|table", "string",
              "The text that a column shows of the value.",
              "out.shown(15885, \"whole\") == \"15,885\"", out_shown},
    Primitive{"decimals", "values: Column|number[]", "integer",
              "The decimals for values that are shown together, by the largest.",
              "out.decimals({ 1.5, 2 }) == 3", out_decimals},
};

// The type of `out` itself.
struct OutTable {};

}  // namespace

const Family& out_family() {
  static constexpr Family kFamily{
      "Out", "out", "What a tool answers is made with these calls.", kOutCalls};
  return kFamily;
}

void install_out(lua_State* lua) {
  make_type(lua, {&Box<OutTable>::type, nullptr, "table of answers"}, {},
            &out_family());
  lua_getglobal(lua, "string");
  lua_getfield(lua, -1, "format");
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kFormatKey);
  push_box<OutTable>(lua);
  lua_setglobal(lua, "out");
  lua_pop(lua, 1);
}

}  // namespace berth::bindings
