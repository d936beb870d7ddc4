#include "bindings/policy_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "bindings/value.hpp"
#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

constexpr std::array<std::string_view, 10> kFields{
    "schedule", "on_submit", "on_end", "name",   "paper",
    "params",   "orders",    "order",  "passes", "promises"};
constexpr std::array<std::string_view, 5> kParameterFields{"default", "min", "max",
                                                           "help", "values"};
constexpr std::array<std::string_view, 2> kOrderFields{"key", "refresh"};

// Reads one table; every message begins with the file.  Refusals are C++ exceptions, so
// that only a lack of memory raises in here.
class Reader {
 public:
  Reader(lua_State* lua, const std::string& file) : lua_(lua), file_(file) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::kPolicy, fmt::format("{}: {}", file_, what));
  }

  // Pushes the field of the table at `table`; its type.
  int push(int table, const char* key) {
    lua_pushstring(lua_, key);
    return lua_rawget(lua_, table);
  }

  // A text field; nothing if absent.
  std::optional<std::string> text(int table, const char* key) {
    const int type = push(table, key);
    if (type != LUA_TNIL && type != LUA_TSTRING) {
      refuse(fmt::format("{} must be text", key));
    }
    std::optional<std::string> value;
    if (type == LUA_TSTRING) value = lua_tostring(lua_, -1);
    lua_pop(lua_, 1);
    return value;
  }

  std::optional<double> number(int table, const char* key) {
    const int type = push(table, key);
    if (type != LUA_TNIL &&
        (type != LUA_TNUMBER || !std::isfinite(lua_tonumber(lua_, -1)))) {
      refuse(fmt::format("{} must be a finite number", key));
    }
    std::optional<double> value;
    if (type == LUA_TNUMBER) value = lua_tonumber(lua_, -1);
    lua_pop(lua_, 1);
    return value;
  }

  // A function field as a registry reference.
  int function(int table, const char* key, bool required) {
    const int type = push(table, key);
    if (type == LUA_TNIL && !required) return lua_pop(lua_, 1), LUA_NOREF;
    if (type != LUA_TFUNCTION) {
      refuse(fmt::format("{} must be a function", key));
    }
    return luaL_ref(lua_, LUA_REGISTRYINDEX);
  }

  // The text keys of the table at `table`, sorted.
  std::vector<std::string> keys(int table, const char* what) {
    std::vector<std::string> found;
    lua_pushnil(lua_);
    while (lua_next(lua_, table) != 0) {
      if (lua_type(lua_, -2) != LUA_TSTRING) {
        refuse(fmt::format("the keys of {} must be names", what));
      }
      found.emplace_back(lua_tostring(lua_, -2));
      lua_pop(lua_, 1);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  [[nodiscard]] lua_State* lua() const { return lua_; }

 private:
  lua_State* lua_;
  const std::string& file_;
};

// A field that looks like one of ours but is not is a slip of the pen; others are the
// policy's own business.
void refuse_slips(Reader& reader, int table, std::span<const std::string_view> known) {
  auto* lua = reader.lua();
  lua_pushnil(lua);
  while (lua_next(lua, table) != 0) {
    lua_pop(lua, 1);
    if (lua_type(lua, -1) != LUA_TSTRING) continue;
    const std::string_view key = lua_tostring(lua, -1);
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto near = nearest(key, known);
    if (near.empty()) continue;
    reader.refuse(
        fmt::format("there is no field '{}' (did you mean '{}'?)", key, near));
  }
}

std::vector<std::string> read_values(Reader& reader, int table) {
  auto* lua = reader.lua();
  std::vector<std::string> values;
  const int type = reader.push(table, "values");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    reader.refuse("values must be a list of texts");
  for (lua_Unsigned i = 1; type == LUA_TTABLE && i <= lua_rawlen(lua, -1); ++i) {
    if (lua_rawgeti(lua, -1, static_cast<lua_Integer>(i)) != LUA_TSTRING) {
      reader.refuse("values must be a list of texts");
    }
    values.emplace_back(lua_tostring(lua, -1));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return values;
}

ParameterValue read_default(Reader& reader, int table, const std::string& name) {
  auto* lua = reader.lua();
  ParameterValue value = false;
  switch (reader.push(table, "default")) {
    case LUA_TNUMBER:
      if (!std::isfinite(lua_tonumber(lua, -1)))
        reader.refuse("a default must be finite");
      value = lua_tonumber(lua, -1);
      break;
    case LUA_TBOOLEAN: value = lua_toboolean(lua, -1) != 0; break;
    case LUA_TSTRING: value = std::string(lua_tostring(lua, -1)); break;
    default:
      reader.refuse(fmt::format(
          "params.{} needs a default: a number, a boolean or a text", name));
  }
  lua_pop(lua, 1);
  return value;
}

void check_default(Reader& reader, const Parameter& parameter) {
  const char* wrong = nullptr;
  if (const auto* number = std::get_if<double>(&parameter.value)) {
    const bool outside = (parameter.min && *number < *parameter.min) ||
                         (parameter.max && *number > *parameter.max);
    if (outside) wrong = "the default lies outside min and max";
  }
  if (const auto* text = std::get_if<std::string>(&parameter.value)) {
    const auto& values = parameter.values;
    if (std::find(values.begin(), values.end(), *text) == values.end()) {
      wrong = "a text needs values = { ... }, the default among them";
    }
  }
  if (wrong == nullptr) return;
  reader.refuse(fmt::format("params.{}: {}", parameter.name, wrong));
}

Parameter read_parameter(Reader& reader, int table, const std::string& name) {
  refuse_slips(reader, table, kParameterFields);
  Parameter parameter{name,
                      reader.text(table, "help").value_or(""),
                      read_default(reader, table, name),
                      reader.number(table, "min"),
                      reader.number(table, "max"),
                      read_values(reader, table)};
  check_default(reader, parameter);
  return parameter;
}

void read_parameters(Reader& reader, int top, std::vector<Parameter>& parameters) {
  auto* lua = reader.lua();
  const int type = reader.push(top, "params");
  if (type != LUA_TNIL && type != LUA_TTABLE) reader.refuse("params must be a table");
  const int table = lua_gettop(lua);
  std::vector<std::string> names;
  if (type == LUA_TTABLE) names = reader.keys(table, "params");
  for (const auto& name : names) {
    if (reader.push(table, name.c_str()) != LUA_TTABLE) {
      reader.refuse("a parameter is a table: name = { default = ..., help = ... }");
    }
    parameters.push_back(read_parameter(reader, lua_gettop(lua), name));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

void read_order(Reader& reader, int orders, const std::string& name,
                PolicyTable& table) {
  auto* lua = reader.lua();
  sim::Order order{name, std::nullopt};
  const int type = reader.push(orders, name.c_str());
  const int at = lua_gettop(lua);
  if (type == LUA_TFUNCTION) {
    table.keys.push_back(luaL_ref(lua, LUA_REGISTRYINDEX));
  } else if (type == LUA_TTABLE) {
    refuse_slips(reader, at, kOrderFields);
    table.keys.push_back(reader.function(at, "key", true));
    if (const auto refresh = reader.number(at, "refresh")) {
      order.refresh = ticks_from_seconds(*refresh);
      if (!order.refresh || *order.refresh <= 0)
        reader.refuse("refresh must be above 0 s");
    }
    lua_pop(lua, 1);
  } else {
    reader.refuse(
        "an order is a function(job) or { key = function, refresh = seconds }");
  }
  table.traits.orders.push_back(std::move(order));
}

void read_orders(Reader& reader, int top, PolicyTable& table) {
  auto* lua = reader.lua();
  const int type = reader.push(top, "orders");
  if (type != LUA_TNIL && type != LUA_TTABLE) reader.refuse("orders must be a table");
  if (type == LUA_TTABLE) {
    const int orders = lua_gettop(lua);
    for (const auto& name : reader.keys(orders, "orders")) {
      read_order(reader, orders, name, table);
    }
  }
  lua_pop(lua, 1);
  const auto wanted = reader.text(top, "order");
  if (!wanted) return;
  if (*wanted == "fair_share") reader.refuse("order: this machine has no shares");
  const auto& found = table.traits.orders;
  const auto at = std::find_if(found.begin(), found.end(), [&](const auto& order) {
    return order.name == *wanted;
  });
  if (at == found.end()) {
    std::vector<std::string_view> known;
    known.reserve(found.size());
    for (const auto& order : found) known.push_back(order.name);
    reader.refuse(fmt::format("order: there is no '{}' in orders{}", *wanted,
                              did_you_mean(*wanted, known)));
  }
  table.traits.default_order = static_cast<std::size_t>(at - found.begin()) + 1;
}

void read_promises(Reader& reader, int top, sim::PolicyTraits& traits) {
  const auto passes = reader.text(top, "passes").value_or("every");
  if (passes == "when_a_job_fits") {
    traits.passes = sim::Passes::kWhenAJobFits;
  } else if (passes != "every") {
    reader.refuse("passes must be \"every\" or \"when_a_job_fits\"");
  }
  const auto promise = reader.text(top, "promises");
  if (!promise) return;
  if (*promise == "easy") {
    traits.promise = sim::Promise::kEasy;
  } else if (*promise == "conservative") {
    traits.promise = sim::Promise::kConservative;
  } else if (*promise == "top_first") {
    traits.promise = sim::Promise::kTopFirst;
  } else {
    reader.refuse("promises must be \"easy\", \"conservative\" or \"top_first\"");
  }
}

[[noreturn]] void refuse_value(const std::string& stem, const Parameter& parameter,
                               const std::string& typed, const std::string& wanted) {
  throw Error(ErrorCode::kUsage, fmt::format("{}: {} = {}: {} is wanted", stem,
                                             parameter.name, typed, wanted));
}

std::string range_text(const Parameter& parameter) {
  std::string text = "a number";
  if (parameter.min) text += fmt::format(" from {}", *parameter.min);
  if (parameter.max) text += fmt::format(" up to {}", *parameter.max);
  return text;
}

double parse_number(const std::string& stem, const Parameter& parameter,
                    const std::string& typed) {
  double value = 0;
  const auto* end = typed.data() + typed.size();
  const auto [rest, error] = std::from_chars(typed.data(), end, value);
  const bool right = error == std::errc() && rest == end && std::isfinite(value) &&
                     (!parameter.min || value >= *parameter.min) &&
                     (!parameter.max || value <= *parameter.max);
  if (!right) refuse_value(stem, parameter, typed, range_text(parameter));
  return value;
}

ParameterValue parse_value(const std::string& stem, const Parameter& parameter,
                           const std::string& typed) {
  if (std::holds_alternative<double>(parameter.value)) {
    return parse_number(stem, parameter, typed);
  }
  if (std::holds_alternative<bool>(parameter.value)) {
    if (typed != "true" && typed != "false") {
      refuse_value(stem, parameter, typed, "true or false");
    }
    return typed == "true";
  }
  const auto& values = parameter.values;
  if (std::find(values.begin(), values.end(), typed) == values.end()) {
    refuse_value(stem, parameter, typed,
                 fmt::format("one of {}", fmt::join(values, ", ")));
  }
  return typed;
}

}  // namespace

void read_policy_table(lua_State* lua, const std::string& file, PolicyTable& table) {
  Reader reader(lua, file);
  if (!lua_istable(lua, -1)) {
    reader.refuse("the file must return a table with a function 'schedule'");
  }
  const int top = lua_gettop(lua);
  luaL_checkstack(lua, 20, nullptr);
  refuse_slips(reader, top, kFields);
  if (reader.push(top, "schedule") == LUA_TNIL) {
    reader.refuse(
        "the policy has no function 'schedule': return { schedule = "
        "function(queue, cluster) ... end }");
  }
  lua_pop(lua, 1);
  table.schedule = reader.function(top, "schedule", true);
  table.on_submit = reader.function(top, "on_submit", false);
  table.on_end = reader.function(top, "on_end", false);
  table.traits.has_on_submit = table.on_submit != LUA_NOREF;
  table.traits.has_on_end = table.on_end != LUA_NOREF;
  table.name = reader.text(top, "name").value_or("");
  table.paper = reader.text(top, "paper").value_or("");
  read_parameters(reader, top, table.parameters);
  read_orders(reader, top, table);
  read_promises(reader, top, table.traits);
}

std::map<std::string, ParameterValue> parameter_values(
    const std::string& stem, const std::vector<Parameter>& parameters,
    const std::map<std::string, std::string>& typed) {
  std::map<std::string, ParameterValue> values;
  std::vector<std::string_view> known;
  for (const auto& parameter : parameters) {
    known.push_back(parameter.name);
    const auto at = typed.find(parameter.name);
    values[parameter.name] =
        at == typed.end() ? parameter.value : parse_value(stem, parameter, at->second);
  }
  for (const auto& [name, value] : typed) {
    if (values.contains(name)) continue;
    const auto has = known.empty() ? std::string("it has none")
                                   : fmt::format("it has {}", fmt::join(known, ", "));
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: there is no parameter '{}'{}; {}", stem, name,
                            did_you_mean(name, known), has));
  }
  return values;
}

std::string parameter_text(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value))
    return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

}  // namespace berth::bindings
