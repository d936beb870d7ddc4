#include "bindings/tools/frame.hpp"

#include <array>
#include <cstdlib>
#include <numeric>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/condition.hpp"
#include "bindings/tools/page.hpp"
#include "engine/base/error.hpp"

namespace berth::bindings {

namespace {

using SourcePtr = std::shared_ptr<const FrameSource>;
using Selection = std::vector<std::uint32_t>;
using SelectionPtr = std::shared_ptr<const Selection>;

// Rows of a root frame, and columns of its own.  Two values of Lua belong to it: the
// columns made so far by name, and the root (itself: none), whose columns it takes its
// rows of.  Selections of selections are joined, so there is one step to the root.
struct ScriptFrame {
  SourcePtr source;
  SelectionPtr selection;        // null: all rows
  std::vector<std::string> own;  // columns that are not the root's, sorted
  std::size_t rows = 0;

  [[nodiscard]] ColumnPtr made(std::string_view name) const {
    auto column = source->make(name);
    BERTH_ASSERT(column != nullptr && column->rows() == rows);
    return column;
  }
  [[nodiscard]] bool is_of_source(std::string_view name) const {
    const auto names = source->names();
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};
constexpr int kColumns = 1;
constexpr int kRoot = 2;

// A row of the frame that is its value of Lua.
struct Row {
  std::size_t number = 0;  // from 0
};

ScriptFrame& frame_of(lua_State* lua, int at) {
  return the_box<ScriptFrame>(lua, at).value;
}

ScriptFrame& read_frame(lua_State* lua, int at) {
  auto* box = box_at<ScriptFrame>(lua, at);
  if (box == nullptr) expected(lua, at, "a frame");
  return box->value;
}

// Pushes a frame without columns, of the same root as the one at `from` (0: a root).
Box<ScriptFrame>& push_bare_frame(lua_State* lua, int from) {
  auto& box = push_box<ScriptFrame>(lua, 2);
  lua_newtable(lua);
  lua_setiuservalue(lua, -2, kColumns);
  if (from != 0) {
    if (lua_getiuservalue(lua, from, kRoot) == LUA_TNIL) {
      lua_pop(lua, 1);
      lua_pushvalue(lua, from);
    }
    lua_setiuservalue(lua, -2, kRoot);
  }
  return box;
}

// Pushes the column of the source, as the root frame at `at` has it.
void push_of_source(lua_State* lua, int at, std::string_view name);

void push_made_now(lua_State* lua, int at, std::string_view name) {
  const auto& frame = frame_of(lua, at);
  if (lua_getiuservalue(lua, at, kRoot) == LUA_TNIL) {
    lua_pop(lua, 1);
    push_new_column(lua, frame.rows * sizeof(double),
                    [&](Budget&) { return frame.made(name); });
    return;
  }
  push_of_source(lua, lua_gettop(lua), name);
  lua_remove(lua, -2);
  if (frame.selection == nullptr) return;
  const auto& whole = *the_box<ColumnPtr>(lua, -1).value;
  push_new_column(lua, frame.rows * whole.width(), [&](Budget& budget) {
    return gather(whole, *frame.selection, budget);
  });
  lua_remove(lua, -2);
}

// REQUIRES: the source has it, or it is there already.
void push_of_source(lua_State* lua, int at, std::string_view name) {
  lua_getiuservalue(lua, at, kColumns);
  const int columns = lua_gettop(lua);
  push_string(lua, name);
  lua_pushvalue(lua, -1);
  if (lua_rawget(lua, columns) == LUA_TNIL) {
    lua_pop(lua, 1);
    push_made_now(lua, at, name);
    lua_pushvalue(lua, -2);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, columns);
  }
  lua_replace(lua, columns);
  lua_settop(lua, columns);
}

// Pushes the column whose name is at `key`, a text; false, and pushes nothing: the
// frame has none.  Fast where it is there already.
bool push_known_column(lua_State* lua, int at, int key) {
  key = lua_absindex(lua, key);
  lua_getiuservalue(lua, at, kColumns);
  lua_pushvalue(lua, key);
  if (lua_rawget(lua, -2) != LUA_TNIL) {
    lua_replace(lua, -2);
    return true;
  }
  lua_pop(lua, 2);
  const auto name = read_text(lua, key);
  if (!frame_of(lua, at).is_of_source(name)) return false;
  push_of_source(lua, at, name);
  return true;
}

// "a frame of jobs", in the scratch: for messages.
[[noreturn]] void no_such_column(lua_State* lua, int at, int key, const char* owner,
                                 bool with_methods) {
  const auto& frame = frame_of(lua, at);
  const char* of = lua_pushfstring(lua, owner, frame.source->what().data());
  no_such_name(lua, of, key, [&](KnownNames& names) {
    for (const auto& name : frame.source->names()) names.emplace_back(name);
    names.insert(names.end(), frame.own.begin(), frame.own.end());
    if (!with_methods) return;
    for (const auto& each : frame_family().primitives) names.push_back(each.name);
  });
}

const Column& push_column_named(lua_State* lua, int at, int key) {
  if (lua_type(lua, key) != LUA_TSTRING || !push_known_column(lua, at, key)) {
    no_such_column(lua, at, key, "a frame of %s", false);
  }
  return *the_box<ColumnPtr>(lua, -1).value;
}

// --- selections ---

// Chooses the frame's own columns, which are not the root's, for the frame made of it.
void choose_own_columns(lua_State* lua, int made_at, const Selection& rows) {
  lua_getiuservalue(lua, 1, kColumns);
  lua_getiuservalue(lua, made_at, kColumns);
  for (const auto& name : frame_of(lua, made_at).own) {
    push_string(lua, name);
    lua_pushvalue(lua, -1);
    lua_rawget(lua, -4);
    const auto& column = *the_box<ColumnPtr>(lua, -1).value;
    push_new_column(lua, rows.size() * column.width(),
                    [&](Budget& budget) { return gather(column, rows, budget); });
    lua_remove(lua, -2);
    lua_rawset(lua, -3);
  }
  lua_pop(lua, 2);
}

SelectionPtr within(const ScriptFrame& from, const SelectionPtr& rows, Budget& budget) {
  if (from.selection == nullptr) return rows;
  budget.charge_each(rows->size());
  Selection joined(rows->size());
  std::transform(rows->begin(), rows->end(), joined.begin(),
                 [&](std::uint32_t row) { return (*from.selection)[row]; });
  return std::make_shared<const Selection>(std::move(joined));
}

// Pushes the frame of the rows of the frame at 1 that choose(budget) answers.
template <class Choose>
int push_selected(lua_State* lua, const Choose& choose) {
  const auto& from = frame_of(lua, 1);
  auto& chosen = push_box<SelectionPtr>(lua).value;
  auto& box = push_bare_frame(lua, 1);
  work_outside(lua, 4 * from.rows * sizeof(double), [&](Budget& budget) {
    chosen = std::make_shared<const Selection>(choose(budget));
    box.value = {from.source, within(from, chosen, budget), from.own, chosen->size()};
  });
  hold_in_box(lua, box.held, box.value.rows * sizeof(std::uint32_t));
  choose_own_columns(lua, lua_gettop(lua), *chosen);
  chosen.reset();
  return 1;
}

int push_where(lua_State* lua, const Column& mask) {
  require_rows(lua, frame_of(lua, 1).rows, mask.rows());
  return push_selected(lua, [&](Budget& budget) { return rows_of(mask, budget); });
}

void push_row(lua_State* lua, int frame_at, std::size_t number) {
  push_box<Row>(lua, 1).value.number = number;
  lua_pushvalue(lua, frame_at);
  lua_setiuservalue(lua, -2, 1);
}

// Pushes the mask of the rows of the frame at 1 for which the function on top answers
// true.
void push_answers(lua_State* lua, const char* owner) {
  const int function = lua_gettop(lua);
  const auto rows = frame_of(lua, 1).rows;
  auto* answers = push_buffer<std::uint8_t>(lua, rows);
  for (std::size_t row = 0; row < rows; ++row) {
    lua_pushvalue(lua, function);
    push_row(lua, 1, row);
    lua_call(lua, 1, 1);
    if (!lua_isboolean(lua, -1) && !lua_isnil(lua, -1)) {
      luaL_error(lua, "%sanswered a %s, expected true or false", owner,
                 luaL_typename(lua, -1));
    }
    answers[row] = static_cast<std::uint8_t>(lua_toboolean(lua, -1));
    lua_pop(lua, 1);
    Guard::of(lua).charge(lua, 1);
  }
  push_new_column(lua, rows, [&](Budget&) {
    return Column::of_mask({answers, answers + rows});
  });
}

// REQUIRES: the function is at 2, and nothing above.
int where_function(lua_State* lua) {
  push_answers(lua, "where: ");
  return push_where(lua, *the_box<ColumnPtr>(lua, -1).value);
}

// --- conditions ---

[[noreturn]] void refuse_condition(lua_State* lua) {
  const auto what = condition_error(lua);
  const char* shown = push_short(lua, read_text(lua, 2));
  luaL_error(lua, "condition \"%s\": %s", shown, what.data());
  std::abort();  // luaL_error does not return
}

// Pushes the function of the text at 2; false: what is wrong with it.
bool push_compiled(lua_State* lua) {
  const auto text = read_text(lua, 2);
  bool is_long = text.size() > Condition::kLongest;
  auto& chunk = Sandbox::of(lua).scratch();
  work_outside(lua, text.size(), [&](Budget&) {
    is_long = is_long || long_access_chain(text);
    chunk = Condition::chunk(text);
  });
  if (is_long) luaL_error(lua, "this condition is too long: make it a function");
  Guard::charge_bytes(lua, chunk.size());
  const int status =
      luaL_loadbufferx(lua, chunk.data(), chunk.size(), "=condition", "t");
  if (status == LUA_ERRMEM) Guard::of(lua).note_memory_error();
  if (Guard::of(lua).tripped() != Trip::kNone) Guard::of(lua).raise(lua);
  return status == LUA_OK;
}

// Row by row; an error names the condition.
int where_loop(lua_State* lua) {
  if (!push_compiled(lua)) refuse_condition(lua);
  const int function = lua_gettop(lua);
  lua_pushcfunction(lua, where_function);
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, function);
  const int status = lua_pcall(lua, 2, 1, 0);
  if (status == LUA_OK) return 1;
  if (status == LUA_ERRMEM) Guard::of(lua).note_memory_error();
  if (Guard::of(lua).tripped() != Trip::kNone) Guard::of(lua).raise(lua);
  if (lua_type(lua, -1) != LUA_TSTRING) return lua_error(lua);
  refuse_condition(lua);
}

// Pushes the mask of the condition; false: it has to run row by row.
bool push_condition_mask(lua_State* lua, const Condition& condition) {
  if (!condition.has_masks()) return false;
  const auto& fields = condition.fields();
  luaL_checkstack(lua, static_cast<int>(fields.size()) + LUA_MINSTACK, nullptr);
  const int first = lua_gettop(lua) + 1;
  for (const auto& field : fields) {
    push_string(lua, field);
    (void)push_known_column(lua, 1, -1);
    lua_remove(lua, -2);
  }
  const auto rows = frame_of(lua, 1).rows;
  const auto masks_at_once = std::size_t{2} * Condition::kDeepest;
  return push_new_column(lua, masks_at_once * rows, [&](Budget& budget) {
    std::vector<const Column*> columns;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto at = first + static_cast<int>(i);
      columns.push_back(the_box<ColumnPtr>(lua, at).value.get());
    }
    return condition.mask(columns, budget);
  });
}

int where_condition(lua_State* lua) {
  const auto text = read_text(lua, 2);
  const auto& frame = frame_of(lua, 1);
  auto& condition = push_box<Condition>(lua).value;
  work_outside(lua, text.size(), [&](Budget& budget) {
    budget.charge_each(text.size());
    const auto all = frame.source->names();
    std::vector<std::string> names(all.begin(), all.end());
    names.insert(names.end(), frame.own.begin(), frame.own.end());
    if (text.size() <= Condition::kLongest) condition = Condition::parse(text, names);
  });
  if (!push_condition_mask(lua, condition)) return where_loop(lua);
  return push_where(lua, *the_box<ColumnPtr>(lua, -1).value);
}

// --- primitives ---

int frame_where(lua_State* lua) {
  (void)read_frame(lua, 1);
  lua_settop(lua, 2);
  if (lua_isfunction(lua, 2)) return where_function(lua);
  if (lua_type(lua, 2) == LUA_TSTRING) return where_condition(lua);
  if (box_at<ColumnPtr>(lua, 2) == nullptr) {
    expected(lua, 2, "a mask, a function or a condition");
  }
  return push_where(lua, read_mask(lua, 2));
}

int frame_sort(lua_State* lua) {
  (void)read_frame(lua, 1);
  const bool is_down = !lua_isnoneornil(lua, 3);
  if (is_down && read_text(lua, 3) != "down") {
    bad_argument(lua, 3, "\"down\" or nothing expected");
  }
  const auto& column = push_column_named(lua, 1, 2);
  return push_selected(
      lua, [&](Budget& budget) { return sorted_rows(column, is_down, budget); });
}

int frame_first(lua_State* lua) {
  const auto rows = read_frame(lua, 1).rows;
  const auto wanted = static_cast<std::size_t>(read_count(lua, 2, 0));
  return push_selected(lua, [&](Budget& budget) {
    Selection first(std::min(rows, wanted));
    budget.charge_each(first.size());
    std::iota(first.begin(), first.end(), 0U);
    return first;
  });
}

// Pushes the sorted names of the table at 2; the order of its keys differs between
// processes.
const std::vector<std::string>& push_names(lua_State* lua) {
  if (!lua_istable(lua, 2)) expected(lua, 2, "a table of columns");
  auto& box = push_box<std::vector<std::string>>(lua);
  bool are_texts = true;
  std::size_t bytes = 0;
  work_outside(lua, 0, [&](Budget& budget) {
    for (lua_pushnil(lua); lua_next(lua, 2) != 0; lua_pop(lua, 1)) {
      budget.charge();
      are_texts = are_texts && lua_type(lua, -2) == LUA_TSTRING;
      if (are_texts) box.value.emplace_back(read_text(lua, -2));
      bytes += sizeof(std::string) + lua_rawlen(lua, -2);
    }
    std::sort(box.value.begin(), box.value.end());
  });
  if (!are_texts) luaL_error(lua, "with: a column needs a name, as in { ratio = c }");
  hold_in_box(lua, box.held, bytes);
  return box.value;
}

// Pushes the column of this name in the table at 2.
void push_added(lua_State* lua, const std::string& name, std::size_t rows) {
  for (const auto& each : frame_family().primitives) {
    if (each.name != name) continue;
    luaL_error(lua, "with: frames have a method '%s': choose another name",
               name.c_str());
  }
  push_string(lua, name);
  lua_rawget(lua, 2);
  const auto* box = box_at<ColumnPtr>(lua, -1);
  if (box == nullptr) {
    luaL_error(lua, "with: '%s' is a %s, expected a column", name.c_str(),
               luaL_typename(lua, -1));
  }
  require_rows(lua, rows, box->value->rows());
}

// Copies the entries of the table on top to the one below it; pops it.
void copy_columns(lua_State* lua) {
  for (lua_pushnil(lua); lua_next(lua, -2) != 0;) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, -5);
  }
  lua_pop(lua, 1);
}

int frame_with(lua_State* lua) {
  const auto& from = read_frame(lua, 1);
  lua_settop(lua, 2);
  const auto& names = push_names(lua);
  auto& made = push_bare_frame(lua, 1);
  const int at = lua_gettop(lua);
  work_outside(lua, 0, [&](Budget&) {
    made.value = {from.source, from.selection, from.own, from.rows};
    auto& own = made.value.own;
    own.insert(own.end(), names.begin(), names.end());
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  });
  lua_getiuservalue(lua, at, kColumns);
  lua_getiuservalue(lua, 1, kColumns);
  copy_columns(lua);
  for (const auto& name : names) {
    push_string(lua, name);
    push_added(lua, name, from.rows);
    lua_rawset(lua, -3);
  }
  lua_settop(lua, at);
  return 1;
}

int frame_row(lua_State* lua) {
  const auto rows = read_frame(lua, 1).rows;
  const auto number = static_cast<std::size_t>(read_count(lua, 2, 0));
  if (number == 0 || number > rows) return lua_pushnil(lua), 1;
  push_row(lua, 1, number - 1);
  return 1;
}

int frame_column(lua_State* lua) {
  (void)read_frame(lua, 1);
  lua_settop(lua, 2);
  (void)push_column_named(lua, 1, 2);
  return 1;
}

int frame_by(lua_State* lua) {
  (void)read_frame(lua, 1);
  const int last = lua_gettop(lua);
  if (last < 2 || last > 1 + kMostKeys)
    expected(lua, 2, "one to four names of columns");
  for (int at = 2; at <= last; ++at) (void)push_column_named(lua, 1, at);
  push_groups(lua, last - 1);
  return 1;
}

// --- the userdata ---

int frame_index(lua_State* lua) {
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  if (lua_type(lua, 2) == LUA_TNUMBER) {
    return luaL_error(lua, "a row of a frame is frame:row(i)");
  }
  lua_settop(lua, 2);
  if (lua_type(lua, 2) != LUA_TSTRING || !push_known_column(lua, 1, 2)) {
    no_such_column(lua, 1, 2, "a frame of %s", true);
  }
  return 1;
}

int frame_length(lua_State* lua) {
  return lua_pushinteger(lua, static_cast<lua_Integer>(frame_of(lua, 1).rows)), 1;
}

int frame_text(lua_State* lua) {
  const auto& frame = frame_of(lua, 1);
  lua_pushfstring(lua, "frame of %I %s", static_cast<LUAI_UACINT>(frame.rows),
                  frame.source->what().data());
  return 1;
}

int row_index(lua_State* lua) {
  const auto row = the_box<Row>(lua, 1).value.number;
  lua_getiuservalue(lua, 1, 1);
  const int frame = lua_gettop(lua);
  if (lua_type(lua, 2) != LUA_TSTRING || !push_known_column(lua, frame, 2)) {
    no_such_column(lua, frame, 2, "a row of %s", false);
  }
  push_value(lua, *the_box<ColumnPtr>(lua, -1).value, row);
  return 1;
}

int row_text(lua_State* lua) {
  const std::size_t number = the_box<Row>(lua, 1).value.number + 1;
  lua_getiuservalue(lua, 1, 1);
  const auto& frame = frame_of(lua, -1);
  lua_pushfstring(lua, "row %I of %I %s", static_cast<LUAI_UACINT>(number),
                  static_cast<LUAI_UACINT>(frame.rows), frame.source->what().data());
  return 1;
}

constexpr std::array kFrameEvents{luaL_Reg{"__index", frame_index},
                                  luaL_Reg{"__len", frame_length},
                                  luaL_Reg{"__tostring", frame_text}};
constexpr std::array kRowEvents{luaL_Reg{"__index", row_index},
                                luaL_Reg{"__tostring", row_text}};

constexpr std::array kFrameCalls{
    Primitive{"row", "i: integer", "table?",
              "The row of this number, counted from 1, whose fields are values of the "
              "columns; nil for another number.",
              "jobs:row(2).size == 4", frame_row},
    Primitive{"column", "name: string", "Column",
              "A column by its name, also one that is called like a method.",
              "jobs:column('size') == jobs.size", frame_column},
    Primitive{"with", "columns: table", "Frame",
              "The same rows with further columns, or others of the same names.",
              "jobs:with({ twice = jobs.size * 2 }).twice:sum() == 32", frame_with},
    Primitive{"sort", "name: string, order?: string", "Frame",
              "The rows by a column, ascending, or with \"down\" the largest first; "
              "equal ones keep their order, none is last.",
              "jobs:sort('size', 'down'):row(1).size == 8", frame_sort},
    Primitive{"first", "n: integer", "Frame", "The first n rows.",
              "#jobs:first(3) == 3", frame_first},
    Primitive{"where", "which: Column|string|fun(job: table): boolean", "Frame",
              "The rows for which a mask, a condition on `job` or a function holds.",
              "#jobs:where('job.size > 2 and job.wait ~= nil') == 1", frame_where},
    Primitive{"by", "name: string, ...: string", "Groups",
              "The rows by equal values of one to four columns.",
              "jobs:by('user'):count()[1] == 2", frame_by},
};

}  // namespace

int condition_answers(lua_State* lua) {
  if (!push_compiled(lua)) return lua_error(lua);
  push_answers(lua, "");
  return 1;
}

std::string_view condition_error(lua_State* lua) {
  if (lua_type(lua, -1) != LUA_TSTRING) return "it raised an error that is no text";
  auto what = read_text(lua, -1);
  if (what.starts_with("condition:")) what.remove_prefix(what.find(": ") + 2);
  return what;
}

const Family& frame_family() {
  static constexpr Family kFamily{
      "Frame", "frame",
      "A table of columns: frame.wait is one of them, #frame counts the rows.",
      kFrameCalls};
  return kFamily;
}

std::span<const Family> tool_families() {
  static const std::array kFamilies{column_family(), frame_family(), group_family(),
                                    steps_family(),  stats_family(), out_family()};
  return kFamilies;
}

void install_frames(lua_State* lua, std::uint64_t seed) {
  install_columns(lua);
  make_type<ScriptFrame>(lua, kFrameEvents, &frame_family(), "frame");
  make_type(lua, {&Box<Row>::type, nullptr, "row"}, kRowEvents, nullptr);
  make_type<SelectionPtr>(lua, {}, nullptr, "selection");
  make_type<Condition>(lua, {}, nullptr, "condition");
  make_type<std::vector<std::string>>(lua, {}, nullptr, "names");
  install_groups(lua);
  install_steps(lua);
  install_stats(lua, seed);
  install_out(lua);
}

void push_frame(lua_State* lua, const std::shared_ptr<const FrameSource>& source) {
  auto& frame = push_bare_frame(lua, 0).value;
  frame.source = source;
  frame.rows = source->rows();
}

void set_frame_call(lua_State* lua) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &Box<ScriptFrame>::type);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "__call");
  lua_pop(lua, 1);
}

bool is_frame(lua_State* lua, int at) {
  return box_at<ScriptFrame>(lua, at) != nullptr;
}

FrameView frame_at(lua_State* lua, int at) {
  const auto& frame = frame_of(lua, at);
  const auto names = frame.source->names();
  FrameView view{frame.rows, frame.source->what(), {names.begin(), names.end()}};
  for (const auto& name : frame.own) {
    if (!frame.is_of_source(name)) view.names.push_back(name);
  }
  return view;
}

void push_frame_column(lua_State* lua, int at, std::string_view name) {
  at = lua_absindex(lua, at);
  push_string(lua, name);
  (void)push_column_named(lua, at, lua_gettop(lua));
  lua_remove(lua, -2);
}

}  // namespace berth::bindings
