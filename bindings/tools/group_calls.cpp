// Groups as values of Lua.

#include <array>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"
#include "bindings/tools/groups.hpp"

namespace berth::bindings {

namespace {

// Values of Lua that groups have: their frame, the list of their keys.
constexpr int kFrameOfGroups = 1;
constexpr int kKeysOfGroups = 2;

const Groups& read_groups(lua_State* lua) {
  const auto* box = box_at<Groups>(lua, 1);
  if (box == nullptr) expected(lua, 1, "groups");
  return box->value;
}

// Pushes the column of the frame whose name is at 2.
const Column& push_grouped(lua_State* lua, bool is_numeric) {
  const auto name = read_text(lua, 2);
  lua_getiuservalue(lua, 1, kFrameOfGroups);
  push_frame_column(lua, -1, name);
  const auto& column = *the_box<ColumnPtr>(lua, -1).value;
  if (is_numeric && column.kind() == Values::kText) {
    luaL_error(lua, "texts have no such number");
  }
  return column;
}

template <ColumnPtr (*make)(const Groups&, const Column&, Budget&), bool is_numeric>
int group_values(lua_State* lua) {
  const auto& groups = read_groups(lua);
  const auto& column = push_grouped(lua, is_numeric);
  push_new_column(lua, 2 * column.rows() * sizeof(double),
                  [&](Budget& budget) { return make(groups, column, budget); });
  return 1;
}

int group_quantile(lua_State* lua) {
  const auto& groups = read_groups(lua);
  const double q = read_share(lua, 3);
  const auto& column = push_grouped(lua, true);
  push_new_column(lua, 2 * column.rows() * sizeof(double), [&](Budget& budget) {
    return group_quantiles(groups, column, q, budget);
  });
  return 1;
}

int group_key(lua_State* lua) {
  const auto& groups = read_groups(lua);
  const auto i = lua_isnoneornil(lua, 2) ? 1 : read_count(lua, 2, 1);
  lua_getiuservalue(lua, 1, kKeysOfGroups);
  if (lua_rawgeti(lua, -1, i) == LUA_TNIL) {
    return luaL_error(lua, "key: these groups have %I keys",
                      static_cast<LUAI_UACINT>(lua_rawlen(lua, -2)));
  }
  const auto& key = *the_box<ColumnPtr>(lua, -1).value;
  push_new_column(lua, groups.count() * key.width(),
                  [&](Budget& budget) { return group_keys(groups, key, budget); });
  return 1;
}

int group_count(lua_State* lua) {
  const auto& groups = read_groups(lua);
  push_new_column(lua, groups.count() * sizeof(double), [&](Budget& budget) {
    budget.charge_each(groups.count());
    return group_counts(groups);
  });
  return 1;
}

int groups_length(lua_State* lua) {
  const auto count = the_box<Groups>(lua, 1).value.count();
  return lua_pushinteger(lua, static_cast<lua_Integer>(count)), 1;
}

int groups_text(lua_State* lua) {
  const auto& groups = the_box<Groups>(lua, 1).value;
  lua_pushfstring(lua, "%I groups of %I rows", static_cast<LUAI_UACINT>(groups.count()),
                  static_cast<LUAI_UACINT>(groups.rows.size()));
  return 1;
}

constexpr std::array kGroupEvents{luaL_Reg{"__len", groups_length},
                                  luaL_Reg{"__tostring", groups_text}};

constexpr std::array kGroupCalls{
    Primitive{"key", "i?: integer", "Column",
              "The first, or the i-th, key of each group; keys ascend, none is last.",
              "jobs:by('user'):key()[3] == 3", group_key},
    Primitive{"count", "", "Column", "The rows of each group.",
              "jobs:by('user'):count()[1] == 2", group_count},
    Primitive{"sum", "name: string", "Column",
              "The sum of a column in each group; of times a time, of masks whole.",
              "jobs:by('user'):sum('wait')[1] == 10", group_values<group_sums, true>},
    Primitive{"mean", "name: string", "Column",
              "The mean of a column in each group, of times in seconds.",
              "jobs:by('user'):mean('wait')[1] == 5", group_values<group_means, true>},
    Primitive{
        "max", "name: string", "Column", "The largest value of a column in each group.",
        "jobs:by('user'):max('wait')[1] == 10", group_values<group_maxima, false>},
    Primitive{"quantile", "name: string, q: number", "Column",
              "The quantile q of a column in each group, of times in seconds.",
              "jobs:by('user'):quantile('wait', 0.5)[1] == 5", group_quantile},
};

}  // namespace

const Family& group_family() {
  static constexpr Family kFamily{"Groups", "groups",
                                  "The rows of a frame by keys; #groups counts them.",
                                  kGroupCalls};
  return kFamily;
}

void install_groups(lua_State* lua) {
  make_type<Groups>(lua, kGroupEvents, &group_family(), "grouping");
}

void push_groups(lua_State* lua, int keys) {
  const int first = lua_gettop(lua) - keys + 1;
  lua_createtable(lua, keys, 0);
  const int list = lua_gettop(lua);
  for (int i = 0; i < keys; ++i) {
    lua_pushvalue(lua, first + i);
    lua_rawseti(lua, list, i + 1);
  }
  auto& box = push_box<Groups>(lua, 2);
  lua_pushvalue(lua, 1);
  lua_setiuservalue(lua, -2, kFrameOfGroups);
  lua_pushvalue(lua, list);
  lua_setiuservalue(lua, -2, kKeysOfGroups);
  const auto rows = the_box<ColumnPtr>(lua, first).value->rows();
  work_outside(lua, 6 * rows * sizeof(double), [&](Budget& budget) {
    std::array<const Column*, kMostKeys> columns{};
    for (int i = 0; i < keys; ++i) {
      columns.at(static_cast<std::size_t>(i)) =
          the_box<ColumnPtr>(lua, first + i).value.get();
    }
    box.value =
        group_rows(std::span(columns).first(static_cast<std::size_t>(keys)), budget);
  });
  hold_in_box(lua, box.held, box.value.bytes());
  lua_replace(lua, first);
  lua_settop(lua, first);
}

}  // namespace berth::bindings
