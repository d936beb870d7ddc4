#include "bindings/policy_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"
#include "engine/models/sharing_models.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::bindings {

namespace {

// Reads the list on top of the stack.  Refusals are C++ exceptions, so that only a lack
// of memory raises in here.
class CaseReader {
 public:
  CaseReader(lua_State* lua, const std::string& file) : lua_(lua), file_(file) {}

  void read(std::vector<PolicyCase>& cases) {
    require(lua_istable(lua_, -1), "the file must return a list of cases");
    const int list = lua_gettop(lua_);
    const auto count = lua_rawlen(lua_, list);
    for (lua_Unsigned i = 1; i <= count; ++i) {
      lua_rawgeti(lua_, list, static_cast<lua_Integer>(i));
      where_ = fmt::format("case {}", i);
      require(lua_istable(lua_, -1), "a case is a table");
      cases.push_back(read_case(lua_gettop(lua_)));
      lua_settop(lua_, list);
    }
  }

 private:
  void require(bool right, std::string_view what) const {
    if (right) return;
    const auto* separator = where_.empty() ? "" : ": ";
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: {}{}{}", file_, where_, separator, what));
  }

  int push(int table, const char* key) {
    lua_pushstring(lua_, key);
    return lua_rawget(lua_, table);
  }

  PolicyCase read_case(int table) {
    PolicyCase result;
    lua_rawgeti(lua_, table, 1);
    require(lua_type(lua_, -1) == LUA_TSTRING, "a case begins with its name");
    result.name = lua_tostring(lua_, -1);
    where_ = result.name;
    refuse_other_fields(table);
    require(push(table, "processors") == LUA_TNUMBER && lua_tointeger(lua_, -1) >= 1,
            "processors = a number from 1");
    result.processors = static_cast<std::int32_t>(lua_tointeger(lua_, -1));
    read_settings(table, result.settings);
    read_sharing(table, result);
    read_parameters(table, result);
    read_jobs(table, result);
    read_starts(table, result);
    return result;
  }

  // Whether the field says `second`; it may be absent, or say `first`.
  bool says_second(int table, const char* key, std::string_view first,
                   std::string_view second) {
    const int type = push(table, key);
    const std::string_view value = type == LUA_TSTRING ? lua_tostring(lua_, -1) : "";
    require(type == LUA_TNIL || value == first || value == second,
            fmt::format("{} is \"{}\" or \"{}\"", key, first, second));
    return value == second;
  }

  void read_settings(int table, sim::Settings& settings) {
    if (says_second(table, "pass", "instant", "event")) {
      settings.pass = sim::PassMode::kEvent;
    }
    if (says_second(table, "ties", "ends_first", "submits_first")) {
      settings.ties = Ties::kSubmitsFirst;
    }
  }

  void read_sharing(int table, PolicyCase& result) {
    if (push(table, "sharing") != LUA_TNIL) {
      const bool right = lua_type(lua_, -1) == LUA_TSTRING &&
                         find_model(lua_tostring(lua_, -1)) != nullptr;
      require(right, "sharing = the name of a sharing model");
      result.sharing = lua_tostring(lua_, -1);
    }
    if (push(table, "cpu_use") == LUA_TNIL) return;
    const double use = lua_tonumber(lua_, -1);
    require(lua_type(lua_, -1) == LUA_TNUMBER && use > 0 && use <= 1,
            "cpu_use = a number above 0, at most 1");
    result.cpu_use = use;
  }

  void refuse_other_fields(int table) const {
    static constexpr std::array<std::string_view, 8> kFields{
        "processors", "params", "jobs", "starts", "pass", "ties", "sharing", "cpu_use"};
    lua_pushnil(lua_);
    while (lua_next(lua_, table) != 0) {
      lua_pop(lua_, 1);
      if (lua_type(lua_, -1) != LUA_TSTRING) continue;
      const std::string_view key = lua_tostring(lua_, -1);
      require(std::find(kFields.begin(), kFields.end(), key) != kFields.end(),
              fmt::format("there is no field '{}'{}", key, did_you_mean(key, kFields)));
    }
  }

  void read_parameters(int table, PolicyCase& result) {
    if (push(table, "params") == LUA_TNIL) return;
    require(lua_istable(lua_, -1), "params = a table");
    const int params = lua_gettop(lua_);
    lua_pushnil(lua_);
    while (lua_next(lua_, params) != 0) {
      require(lua_type(lua_, -2) == LUA_TSTRING, "the keys of params are names");
      const std::string name = lua_tostring(lua_, -2);
      if (lua_isboolean(lua_, -1)) {
        result.parameters[name] = lua_toboolean(lua_, -1) != 0 ? "true" : "false";
      } else {
        require(lua_isstring(lua_, -1) != 0,
                "a parameter is a number, a boolean or a text");
        result.parameters[name] = lua_tostring(lua_, -1);
      }
      lua_pop(lua_, 1);
    }
  }

  // The i-th number of the list on top of the stack; nullopt if there is none.
  std::optional<double> number(int i) {
    lua_rawgeti(lua_, -1, i);
    const bool is_number = lua_type(lua_, -1) == LUA_TNUMBER;
    const auto value = is_number ? std::optional(lua_tonumber(lua_, -1)) : std::nullopt;
    lua_pop(lua_, 1);
    return value;
  }

  bool is_false(int i) {
    lua_rawgeti(lua_, -1, i);
    const bool is = lua_isboolean(lua_, -1) && lua_toboolean(lua_, -1) == 0;
    lua_pop(lua_, 1);
    return is;
  }

  Duration time(std::optional<double> value, std::string_view what) {
    const auto ticks = ticks_from_seconds(value.value_or(-1)).value_or(-1);
    require(ticks >= 0, what);
    return ticks;
  }

  void read_jobs(int table, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "jobs = { { submit, size, length[, walltime] } }";
    require(push(table, "jobs") == LUA_TTABLE, kForm);
    const int list = lua_gettop(lua_);
    for (lua_Unsigned i = 1; i <= lua_rawlen(lua_, list); ++i) {
      require(lua_rawgeti(lua_, list, static_cast<lua_Integer>(i)) == LUA_TTABLE,
              kForm);
      Job job;
      job.id = static_cast<std::int64_t>(i);
      job.submit = time(number(1), kForm);
      const auto size = number(2);
      require(size && *size >= 1 && *size <= 1e9 && std::floor(*size) == *size, kForm);
      job.size = static_cast<std::int32_t>(*size);
      job.length = time(number(3), kForm);
      const auto walltime = number(4);
      job.walltime = walltime ? time(walltime, kForm) : job.length;
      result.jobs.push_back(job);
      lua_pop(lua_, 1);
    }
  }

  void read_starts(int table, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "starts = { a start or false for each job }";
    require(push(table, "starts") == LUA_TTABLE, kForm);
    require(lua_rawlen(lua_, -1) == result.jobs.size(), kForm);
    for (std::size_t i = 1; i <= result.jobs.size(); ++i) {
      const auto start = number(static_cast<int>(i));
      require(start.has_value() || is_false(static_cast<int>(i)), kForm);
      result.starts.push_back(start ? std::optional(time(start, kForm)) : std::nullopt);
    }
  }

  lua_State* lua_;
  const std::string& file_;
  std::string where_;
};

struct Reading {
  const std::string* file;
  std::vector<PolicyCase>* cases;
};

int read_body(lua_State* lua) {
  auto& reading = *static_cast<Reading*>(lua_touserdata(lua, 1));
  auto& guard = Sandbox::of(lua).guard();
  luaL_checkstack(lua, 20, nullptr);
  Sandbox::push_result(lua);
  bool failed = false;
  try {
    CaseReader(lua, *reading.file).read(*reading.cases);
  } catch (const Error&) {
    guard.keep(std::current_exception());
    failed = true;
  }
  if (failed) guard.raise(lua);
  return 0;
}

class Starts final : public sim::Observer {
 public:
  explicit Starts(std::size_t jobs) : starts(jobs) {}
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record& record) override {
    const auto& start = std::get<sim::StartRecord>(record);
    auto& first = starts[static_cast<std::size_t>(start.who.job->id - 1)];
    if (!first) first = start.at;
  }
  void finish(Time) override {}

  std::vector<std::optional<Time>> starts;  // by job number - 1
};

std::string text(std::optional<Time> start) {
  return start ? seconds_text(*start) : std::string("never");
}

}  // namespace

std::vector<PolicyCase> read_policy_cases(const PolicyFile& file,
                                          const Limits& limits) {
  std::vector<PolicyCase> cases;
  Sandbox sandbox(limits, 0, {});
  sandbox.load(file.chunk_name, file.text);
  Reading reading{&file.chunk_name, &cases};
  sandbox.enter(read_body, &reading, {"load", 0});
  return cases;
}

std::string run_policy_case(const PolicyCase& wanted, const PolicyFile& file,
                            PolicyOptions options) {
  options.parameters = wanted.parameters;
  LuaPolicy policy(file, options);
  auto jobs = wanted.jobs;
  std::sort(jobs.begin(), jobs.end(), comes_first);
  auto machine = default_machine(wanted.sharing, wanted.processors);
  if (wanted.cpu_use) set_model_setting(machine, "cpu_use", *wanted.cpu_use);
  sim::Simulation simulation(machine, wanted.settings, jobs, policy,
                             make_model(machine, jobs));
  Starts seen(jobs.size());
  simulation.observe(seen);
  simulation.advance(kNever);
  simulation.finish();
  std::string differences;
  for (std::size_t i = 0; i < wanted.starts.size(); ++i) {
    if (seen.starts[i] == wanted.starts[i]) continue;
    differences += fmt::format("{}: job {} starts at {}, wanted {}\n", wanted.name,
                               i + 1, text(seen.starts[i]), text(wanted.starts[i]));
  }
  return differences;
}

}  // namespace berth::bindings
