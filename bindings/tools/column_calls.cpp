// Columns as values of Lua.

#include <array>
#include <limits>
#include <string>
#include <unordered_map>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"
#include "bindings/tools/groups.hpp"

namespace berth::bindings {

namespace {

constexpr std::size_t kWidest = sizeof(double);

// --- arithmetic and comparisons ---

// The operands of an event: one of them is a column.
struct Operands {
  Operand left;
  Operand right;
  std::size_t rows;
};

Operands read_operands(lua_State* lua) {
  const auto* box = box_at<ColumnPtr>(lua, 1);
  const auto rows = (box != nullptr ? *box : the_box<ColumnPtr>(lua, 2)).value->rows();
  const auto operand = [&](int at) {
    const bool is_one = lua_isnumber(lua, at) != 0 || box_at<ColumnPtr>(lua, at);
    if (!is_one) {
      luaL_error(lua, "a column and a %s: columns calculate with numbers and columns",
                 luaL_typename(lua, at));
    }
    return read_operand(lua, at, rows);
  };
  // The left one is read first, so that lengths are told in order.
  if (box == nullptr) return {operand(1), the_box<ColumnPtr>(lua, 2).value.get(), rows};
  return {box->value.get(), operand(2), rows};
}

template <Arithmetic how>
int column_arithmetic(lua_State* lua) {
  const auto operands = read_operands(lua);
  const bool done = push_new_column(lua, operands.rows * kWidest, [&](Budget& budget) {
    return calculate(operands.left, how, operands.right, budget);
  });
  return done ? 1 : luaL_error(lua, "texts do not calculate");
}

template <Compare how>
int column_compare(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  const auto operand = read_operand(lua, 2, column.rows());
  const bool is_boolean = lua_type(lua, 2) == LUA_TBOOLEAN;
  const bool fits = !is_boolean || column.kind() == Values::kMask;
  const bool done = fits && push_new_column(lua, column.rows(), [&](Budget& budget) {
                      return compare(&column, how, operand, budget);
                    });
  if (done) return 1;
  const auto kind = plural(column.kind());
  const auto* other = box_at<ColumnPtr>(lua, 2);
  return luaL_error(
      lua, "a column of %s does not compare with %s", kind.data(),
      other != nullptr ? plural(other->value->kind()).data() : luaL_typename(lua, 2));
}

int column_order(lua_State* lua) {
  return luaL_error(lua,
                    "compare columns with :lt, :le, :gt, :ge, :eq and :ne: Lua's < "
                    "can only answer one boolean");
}

template <Clamp how>
int column_bounded(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  const auto operand = read_operand(lua, 2, column.rows());
  const bool done = push_new_column(lua, column.rows() * kWidest, [&](Budget& budget) {
    return bounded(column, how, operand, budget);
  });
  return done ? 1 : luaL_error(lua, "texts have no bounds");
}

template <Join how>
int column_join(lua_State* lua) {
  for (const int at : {1, 2}) {
    const auto* box = box_at<ColumnPtr>(lua, at);
    if (box != nullptr && box->value->kind() == Values::kMask) continue;
    return luaL_error(
        lua, "& and | join masks, such as c:gt(0); this is a %s",
        box == nullptr ? luaL_typename(lua, at) : "column of other values");
  }
  const auto& left = read_mask(lua, 1);
  const auto& right = read_mask(lua, 2);
  require_rows(lua, left.rows(), right.rows());
  push_new_column(lua, left.rows(),
                  [&](Budget& budget) { return joined(left, how, right, budget); });
  return 1;
}

int column_not(lua_State* lua) {
  const auto& mask = *the_box<ColumnPtr>(lua, 1).value;
  if (mask.kind() != Values::kMask) return luaL_error(lua, "~ turns a mask around");
  push_new_column(lua, mask.rows(),
                  [&](Budget& budget) { return negated(mask, budget); });
  return 1;
}

// --- statistics ---

const Column& read_numeric(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  if (column.kind() == Values::kText) luaL_error(lua, "texts have no such number");
  return column;
}

// A whole sum that no integer of Lua holds is a float.
void push_whole_sum(lua_State* lua, Int128 sum) {
  if (std::numeric_limits<std::int64_t>::min() <= sum &&
      sum <= std::numeric_limits<std::int64_t>::max()) {
    return lua_pushinteger(lua, static_cast<lua_Integer>(sum));
  }
  lua_pushnumber(lua, static_cast<double>(sum));
}

template <class Work>
int push_statistic(lua_State* lua, const Work& work) {
  const auto& column = read_numeric(lua);
  std::optional<double> value;
  work_outside(lua, column.rows() * kWidest,
               [&](Budget& budget) { value = work(column, budget); });
  push_number_or_nil(lua, value);
  return 1;
}

int column_sum(lua_State* lua) {
  const auto& column = read_numeric(lua);
  const bool in_ticks = !lua_isnoneornil(lua, 2);
  if (in_ticks && (column.kind() != Values::kTime || read_text(lua, 2) != "ticks")) {
    return luaL_error(lua, "sum(\"ticks\") is of times");
  }
  Total total;
  work_outside(lua, 0, [&](Budget& budget) { total = total_of(column, budget); });
  if (column.kind() == Values::kNumber) {
    lua_pushnumber(lua, total.number);
  } else if (column.kind() == Values::kTime && !in_ticks) {
    lua_pushnumber(lua, total_seconds(total.whole));
  } else {
    push_whole_sum(lua, total.whole);
  }
  return 1;
}

int column_mean(lua_State* lua) {
  return push_statistic(lua, [](const Column& column, Budget& budget) {
    return mean_of(column, budget);
  });
}

int push_quantile(lua_State* lua, double q) {
  return push_statistic(lua, [q](const Column& column, Budget& budget) {
    return quantile_of(column, q, budget);
  });
}

int column_quantile(lua_State* lua) { return push_quantile(lua, read_share(lua, 2)); }

int column_median(lua_State* lua) { return push_quantile(lua, 0.5); }

template <bool is_largest>
int column_extreme(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  std::optional<std::size_t> row;
  work_outside(lua, column.rows() * kWidest,
               [&](Budget& budget) { row = extreme_row(column, is_largest, budget); });
  if (!row) return lua_pushnil(lua), 1;
  push_value(lua, column, *row);
  return 1;
}

// --- choosing ---

int column_where(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  const auto& mask = read_mask(lua, 2);
  require_rows(lua, column.rows(), mask.rows());
  push_new_column(lua, 2 * column.rows() * column.width(), [&](Budget& budget) {
    return gather(column, rows_of(mask, budget), budget);
  });
  return 1;
}

// The place of the row of this number, of so many rows; kNoRow for 0.
std::uint32_t place_of_row(lua_State* lua, lua_Integer number, std::size_t rows) {
  if (number < 0 || number > static_cast<lua_Integer>(rows)) {
    luaL_error(lua, "row %I of a column of %I rows", static_cast<LUAI_UACINT>(number),
               static_cast<LUAI_UACINT>(rows));
  }
  return number == 0 ? kNoRow : static_cast<std::uint32_t>(number - 1);
}

// Reads the list at stack index 2.
lua_Integer read_row_number(lua_State* lua, std::size_t i) {
  lua_rawgeti(lua, 2, static_cast<lua_Integer>(i));
  int is_whole = 0;
  const auto number = lua_tointegerx(lua, -1, &is_whole);
  if (is_whole == 0) {
    luaL_error(lua, "at: row numbers expected, got a %s", luaL_typename(lua, -1));
  }
  lua_pop(lua, 1);
  return number;
}

int column_at_rows(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  const auto* box = box_at<ColumnPtr>(lua, 2);
  const bool is_whole = box != nullptr && box->value->kind() == Values::kWhole;
  if (!is_whole && !lua_istable(lua, 2)) expected(lua, 2, "row numbers");
  const auto count =
      is_whole ? box->value->rows() : static_cast<std::size_t>(lua_rawlen(lua, 2));
  auto* places = push_buffer<std::uint32_t>(lua, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = is_whole ? box->value->whole()[i] : read_row_number(lua, i + 1);
    places[i] = place_of_row(lua, number, column.rows());
    if (i % kPiece == 0) Guard::of(lua).charge(lua, kPiece);
  }
  push_new_column(lua, count * column.width(), [&](Budget& budget) {
    return gather(column, {places, count}, budget);
  });
  return 1;
}

int column_top(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  const auto most = static_cast<std::size_t>(read_count(lua, 2, 0));
  push_new_column(lua, 3 * column.rows() * kWidest, [&](Budget& budget) {
    std::vector<std::int64_t> top;
    for (const auto row : sorted_rows(column, true, budget)) {
      if (top.size() == most || !column.is_there(row)) break;
      top.push_back(row + std::int64_t{1});
    }
    return Column::of_whole(std::move(top));
  });
  return 1;
}

// --- map ---

// What a function answered for the distinct values of a column: a list at `list`.
struct Answers {
  int list;
  lua_Integer count;
  Values kind = Values::kNumber;
};

std::optional<Values> kind_at(lua_State* lua, int at) {
  switch (lua_type(lua, at)) {
    case LUA_TNUMBER:
      return lua_isinteger(lua, at) != 0 ? Values::kWhole : Values::kNumber;
    case LUA_TSTRING: return Values::kText;
    case LUA_TBOOLEAN: return Values::kMask;
    default: return std::nullopt;
  }
}

// Numbers if a whole one stands beside a float or none.
void find_kind(lua_State* lua, Answers& answers) {
  std::optional<Values> seen;
  bool has_none = false;
  for (lua_Integer i = 1; i <= answers.count; ++i) {
    lua_rawgeti(lua, answers.list, i);
    const auto kind = kind_at(lua, -1);
    lua_pop(lua, 1);
    has_none = has_none || !kind;
    if (!kind || kind == seen) continue;
    const auto is_numeric = [](Values each) {
      return each == Values::kWhole || each == Values::kNumber;
    };
    if (seen && !(is_numeric(*seen) && is_numeric(*kind))) {
      luaL_error(lua, "map: the function answered %s and %s", plural(*seen).data(),
                 plural(*kind).data());
    }
    seen = seen ? Values::kNumber : kind;
  }
  answers.kind = seen.value_or(Values::kNumber);
  if (has_none && answers.kind == Values::kWhole) answers.kind = Values::kNumber;
}

// Each text once, by code.
std::uint32_t code_of(std::unordered_map<std::string, std::uint32_t>& codes,
                      std::vector<std::string>& texts, std::string_view text) {
  const auto next = static_cast<std::uint32_t>(texts.size());
  const auto [place, is_new] = codes.emplace(text, next);
  if (is_new) texts.emplace_back(text);
  return place->second;
}

// Calls no Lua that may raise.
ColumnPtr listed_texts(lua_State* lua, const Answers& answers) {
  std::unordered_map<std::string, std::uint32_t> codes;
  std::vector<std::string> texts;
  std::vector<std::uint32_t> values;
  for (lua_Integer i = 1; i <= answers.count; ++i) {
    const bool is_there = lua_rawgeti(lua, answers.list, i) == LUA_TSTRING;
    values.push_back(is_there ? code_of(codes, texts, read_text(lua, -1)) : kNoText);
    lua_pop(lua, 1);
  }
  return Column::of_texts(std::move(values), std::move(texts));
}

template <class Value, class Read>
std::vector<Value> listed(lua_State* lua, const Answers& answers, const Read& read) {
  std::vector<Value> values;
  for (lua_Integer i = 1; i <= answers.count; ++i) {
    lua_rawgeti(lua, answers.list, i);
    values.push_back(read());
    lua_pop(lua, 1);
  }
  return values;
}

ColumnPtr column_of_answers(lua_State* lua, const Answers& answers) {
  switch (answers.kind) {
    case Values::kText: return listed_texts(lua, answers);
    case Values::kMask:
      return Column::of_mask(listed<std::uint8_t>(lua, answers, [&] {
        return static_cast<std::uint8_t>(lua_toboolean(lua, -1));
      }));
    case Values::kWhole:
      return Column::of_whole(
          listed<std::int64_t>(lua, answers, [&] { return lua_tointeger(lua, -1); }));
    default:
      return Column::of_numbers(listed<double>(lua, answers, [&] {
        return lua_isnil(lua, -1) ? std::nan("") : lua_tonumber(lua, -1);
      }));
  }
}

int column_map(lua_State* lua) {
  const auto& column = read_column(lua, 1);
  if (!lua_isfunction(lua, 2)) expected(lua, 2, "a function");
  auto& groups = push_box<Groups>(lua);
  work_outside(lua, 6 * column.rows() * kWidest, [&](Budget& budget) {
    const Column* keys[]{&column};
    groups.value = group_rows(keys, budget);
  });
  hold_in_box(lua, groups.held, groups.value.bytes());
  lua_newtable(lua);
  Answers answers{lua_gettop(lua), static_cast<lua_Integer>(groups.value.count())};
  for (lua_Integer i = 1; i <= answers.count; ++i) {
    lua_pushvalue(lua, 2);
    push_value(lua, column, groups.value.rows_of(i - 1).front());
    lua_call(lua, 1, 1);
    lua_rawseti(lua, answers.list, i);
    Guard::of(lua).charge(lua, 1);
  }
  find_kind(lua, answers);
  push_new_column(lua, 2 * column.rows() * kWidest, [&](Budget& budget) {
    return gather(*column_of_answers(lua, answers), groups.value.of_row, budget);
  });
  return 1;
}

// --- the userdata ---

int column_index(lua_State* lua) {
  const auto& column = *the_box<ColumnPtr>(lua, 1).value;
  if (lua_type(lua, 2) != LUA_TNUMBER) {
    return method_index(lua);
  }
  int is_whole = 0;
  const auto row = lua_tointegerx(lua, 2, &is_whole);
  const bool is_there =
      is_whole != 0 && row >= 1 && row <= static_cast<lua_Integer>(column.rows());
  if (!is_there) return 0;
  push_value(lua, column, static_cast<std::size_t>(row - 1));
  return 1;
}

int column_length(lua_State* lua) {
  const auto rows = the_box<ColumnPtr>(lua, 1).value->rows();
  return lua_pushinteger(lua, static_cast<lua_Integer>(rows)), 1;
}

int column_text(lua_State* lua) {
  const auto& column = *the_box<ColumnPtr>(lua, 1).value;
  lua_pushfstring(lua, "column of %I %s", static_cast<LUAI_UACINT>(column.rows()),
                  plural(column.kind()).data());
  return 1;
}

constexpr std::array kColumnEvents{
    luaL_Reg{"__index", column_index},
    luaL_Reg{"__len", column_length},
    luaL_Reg{"__tostring", column_text},
    luaL_Reg{"__add", column_arithmetic<Arithmetic::kAdd>},
    luaL_Reg{"__sub", column_arithmetic<Arithmetic::kSubtract>},
    luaL_Reg{"__mul", column_arithmetic<Arithmetic::kMultiply>},
    luaL_Reg{"__div", column_arithmetic<Arithmetic::kDivide>},
    luaL_Reg{"__band", column_join<Join::kAnd>},
    luaL_Reg{"__bor", column_join<Join::kOr>},
    luaL_Reg{"__bnot", column_not},
    luaL_Reg{"__lt", column_order},
    luaL_Reg{"__le", column_order},
};

constexpr std::array kColumnCalls{
    Primitive{
        "sum", "unit?: string", "number",
        "The sum of the values that are there, 0 of none; of times in seconds, or "
        "exact as an integer with \"ticks\" (microseconds).",
        "jobs.wait:sum() == 40 and jobs.wait:sum('ticks') == 40000000", column_sum},
    Primitive{"mean", "", "number?",
              "The mean of the values that are there; of a mask the share of true.",
              "jobs.wait:gt(5):mean() == 0.5", column_mean},
    Primitive{"min", "", "any?", "The smallest value that is there.",
              "jobs.wait:min() == 0", column_extreme<false>},
    Primitive{"max", "", "any?", "The largest value that is there.",
              "jobs.size:max() == 8", column_extreme<true>},
    Primitive{"quantile", "q: number", "number?",
              "The value at position 1 + (n - 1) q of those that are there, linear "
              "between neighbours.",
              "jobs.wait:quantile(0.75) == 20", column_quantile},
    Primitive{"median", "", "number?", "The quantile 0.5.",
              "jobs.slowdown:median() == 1.5", column_median},
    Primitive{"at_least", "bound: any", "Column",
              "The larger of each value and the bound, a number or a column.",
              "jobs.size:at_least(4)[1] == 4", column_bounded<Clamp::kAtLeast>},
    Primitive{"at_most", "bound: any", "Column",
              "The smaller of each value and the bound, a number or a column.",
              "jobs.size:at_most(4)[4] == 4", column_bounded<Clamp::kAtMost>},
    Primitive{"lt", "other: any", "Column",
              "A mask: less than a value or a column; false with none.",
              "jobs.wait:lt(20):sum() == 2", column_compare<Compare::kLess>},
    Primitive{"le", "other: any", "Column",
              "A mask: less than a value or a column, or equal; false with none.",
              "jobs.wait:le(10):sum() == 2", column_compare<Compare::kLessEqual>},
    Primitive{"gt", "other: any", "Column",
              "A mask: greater than a value or a column; false with none.",
              "jobs.size:gt(2):sum() == 2", column_compare<Compare::kGreater>},
    Primitive{"ge", "other: any", "Column",
              "A mask: greater than a value or a column, or equal; false with none.",
              "jobs.size:ge(2):sum() == 4", column_compare<Compare::kGreaterEqual>},
    Primitive{"eq", "other: any", "Column",
              "A mask: equal to a value or a column; false with none.",
              "jobs.state:eq('finished'):sum() == 2", column_compare<Compare::kEqual>},
    Primitive{"ne", "other: any", "Column",
              "A mask: another value than this, or that of a column; false with none.",
              "jobs.wait:ne(0):sum() == 2", column_compare<Compare::kNotEqual>},
    Primitive{"where", "mask: Column", "Column", "The values for which the mask holds.",
              "#jobs.wait:where(jobs.size:eq(2)) == 2", column_where},
    Primitive{"at", "rows: Column|integer[]", "Column",
              "The values of these rows, counted from 1; of row 0 none (-1, false).",
              "jobs.size:at({4, 1})[1] == 8", column_at_rows},
    Primitive{"top", "n: integer", "Column",
              "The rows of the n largest values, the largest first, equal ones by row.",
              "jobs.wait:top(2)[1] == 2", column_top},
    Primitive{"map", "f: fun(value: any): any", "Column",
              "What the function answers, called once for each distinct value, "
              "ascending and none last: numbers, texts or booleans, nil for none.",
              "jobs.size:map(function(s) return s * s end):sum() == 88", column_map},
};

}  // namespace

const Family& column_family() {
  static constexpr Family kFamily{
      "Column", "column",
      "A value for each row: #c counts them, c[i] reads one (nil: none), + - * / "
      "calculate with columns and numbers, & | ~ join masks.",
      kColumnCalls};
  return kFamily;
}

void install_columns(lua_State* lua) {
  make_type<ColumnPtr>(lua, kColumnEvents, &column_family(), "column");
}

void push_column(lua_State* lua, const ColumnPtr& column) {
  auto& box = push_box<ColumnPtr>(lua);
  box.value = column;
  hold_in_box(lua, box.held, column->bytes());
}

ColumnPtr column_at(lua_State* lua, int at) {
  const auto* box = box_at<ColumnPtr>(lua, at);
  return box == nullptr ? nullptr : box->value;
}

}  // namespace berth::bindings
