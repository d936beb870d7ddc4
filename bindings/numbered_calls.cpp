#include "bindings/numbered_calls.hpp"

#include <limits>
#include <utility>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/script_number.hpp"
#include "engine/base/error.hpp"

namespace berth::bindings {

namespace {

// NaN: it is no number, or one that no double holds.
double number_or_nan(lua_State* lua, int at) {
  return exact_or_endless(lua, at).value_or(std::numeric_limits<double>::quiet_NaN());
}

using Type = PlainValue::Type;

constexpr int kDeepestTable = 16;  // tables in tables
// The kind of an iterator that is a function alone.
constexpr std::uint64_t kIterator = kKinds - 1;

std::vector<NumberedPrimitive> list_primitives() {
  std::vector<NumberedPrimitive> all;
  for (const auto& family : families()) {
    for (const auto& primitive : family.primitives)
      all.push_back({&family, &primitive});
  }
  return all;
}

// A value of the engine that is no handle: it is reached by nil.
bool is_of_api(const Border& border, const void* table) {
  return table == border.cluster_table || table == border.book_table;
}

// Raises where the field of a job or a plan is asked of another handle on top, which
// may have one of the same name.
void require_kind(lua_State* lua, const Family& family, const char* field) {
  const bool is_handle = lua_islightuserdata(lua, -1);
  const auto kind = static_cast<Kind>(
      reinterpret_cast<std::uintptr_t>(lua_touserdata(lua, -1)) % kKinds);
  for (const auto& [reach, own] :
       {std::pair("job", Kind::kJob), std::pair("plan", Kind::kPlan)}) {
    const bool is_asked = family.reach == reach;
    if (is_asked == (is_handle && kind == own)) continue;
    luaL_error(lua, "bad argument #1 to '%s': a %s expected, got a %s", field,
               family.reach.data(), is_handle ? kind_name(kind) : "value");
  }
}

}  // namespace

std::span<const NumberedPrimitive> numbered_primitives() {
  static const auto kAll = list_primitives();
  return kAll;
}

// What one entry works on.
struct NumberedCalls::Errand {
  NumberedCalls& self;
  std::size_t number = 0;
  std::span<const PlainValue> arguments{};
  std::span<const JobId> jobs{};
  std::span<const std::size_t> fields{};
  double* out = nullptr;
  std::size_t stride = 0;

  static Errand& from(lua_State* lua) {
    return *static_cast<Errand*>(lua_touserdata(lua, 1));
  }
  [[nodiscard]] const char* name() const {
    return numbered_primitives()[number].primitive->name.data();
  }
};

NumberedCalls::NumberedCalls(Sandbox& sandbox, Border& border)
    : sandbox_(sandbox),
      border_(border),
      functions_(numbered_primitives().size(), LUA_NOREF) {
  border_.caller = run;
}

std::span<const PlainValue> NumberedCalls::call(std::size_t number,
                                                std::span<const PlainValue> arguments) {
  BERTH_ASSERT(number < functions_.size());
  begin_decision();
  Errand errand{.self = *this, .number = number, .arguments = arguments};
  sandbox_.enter(run, &errand, {"call", decision_});
  return results_;
}

std::span<const PlainValue> NumberedCalls::walk(std::uint64_t selection) {
  begin_decision();
  const PlainValue given{.type = Type::kSelection, .handle = selection};
  Errand errand{.self = *this, .arguments = {&given, 1}};
  sandbox_.enter(run_walk, &errand, {"walk", decision_});
  return results_;
}

void NumberedCalls::read_fields(std::span<const JobId> jobs,
                                std::span<const std::size_t> numbers, double* out,
                                std::size_t stride) {
  begin_decision();
  Errand errand{
      .self = *this, .jobs = jobs, .fields = numbers, .out = out, .stride = stride};
  sandbox_.enter(run_fields, &errand, {"reading of jobs", decision_});
}

// What belongs to an earlier decision is given back as the next one begins.
void NumberedCalls::begin_decision() {
  results_.clear();
  texts_used_ = 0;
  const auto present = border_.simulation->world().decision().number;
  if (std::exchange(decision_, present) == present) return;
  given_.clear();
  if (iterators_.empty()) return;
  sandbox_.enter(
      [](lua_State* lua) {
        auto& self = *static_cast<NumberedCalls*>(lua_touserdata(lua, 1));
        for (const int each : self.iterators_) luaL_unref(lua, LUA_REGISTRYINDEX, each);
        return 0;
      },
      this, {"call", decision_});
  iterators_.clear();
}

int NumberedCalls::run(lua_State* lua) {
  const auto& errand = Errand::from(lua);
  auto& self = errand.self;
  const auto& [family, primitive] = numbered_primitives()[errand.number];
  if (!family->base.empty()) {
    return luaL_error(lua, "%s.%s: only the check of a case is given a %s",
                      family->reach.data(), errand.name(), family->reach.data());
  }
  if (primitive->form() == Form::kField) {
    self.push_object(lua, errand);
    require_kind(lua, *family, errand.name());
    push_string(lua, primitive->name);
    lua_gettable(lua, -2);
    self.read_results(lua, lua_gettop(lua));
    return 0;
  }
  self.push_function(lua, errand.number);
  self.push_object(lua, errand);
  std::size_t at = 1;
  while (at < errand.arguments.size()) at = self.push_argument(lua, errand, at, 0);
  lua_call(lua, lua_gettop(lua) - 2, LUA_MULTRET);
  self.read_results(lua, 2);
  return 0;
}

int NumberedCalls::run_walk(lua_State* lua) {
  const auto& errand = Errand::from(lua);
  auto& self = errand.self;
  self.push_given_selection(lua, errand, 0);
  lua_call(lua, lua_gettop(lua) - 2, LUA_MULTRET);
  self.read_results(lua, 2);
  return 0;
}

int NumberedCalls::run_fields(lua_State* lua) {
  const auto& errand = Errand::from(lua);
  for (std::size_t i = 0; i < errand.jobs.size(); ++i) {
    push_job(lua, errand.jobs[i]);
    for (std::size_t field = 0; field < errand.fields.size(); ++field) {
      push_string(lua, numbered_primitives()[errand.fields[field]].primitive->name);
      lua_gettable(lua, -2);
      errand.out[field * errand.stride + i] = number_or_nan(lua, -1);
      lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
  }
  return 0;
}

// What the primitive is called on.
void NumberedCalls::push_object(lua_State* lua, const Errand& errand) {
  const auto& arguments = errand.arguments;
  if (!arguments.empty() && arguments.front().type != Type::kNil) {
    (void)push_argument(lua, errand, 0, 0);
    return;
  }
  const auto& family = *numbered_primitives()[errand.number].family;
  const auto push = [&](int reference) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
  };
  if (family.reach == "queue") return push(border_.view_methods);
  if (family.reach == "cluster") return push(border_.cluster);
  if (family.reach == "book") return push(border_.book);
  if (family.serves != nullptr) return push_family(lua, family);
  luaL_error(lua, "bad argument #1 to '%s': a %s expected, got nil", errand.name(),
             family.reach.data());
}

// A script that replaces a method affects only its own calls.
void NumberedCalls::push_function(lua_State* lua, std::size_t number) {
  auto& reference = functions_[number];
  if (reference == LUA_NOREF) {
    const auto& [family, primitive] = numbered_primitives()[number];
    const void* table = nullptr;
    if (family->serves != nullptr) {
      push_family(lua, *family);
      table = lua_topointer(lua, -1);
      lua_pop(lua, 1);
    }
    push_method(lua, *family, *primitive, table);
    reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
}

// Pushes the argument at `at`; returns the place of the next one.
std::size_t NumberedCalls::push_argument(lua_State* lua, const Errand& errand,
                                         std::size_t at, int depth) {
  luaL_checkstack(lua, 8, "too many arguments");
  const auto& value = errand.arguments[at];
  switch (value.type) {
    case Type::kNil: lua_pushnil(lua); break;
    case Type::kBoolean: lua_pushboolean(lua, value.whole != 0); break;
    case Type::kWhole: lua_pushinteger(lua, value.whole); break;
    case Type::kNumber: lua_pushnumber(lua, value.number); break;
    case Type::kText: push_string(lua, value.text); break;
    case Type::kHandle: push_given_handle(lua, errand, at); break;
    case Type::kSelection: push_given_selection(lua, errand, at); break;
    case Type::kTable: return push_pairs(lua, errand, at, depth);
  }
  return at + 1;
}

std::size_t NumberedCalls::push_pairs(lua_State* lua, const Errand& errand,
                                      std::size_t at, int depth) {
  const auto& arguments = errand.arguments;
  const auto pairs = arguments[at].whole;
  const auto left = static_cast<std::int64_t>(arguments.size() - at - 1);
  const bool is_whole = pairs >= 0 && pairs <= left / 2 && depth < kDeepestTable;
  if (!is_whole) {
    luaL_error(lua, "bad argument #%d to '%s': a table of %d pairs is not given whole",
               static_cast<int>(at), errand.name(), static_cast<int>(pairs));
  }
  Guard::of(lua).charge(lua, pairs);
  lua_newtable(lua);
  auto next = at + 1;
  for (std::int64_t i = 0; i < pairs; ++i) {
    for (int part = 0; part < 2; ++part) {
      if (next >= arguments.size()) luaL_error(lua, "a pair is not given whole");
      next = push_argument(lua, errand, next, depth + 1);
    }
    // A value that is no number is unequal to itself.
    const bool is_key = !lua_isnil(lua, -2) && lua_rawequal(lua, -2, -2) != 0;
    if (!is_key) luaL_error(lua, "a key of a table is nil or no number");
    lua_rawset(lua, -3);
  }
  return next;
}

// Raises unless the handle was given out, and is of the present decision.
void NumberedCalls::require_given(lua_State* lua, const Errand& errand,
                                  std::size_t at) {
  const auto handle = errand.arguments[at].handle;
  const auto kind = handle % kKinds;
  const auto number = handle / kKinds;
  const char* what =
      kind == kIterator ? "selection" : kind_name(static_cast<Kind>(kind));
  if (static_cast<Kind>(kind) == Kind::kJob) {
    const auto& jobs = border_.simulation->world().jobs();
    const bool is_known =
        number < jobs.size() &&
        jobs.state(JobId{static_cast<std::uint32_t>(number)}) != JobState::kFuture;
    if (is_known) return;
  } else if (given_.contains(handle)) {
    return;
  } else if (number / kPerDecision !=
             static_cast<std::uint64_t>(decision_) % kDecisions) {
    luaL_error(lua, "this %s belongs to an earlier decision: make a new one", what);
  }
  luaL_error(lua, "bad argument #%d to '%s': no such %s", static_cast<int>(at),
             errand.name(), what);
}

void NumberedCalls::push_given_handle(lua_State* lua, const Errand& errand,
                                      std::size_t at) {
  const auto handle = errand.arguments[at].handle;
  if (handle == kTheQueue) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, border_.view_methods);
    return;
  }
  // 0 is the set of all processors.
  const bool is_all = handle == static_cast<std::uint64_t>(Kind::kSet);
  if (!is_all) require_given(lua, errand, at);
  push_handle(lua, handle / kKinds, static_cast<Kind>(handle % kKinds));
}

void NumberedCalls::push_given_selection(lua_State* lua, const Errand& errand,
                                         std::size_t at) {
  const auto handle = errand.arguments[at].handle;
  require_given(lua, errand, at);
  if (handle % kKinds == kIterator) {
    const auto number = handle / kKinds % kPerDecision;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, iterators_[number]);
    return;
  }
  lua_pushcfunction(lua, walk_next);
  push_handle(lua, handle / kKinds, static_cast<Kind>(handle % kKinds));
}

void NumberedCalls::add(lua_State* lua, const PlainValue& value) {
  attempt(lua, [&] { results_.push_back(value); });
}

// A selection is two values: the function that steps it, and its handle.
void NumberedCalls::read_results(lua_State* lua, int first) {
  const int top = lua_gettop(lua);
  luaL_checkstack(lua, 8, "too many results");
  for (int at = first; at <= top; ++at) {
    const bool is_walk = lua_tocfunction(lua, at) == walk_next && at < top;
    if (!is_walk) {
      read_value(lua, at, 0);
      continue;
    }
    read_handle(lua, ++at);
    results_.back().type = Type::kSelection;
  }
}

void NumberedCalls::read_value(lua_State* lua, int at, int depth) {
  switch (lua_type(lua, at)) {
    case LUA_TNIL: return add(lua, {});
    case LUA_TBOOLEAN:
      return add(lua, {.type = Type::kBoolean, .whole = lua_toboolean(lua, at)});
    case LUA_TNUMBER:
      if (lua_isinteger(lua, at) != 0) {
        return add(lua, {.type = Type::kWhole, .whole = lua_tointeger(lua, at)});
      }
      return add(lua, {.type = Type::kNumber, .number = number_or_nan(lua, at)});
    case LUA_TSTRING: return read_text_at(lua, at);
    case LUA_TLIGHTUSERDATA: return read_handle(lua, at);
    case LUA_TTABLE: return read_table(lua, at, depth);
    case LUA_TFUNCTION: return read_function(lua, at);
    default:
      luaL_error(lua, "a %s has no form outside a script", luaL_typename(lua, at));
  }
}

void NumberedCalls::read_text_at(lua_State* lua, int at) {
  const auto text = bindings::read_text(lua, at);
  attempt(lua, [&] {
    if (texts_used_ == texts_.size()) texts_.emplace_back();
    auto& kept = texts_[texts_used_++];
    kept = text;
    results_.push_back({.type = Type::kText, .text = kept});
  });
}

void NumberedCalls::read_handle(lua_State* lua, int at) {
  const auto handle = static_cast<std::uint64_t>(
      reinterpret_cast<std::uintptr_t>(lua_touserdata(lua, at)));
  attempt(lua, [&] {
    const bool is_job = static_cast<Kind>(handle % kKinds) == Kind::kJob;
    if (!is_job) given_.insert(handle);
    results_.push_back({.type = Type::kHandle, .handle = handle});
  });
}

// An iterator that is a function alone is kept until the next decision.
void NumberedCalls::read_function(lua_State* lua, int at) {
  const auto number = iterators_.size();
  require_handle(lua, number, " selections in one decision");
  attempt(lua, [&] { iterators_.push_back(LUA_NOREF); });
  lua_pushvalue(lua, at);
  iterators_.back() = luaL_ref(lua, LUA_REGISTRYINDEX);
  const auto decision = static_cast<std::uint64_t>(decision_) % kDecisions;
  const auto handle = (decision * kPerDecision + number) * kKinds + kIterator;
  attempt(lua, [&] {
    given_.insert(handle);
    results_.push_back({.type = Type::kSelection, .handle = handle});
  });
}

// The pairs in the order of `pairs`.
void NumberedCalls::read_table(lua_State* lua, int at, int depth) {
  const void* table = lua_topointer(lua, at);
  if (table == border_.queue_table) {
    return add(lua, {.type = Type::kHandle, .handle = kTheQueue});
  }
  if (is_of_api(border_, table)) return add(lua, {.type = Type::kTable});
  if (depth == kDeepestTable)
    luaL_error(lua, "tables in tables in tables ...: too deep");
  luaL_checkstack(lua, 8, "tables in tables");
  const auto place = results_.size();
  add(lua, {.type = Type::kTable});
  lua_pushcfunction(lua, safe_pairs);
  lua_pushvalue(lua, at);
  lua_call(lua, 1, 3);  // the function that steps, the table, the key
  const int key = lua_gettop(lua);
  for (;;) {
    lua_pushvalue(lua, key - 2);
    lua_pushvalue(lua, key - 1);
    lua_pushvalue(lua, key);
    lua_call(lua, 2, 2);
    if (lua_isnil(lua, key + 1)) break;
    Guard::of(lua).charge(lua, 1);
    ++results_[place].whole;
    read_value(lua, key + 1, depth + 1);
    read_value(lua, key + 2, depth + 1);
    lua_pop(lua, 1);
    lua_replace(lua, key);
  }
  lua_settop(lua, key - 3);
}

}  // namespace berth::bindings
