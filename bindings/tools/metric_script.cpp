#include "bindings/tools/metric_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <list>

#include "bindings/policy_table.hpp"
#include "bindings/sandbox/safe_text.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/tools/calls.hpp"
#include "engine/base/error.hpp"
#include "engine/machines/metric_list.hpp"

namespace berth::bindings {

namespace {

constexpr std::array<std::string_view, 7> kKeys{"name", "unit", "better", "says",
                                                "of",   "each", "needs"};

constexpr const char* kMade = "berth.metric";

bool is_metric_name(std::string_view name) {
  const auto is_letter = [](char c) { return ('a' <= c && c <= 'z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || ('0' <= c && c <= '9'); };
  return !name.empty() && name.size() <= 64 && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_part);
}

// The numbers of the column; none where the mask does not hold.
std::vector<double> masked_numbers(const Column& column, const Column* mask,
                                   Budget& budget) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers;
  numbers.reserve(column.rows());
  const auto add = [&](std::size_t first, std::size_t last) {
    for (auto row = first; row < last; ++row) {
      const bool is_in = mask == nullptr || mask->mask()[row] != 0;
      numbers.push_back(is_in ? column.number(row) : kNone);
    }
  };
  in_pieces(column.rows(), sizeof(double), budget, add);
  return numbers;
}

}  // namespace

struct MetricScript::Desk {
  std::string file;
  std::string wanted;  // the name, where the file is one of claims; else empty
  std::string place;   // "mine.lua:1", where the metric is made
  std::string line;    // "mine.lua:3", of the function that answers
  MetricRecord record;
  bool is_each = false;
  NeedsOfMetric needs{};
  int function = LUA_NOREF;
  std::string policy;  // under which it is asked
  std::list<RunObject> runs{};
  std::unique_ptr<Sandbox> sandbox;  // last: it ends first

  static Desk& from(lua_State* lua) {
    return *static_cast<Desk*>(lua_touserdata(lua, 1));
  }
  static int install(lua_State* lua);
  static int metric(lua_State* lua);
  static int read(lua_State* lua);
  void read_fields(TableReader& reader, int table);
  void read_function(TableReader& reader, int table);
  void read_needs(TableReader& reader, int table);

  struct Call {
    Desk& desk;
    const RunObject& run;
    MetricAnswer answer{};
    std::string wrong{};
  };
  static int ask(lua_State* lua);
  void take_value(lua_State* lua, int at, Call& call) const;
  void take_each(lua_State* lua, int at, Call& call) const;
};

// Keeps the table, if it is the metric that is wanted, and the line that made it;
// returns it.
int MetricScript::Desk::metric(lua_State* lua) {
  auto& desk = *static_cast<Desk*>(lua_touserdata(lua, lua_upvalueindex(1)));
  if (lua_type(lua, 1) != LUA_TTABLE) {
    return luaL_error(lua, "metric takes a table, got %s", luaL_typename(lua, 1));
  }
  lua_settop(lua, 1);
  if (!desk.wanted.empty()) {
    lua_pushliteral(lua, "name");
    lua_rawget(lua, 1);
    lua_pushlstring(lua, desk.wanted.data(), desk.wanted.size());
    const bool is_wanted = lua_rawequal(lua, 2, 3) != 0;
    lua_settop(lua, 1);
    if (!is_wanted) return 1;
  }
  Guard::host_work(lua, [&] { desk.place = place_of(lua, 1); });
  lua_pushvalue(lua, 1);
  lua_setfield(lua, LUA_REGISTRYINDEX, kMade);
  return 1;
}

int MetricScript::Desk::install(lua_State* lua) {
  auto& desk = from(lua);
  install_frames(lua, 0);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(lua, "metric");
  lua_pushlightuserdata(lua, &desk);
  lua_pushcclosure(lua, metric, 1);
  lua_rawset(lua, -3);
  if (desk.wanted.empty()) return 0;
  for (const char* declares : {"paper", "claim", "figure"}) {
    lua_pushstring(lua, declares);
    lua_pushcfunction(lua, [](lua_State*) { return 0; });
    lua_rawset(lua, -3);
  }
  return 0;
}

int MetricScript::Desk::read(lua_State* lua) {
  auto& desk = from(lua);
  lua_getfield(lua, LUA_REGISTRYINDEX, kMade);
  return run_reader(lua, [&] {
    const int result = lua_gettop(lua);
    const int made = result - 1;
    const bool is_returned = lua_rawequal(lua, result, made) != 0;
    const auto& where = desk.place.empty() ? desk.file : desk.place;
    TableReader reader(lua, where);
    reader.require(
        lua_istable(lua, made) && (is_returned || !desk.wanted.empty()),
        fmt::format("the file must return metric {{ ... }}, and it returned a {}",
                    luaL_typename(lua, result)));
    desk.read_fields(reader, made);
  });
}

void MetricScript::Desk::read_fields(TableReader& reader, int table) {
  reader.enter("metric");
  auto name = reader.text(table, "name");
  reader.require(name.has_value(), "there is no name");
  reader.require(is_metric_name(*name),
                 fmt::format("name '{}': small letters, digits and _, at most 64, the "
                             "first no digit",
                             printable(*name)));
  reader.enter("metric " + *name);
  reader.check_keys(table, kKeys, TableReader::Unknown::kRefused);
  for (const auto& built_in : metric_records()) {
    const bool is_member = family_of({&built_in, 1}, *name) != nullptr;
    if (built_in.name != *name && !is_member) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: metric {}: there is a built-in metric of this name",
                            place, *name));
  }
  record.name = *name;
  record.unit = reader.text(table, "unit").value_or("");
  record.brief = reader.text(table, "says").value_or("");
  record.formula = file;
  record.better = Better::kNeither;
  reader.choice(table, "better", record.better,
                {{"less", Better::kLower},
                 {"more", Better::kHigher},
                 {"neither", Better::kNeither}});
  read_function(reader, table);
  read_needs(reader, table);
}

void MetricScript::Desk::read_function(TableReader& reader, int table) {
  const int of = bindings::read_function(reader, table, "of", false);
  const int each = bindings::read_function(reader, table, "each", false);
  reader.require(of != LUA_NOREF || each != LUA_NOREF,
                 "there is no function of (a value for the run) or each (one for each "
                 "job)");
  reader.require(of == LUA_NOREF || each == LUA_NOREF,
                 "it has of and each: use one of them");
  is_each = each != LUA_NOREF;
  function = is_each ? each : of;
  lua_Debug about{};
  lua_rawgeti(reader.lua(), LUA_REGISTRYINDEX, function);
  lua_getinfo(reader.lua(), ">S", &about);
  const std::string_view source(about.source);
  line = fmt::format("{}:{}", source.substr(source.starts_with('@') ? 1 : 0),
                     about.linedefined);
}

void MetricScript::Desk::read_needs(TableReader& reader, int table) {
  constexpr std::pair<std::string_view, bool NeedsOfMetric::*> kKnown[] = {
      {"levels", &NeedsOfMetric::levels}, {"reasons", &NeedsOfMetric::reasons}};
  const int type = reader.push(table, "needs");
  reader.require(type == LUA_TNIL || type == LUA_TTABLE,
                 "needs must be a list such as { \"levels\" }");
  const int list = lua_gettop(reader.lua());
  const auto count = type == LUA_TTABLE ? lua_rawlen(reader.lua(), list) : 0;
  // Bounded: `metric` is asked of a table that the script has made.
  for (lua_Unsigned i = 1; i <= count; ++i) {
    lua_rawgeti(reader.lua(), list, static_cast<lua_Integer>(i));
    const bool is_text = lua_type(reader.lua(), -1) == LUA_TSTRING;
    const auto word = is_text ? reader.kept(-1, "needs") : std::string("?");
    const auto* const known =
        std::find_if(std::begin(kKnown), std::end(kKnown),
                     [&](const auto& each) { return each.first == word; });
    reader.require(known != std::end(kKnown),
                   fmt::format("needs: there is no '{}'; it knows levels, reasons",
                               printable(word)));
    needs.*(known->second) = true;
    lua_pop(reader.lua(), 1);
  }
  lua_pop(reader.lua(), 1);
}

int MetricScript::Desk::ask(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.desk.function);
  call.run.push(lua);
  lua_call(lua, 1, 2);
  if (call.desk.is_each) {
    call.desk.take_each(lua, lua_gettop(lua) - 1, call);
  } else {
    call.desk.take_value(lua, lua_gettop(lua) - 1, call);
  }
  return 0;
}

void MetricScript::Desk::take_value(lua_State* lua, int at, Call& call) const {
  const int type = lua_type(lua, at);
  const bool has_n = !lua_isnil(lua, at + 1);
  const bool is_count =
      lua_isinteger(lua, at + 1) != 0 && lua_tointeger(lua, at + 1) >= 0;
  call.answer.n = has_n && is_count
                      ? lua_tointeger(lua, at + 1)
                      : static_cast<std::int64_t>(call.run.finished()->size());
  const double number = type == LUA_TNUMBER ? lua_tonumber(lua, at) : 0.0;
  if (type == LUA_TNUMBER && std::isfinite(number)) call.answer.value = number;
  const char* what = luaL_typename(lua, at);
  const char* of_n = luaL_typename(lua, at + 1);
  Guard::host_work(lua, [&] {
    if (type != LUA_TNUMBER && type != LUA_TNIL) {
      call.wrong = fmt::format("of answered a {}, expected a number or nil", what);
    } else if (!std::isfinite(number)) {
      call.wrong = fmt::format("of answered a number: {} is not finite", number);
    } else if (has_n && !is_count) {
      call.wrong = fmt::format(
          "of answered a {} as the number of jobs, expected a whole number", of_n);
    }
  });
}

void MetricScript::Desk::take_each(lua_State* lua, int at, Call& call) const {
  const bool has_mask = !lua_isnil(lua, at + 1);
  const char* what = luaL_typename(lua, at);
  const auto rows = call.run.finished()->size();
  work_outside(lua, rows * sizeof(double), [&](Budget& budget) {
    const auto column = column_at(lua, at);
    const auto mask = has_mask ? column_at(lua, at + 1) : nullptr;
    if (column == nullptr || column->kind() == Values::kText) {
      call.wrong = fmt::format(
          "each answered {}, expected a column with a number for each finished job",
          column == nullptr ? fmt::format("a {}", what) : "a column of texts");
      return;
    }
    const bool is_mask = mask != nullptr && mask->kind() == Values::kMask;
    if (has_mask && !is_mask) {
      call.wrong = "each answered no mask behind the column";
      return;
    }
    const auto mask_rows = is_mask ? mask->rows() : rows;
    if (column->rows() != rows || mask_rows != rows) {
      call.wrong =
          fmt::format("each answered a column of {} rows, the run has {} finished jobs",
                      column->rows() != rows ? column->rows() : mask_rows, rows);
      return;
    }
    auto& values = call.answer.each;
    values = masked_numbers(*column, mask.get(), budget);
    call.answer.n = std::count_if(values.begin(), values.end(),
                                  [](double value) { return !std::isnan(value); });
    call.answer.value = bindings::mean_of(*Column::of_numbers(values), budget);
    if (call.answer.value && !std::isfinite(*call.answer.value)) {
      call.wrong = "each answered numbers whose mean is not finite";
    }
  });
}

MetricScript::MetricScript(const PolicyFile& file, const Limits& limits,
                           Library library, Of of)
    : desk_(std::make_unique<Desk>()) {
  auto& desk = *desk_;
  desk.file = file.chunk_name;
  if (of == Of::kClaims) desk.wanted = file.stem;
  Host host;
  host.library = std::move(library);
  host.where = [&desk] {
    return desk.policy.empty()
               ? std::string("the load")
               : fmt::format("metric {} of {}", desk.record.name, desk.policy);
  };
  desk.sandbox = std::make_unique<Sandbox>(limits, 0, std::move(host));
  desk.sandbox->enter(Desk::install, &desk, {"load", 0});
  desk.sandbox->load(file.chunk_name, file.text);
  desk.sandbox->enter(Desk::read, &desk, {"load", 0});
}

MetricScript::~MetricScript() = default;

const MetricRecord& MetricScript::record() const { return desk_->record; }
bool MetricScript::is_each() const { return desk_->is_each; }
const MetricScript::NeedsOfMetric& MetricScript::needs() const { return desk_->needs; }
const std::vector<LoadedSource>& MetricScript::sources() const {
  return desk_->sandbox->sources();
}

MetricAnswer MetricScript::ask(const ToolRun& run, const JobClass* of_class) {
  auto& desk = *desk_;
  desk.policy = run.policy;
  desk.runs.emplace_back(run, of_class);
  Desk::Call call{desk, desk.runs.back()};
  desk.sandbox->enter(Desk::ask, &call, {"metric", 0});
  if (!call.wrong.empty()) {
    throw Error(ErrorCode::kPolicy, fmt::format("{}: metric {}: {}", desk.line,
                                                desk.record.name, call.wrong));
  }
  return call.answer;
}

const Family& metric_family() {
  static constexpr std::array kFields{
      Primitive{"name", "", "string", "Small letters, digits and _.", "true"},
      Primitive{"unit", "", "string?", "Of the value: \"s\", \"fraction\".", "true"},
      Primitive{"better", "", "string?",
                "\"less\", \"more\" or \"neither\" (which is the default).", "true"},
      Primitive{"says", "", "string?", "What it measures, in one sentence.", "true"},
      Primitive{"of", "", "function?",
                "Called with the run; answers a number, or nil where it is undefined, "
                "and the jobs behind it (#run.finished).",
                "true"},
      Primitive{"each", "", "function?",
                "Instead of `of`, for a mean over jobs: answers a column with a value "
                "for each row of run.finished, and a mask of those that count.",
                "true"},
      Primitive{
          "needs", "", "table?",
          "A list of \"levels\" (run.levels is whole) and \"reasons\" (run.waits, "
          "run.blocks and run.blockers are there; the run takes longer).",
          "true"},
  };
  static constexpr Family kMetric{
      "Metric", "metric", "What the file of a metric of one's own returns.", kFields};
  return kMetric;
}

}  // namespace berth::bindings
