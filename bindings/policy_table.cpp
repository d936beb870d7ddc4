#include "bindings/policy_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "bindings/machine_calls.hpp"
#include "bindings/table_reader.hpp"
#include "engine/base/real_chars.hpp"

namespace berth::bindings {

namespace {

constexpr std::array<std::string_view, 13> kPolicyFields{
    "schedule", "on_submit", "on_end", "on_host", "on_hit", "estimate", "name",
    "paper",    "params",    "orders", "order",   "passes", "promises"};
constexpr std::array<std::string_view, 5> kParameterFields{"default", "min", "max",
                                                           "help", "values"};
constexpr std::array<std::string_view, 3> kOrderFields{"key", "formula", "refresh"};
constexpr std::size_t kMostParameters = 256;
constexpr std::size_t kMostValues = 1024;
constexpr std::size_t kMostOrders = 64;  // each has a queue, and a key for every job

// Fields that do not look like one of ours are the policy's own.
void refuse_misspelt(TableReader& reader, int table,
                     std::span<const std::string_view> known) {
  reader.check_keys(table, known, TableReader::Unknown::kRefusedIfNear);
}

std::vector<std::string> read_values(TableReader& reader, int table) {
  auto* lua = reader.lua();
  std::vector<std::string> values;
  const int type = reader.push(table, "values");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    reader.refuse("values must be a list of texts");
  const auto count = type == LUA_TTABLE ? lua_rawlen(lua, -1) : 0;
  reader.require(
      count <= kMostValues,
      fmt::format("values has {} texts, at most {} are allowed", count, kMostValues));
  for (lua_Unsigned i = 1; i <= count; ++i) {
    if (lua_rawgeti(lua, -1, static_cast<lua_Integer>(i)) != LUA_TSTRING) {
      reader.refuse("values must be a list of texts");
    }
    values.push_back(reader.kept(-1, "one of values"));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return values;
}

ParameterValue read_default(TableReader& reader, int table, const std::string& name) {
  auto* lua = reader.lua();
  ParameterValue value = false;
  switch (reader.push(table, "default")) {
    case LUA_TNUMBER:
      reader.require(lua_isinteger(lua, -1) != 0 || exact_number(lua, -1).has_value(),
                     "a default must be finite");
      value = reader.number_at(-1, "a default");
      break;
    case LUA_TBOOLEAN: value = lua_toboolean(lua, -1) != 0; break;
    case LUA_TSTRING: value = reader.kept(-1, "a default"); break;
    default:
      reader.refuse(fmt::format(
          "params.{} needs a default: a number, a boolean or a text", name));
  }
  lua_pop(lua, 1);
  return value;
}

bool allows(const Parameter& parameter, const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return std::isfinite(*number) && (!parameter.min || *number >= *parameter.min) &&
           (!parameter.max || *number <= *parameter.max);
  }
  const auto* text = std::get_if<std::string>(&value);
  const auto& values = parameter.values;
  return text == nullptr ||
         std::find(values.begin(), values.end(), *text) != values.end();
}

void check_default(TableReader& reader, const Parameter& parameter) {
  if (allows(parameter, parameter.value)) return;
  reader.refuse(fmt::format("params.{}: {}", parameter.name,
                            std::holds_alternative<double>(parameter.value)
                                ? "the default lies outside min and max"
                                : "a text needs values = { ... }, the default among "
                                  "them"));
}

Parameter read_parameter(TableReader& reader, int table, const std::string& name) {
  refuse_misspelt(reader, table, kParameterFields);
  Parameter parameter{name,
                      reader.text(table, "help").value_or(""),
                      read_default(reader, table, name),
                      reader.number(table, "min"),
                      reader.number(table, "max"),
                      read_values(reader, table)};
  check_default(reader, parameter);
  return parameter;
}

void read_parameters(TableReader& reader, int top, std::vector<Parameter>& parameters) {
  auto* lua = reader.lua();
  const int type = reader.push(top, "params");
  if (type != LUA_TNIL && type != LUA_TTABLE) reader.refuse("params must be a table");
  const int table = lua_gettop(lua);
  std::vector<std::string> names;
  if (type == LUA_TTABLE) names = reader.keys(table, "params");
  reader.require(names.size() <= kMostParameters,
                 fmt::format("params has {} parameters, at most {} are allowed",
                             names.size(), kMostParameters));
  for (const auto& name : names) {
    if (reader.push(table, name.c_str()) != LUA_TTABLE) {
      reader.refuse("a parameter is a table: name = { default = ..., help = ... }");
    }
    reader.keep(sizeof(Parameter));
    parameters.push_back(read_parameter(reader, lua_gettop(lua), name));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

// 0: at every pass; nullopt: the key is computed once.
std::optional<Duration> read_refresh(TableReader& reader, int order) {
  auto* lua = reader.lua();
  const int type = reader.push(order, "refresh");
  const bool is_every_pass =
      type == LUA_TSTRING && std::string_view(lua_tostring(lua, -1)) == "every_pass";
  const bool is_whole = lua_isinteger(lua, -1) != 0;
  const auto every = ticks_from_seconds(is_whole ? reader.number_at(-1, "refresh")
                                                 : exact_number(lua, -1).value_or(0));
  lua_pop(lua, 1);
  if (type == LUA_TNIL) return std::nullopt;
  if (is_every_pass) return Duration{0};
  if (type != LUA_TNUMBER || !every || *every <= 0) {
    reader.refuse("refresh must be \"every_pass\", or seconds, more than 0");
  }
  return every;
}

// A reference to a text or a function; LUA_NOREF: there is none.
int formula_field(TableReader& reader, int order) {
  auto* lua = reader.lua();
  const int type = reader.push(order, "formula");
  if (type == LUA_TNIL) return lua_pop(lua, 1), LUA_NOREF;
  reader.require(
      type == LUA_TSTRING || type == LUA_TFUNCTION,
      "formula must be text, or a function of the parameters that returns it");
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

void read_order(TableReader& reader, int orders, const std::string& name,
                PolicyTable& table) {
  auto* lua = reader.lua();
  sim::OrderTraits order{name, std::nullopt};
  const int type = reader.push(orders, name.c_str());
  const int at = lua_gettop(lua);
  if (type == LUA_TFUNCTION) {
    table.keys.push_back(luaL_ref(lua, LUA_REGISTRYINDEX));
    table.formulas.push_back(LUA_NOREF);
  } else if (type == LUA_TTABLE) {
    refuse_misspelt(reader, at, kOrderFields);
    const int formula = formula_field(reader, at);
    const bool has_formula = formula != LUA_NOREF;
    table.formulas.push_back(formula);
    table.keys.push_back(read_function(reader, at, "key", !has_formula));
    reader.require(
        !has_formula || table.keys.back() == LUA_NOREF,
        fmt::format("orders.{} has a key and a formula: leave one of them out", name));
    order.refresh = read_refresh(reader, at);
    lua_pop(lua, 1);
  } else {
    reader.refuse(
        "an order is a function(job, cluster), or { key = function, refresh = "
        "\"every_pass\" or seconds }, or the same with a formula in place of the key");
  }
  table.traits.orders.push_back(std::move(order));
}

// From the table on top of the stack.
void read_declared_orders(TableReader& reader, PolicyTable& table) {
  const int orders = lua_gettop(reader.lua());
  const auto names = reader.keys(orders, "orders");
  reader.require(names.size() <= kMostOrders,
                 fmt::format("orders has {} orders, at most {} are allowed",
                             names.size(), kMostOrders));
  for (const auto& name : names) {
    reader.require(name != kSubmit && name != kFairShare,
                   fmt::format("orders.{}: every queue has this order", name));
    read_order(reader, orders, name, table);
  }
}

void read_orders(TableReader& reader, int top, PolicyTable& table) {
  const int type = reader.push(top, "orders");
  if (type != LUA_TNIL && type != LUA_TTABLE) reader.refuse("orders must be a table");
  if (type == LUA_TTABLE) read_declared_orders(reader, table);
  lua_pop(reader.lua(), 1);
  const auto order = reader.text(top, "order");
  if (!order) return;
  if (*order == kSubmit) return;
  if (*order == kFairShare) {
    table.traits.default_order = table.traits.fair_share();
    return;
  }
  const auto& found = table.traits.orders;
  const auto at = std::find_if(found.begin(), found.end(), [&](const auto& declared) {
    return declared.name == *order;
  });
  if (at == found.end()) {
    std::vector<std::string_view> known{kSubmit, kFairShare};
    for (const auto& declared : found) known.push_back(declared.name);
    reader.refuse(fmt::format("order: there is no '{}' in orders{}", printable(*order),
                              did_you_mean(*order, known)));
  }
  table.traits.default_order = static_cast<std::size_t>(at - found.begin()) + 1;
}

void read_promises(TableReader& reader, int top, PolicyTable& table) {
  auto& traits = table.traits;
  reader.choice<sim::Passes>(top, "passes", traits.passes,
                             {{"every", sim::Passes::kEvery},
                              {"when_a_job_fits", sim::Passes::kWhenAJobFits}});
  if (reader.push(top, "promises") == LUA_TFUNCTION) {
    table.promises = luaL_ref(reader.lua(), LUA_REGISTRYINDEX);
    return;
  }
  lua_pop(reader.lua(), 1);
  if (const auto name = reader.text(top, "promises")) {
    traits.promise = promise_of(reader, *name);
  }
}

std::vector<std::string_view> policy_fields() {
  std::vector<std::string_view> all(kPolicyFields.begin(), kPolicyFields.end());
  for (const auto& calls : machine_calls()) {
    for (const auto& hook : calls.hooks) all.push_back(hook.name);
  }
  return all;
}

// Whether the file has the field, and it stands for `schedule`.
bool read_hook(TableReader& reader, int top, const PolicyHook& hook,
               PolicyTable& table) {
  std::any field;
  hook.read(reader, top, field);
  if (!field.has_value()) return false;
  table.of_machines[hook.name] = std::move(field);
  return !hook.instead_of_schedule.empty();
}

// Whether one of them stands for `schedule`.
bool read_hooks(TableReader& reader, int top, PolicyTable& table) {
  bool stands = false;
  for (const auto& calls : machine_calls()) {
    for (const auto& hook : calls.hooks) {
      stands = read_hook(reader, top, hook, table) || stands;
    }
  }
  return stands;
}

constexpr std::size_t kMostShown = 1000;  // bytes of a list

// What may be typed as value of the parameter.
std::string expected_text(const Parameter& parameter) {
  if (std::holds_alternative<bool>(parameter.value)) return "true or false";
  if (std::holds_alternative<std::string>(parameter.value)) {
    std::vector<std::string> shown;
    for (const auto& value : parameter.values) shown.push_back(printable(value));
    return shortened(fmt::format("one of {}", fmt::join(shown, ", ")), kMostShown);
  }
  std::string text = "a number";
  if (parameter.min) text += fmt::format(" from {}", *parameter.min);
  if (parameter.max) text += fmt::format(" up to {}", *parameter.max);
  return text;
}

// nullopt if `typed` is not of the parameter's type.
std::optional<ParameterValue> parse(const Parameter& parameter,
                                    const std::string& typed) {
  if (std::holds_alternative<std::string>(parameter.value)) return typed;
  if (std::holds_alternative<bool>(parameter.value)) {
    if (typed != "true" && typed != "false") return std::nullopt;
    return typed == "true";
  }
  double value = 0;
  const auto* end = typed.data() + typed.size();
  const auto [rest, error] = real_from_chars(typed.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

ParameterValue parse_value(const std::string& stem, const Parameter& parameter,
                           const std::string& typed) {
  auto value = parse(parameter, typed);
  if (value && allows(parameter, *value)) return *std::move(value);
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: {} = {}: expected {}", printable_name(stem),
                          printable(parameter.name), printable(typed),
                          expected_text(parameter)));
}

}  // namespace

int read_function(TableReader& reader, int table, const char* key, bool required) {
  auto* lua = reader.lua();
  const int type = reader.push(table, key);
  if (type == LUA_TNIL && !required) return lua_pop(lua, 1), LUA_NOREF;
  if (type != LUA_TFUNCTION) reader.refuse(fmt::format("{} must be a function", key));
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

void read_policy_table(lua_State* lua, const std::string& file, PolicyTable& table) {
  TableReader reader(lua, file);
  if (!lua_istable(lua, -1)) {
    reader.refuse("the file must return a table with a function 'schedule'");
  }
  const int top = lua_gettop(lua);
  refuse_misspelt(reader, top, policy_fields());
  const bool needs_schedule = !read_hooks(reader, top, table);
  if (reader.push(top, "schedule") == LUA_TNIL && needs_schedule) {
    reader.refuse(
        "the policy has no function 'schedule': return { schedule = "
        "function(queue, cluster) ... end }");
  }
  lua_pop(lua, 1);
  table.schedule = read_function(reader, top, "schedule", needs_schedule);
  table.on_submit = read_function(reader, top, "on_submit", false);
  table.on_end = read_function(reader, top, "on_end", false);
  table.on_host = read_function(reader, top, "on_host", false);
  table.on_hit = read_function(reader, top, "on_hit", false);
  table.estimate = read_function(reader, top, "estimate", false);
  table.traits.has_estimate = table.estimate != LUA_NOREF;
  table.traits.has_on_host = table.on_host != LUA_NOREF;
  table.traits.has_on_hit = table.on_hit != LUA_NOREF;
  table.traits.has_on_submit = table.on_submit != LUA_NOREF;
  table.traits.has_on_end = table.on_end != LUA_NOREF;
  table.name = reader.text(top, "name").value_or("");
  table.paper = reader.text(top, "paper").value_or("");
  read_parameters(reader, top, table.parameters);
  read_orders(reader, top, table);
  read_promises(reader, top, table);
}

sim::Promise promise_of(const TableReader& reader, const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, sim::Promise>, 5> kPromises{
      {{"easy", sim::Promise::kEasy},
       {"conservative", sim::Promise::kConservative},
       {"top_first", sim::Promise::kTopFirst},
       {"in_order", sim::Promise::kInOrder},
       {"first_if_it_fits", sim::Promise::kFirstIfItFits}}};
  for (const auto& [known, promise] : kPromises) {
    if (known == name) return promise;
  }
  reader.refuse(
      "promises must be \"easy\", \"conservative\", \"top_first\", \"in_order\" or "
      "\"first_if_it_fits\"");
}

KeyFormula read_formula(TableReader& reader, int at,
                        const std::map<std::string, ParameterValue>& values,
                        sim::OrderTraits& order) {
  reader.enter(fmt::format("orders.{}", order.name));
  reader.require(lua_type(reader.lua(), at) == LUA_TSTRING, "formula must return text");
  const auto text = reader.kept(at, "formula");
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : values) {
    if (const auto* number = std::get_if<double>(&value)) numbers[name] = *number;
  }
  std::optional<KeyFormula> formula;
  try {
    formula = KeyFormula::parse(text, numbers);
  } catch (const Error& wrong) {
    reader.refuse(fmt::format("formula: {}", wrong.what()));
  }
  reader.require(!formula->ages() || order.refresh,
                 "waited and factor change with time: say refresh = \"every_pass\", or "
                 "seconds");
  if (!formula->ages()) order.refresh = std::nullopt;
  return *std::move(formula);
}

bool names_users(const PolicyTable& table, const std::vector<LoadedSource>& texts,
                 const std::vector<std::optional<KeyFormula>>& formulas) {
  return table.traits.default_order == table.traits.fair_share() ||
         std::any_of(texts.begin(), texts.end(),
                     [](const auto& each) {
                       return each.text.find("share") != std::string::npos;
                     }) ||
         std::any_of(formulas.begin(), formulas.end(), [](const auto& each) {
           return each && each->reads(KeyFact::kFactor);
         });
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
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{}: there is no parameter '{}'{}; {}", printable_name(stem),
                    printable(name), did_you_mean(name, known),
                    shortened(plain_text(has, Newlines::kEscape), kMostShown)));
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
