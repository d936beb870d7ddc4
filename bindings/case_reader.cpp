#include "bindings/case_reader.hpp"

#include <algorithm>
#include <limits>

#include "bindings/table_reader.hpp"
#include "engine/base/amount.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/narrow.hpp"
#include "engine/jobs/label.hpp"
#include "engine/machines/reason_list.hpp"

namespace berth::bindings {

namespace {

// Beside settings of a scenario.
constexpr std::array<std::string_view, 12> kCaseFields{
    "params", "jobs",  "starts", "scenario", "trace", "random",
    "ends",   "order", "why",    "check",    "holds", "versus"};
constexpr std::array<std::string_view, 7> kOfRandom{
    "jobs", "runs", "seed", "longest", "users", "load", "estimates"};
constexpr auto kMostOfKind = static_cast<double>(kMostAmount);
constexpr std::size_t kMostCases = 10'000;
constexpr std::size_t kMostJobsOfCase = 100'000;  // of a case
constexpr std::int64_t kMostDrawn = 10'000;
constexpr std::int64_t kMostRuns = 100'000;
constexpr std::int64_t kMostSeed = 1'000'000'000;
// Jobs that run one after the other end before the clock does, with room for sums.
constexpr Duration kLongestCase = seconds(4'000'000'000'000);
constexpr std::int32_t kMostProcessors = 100'000;  // some machines keep each of them
constexpr std::ptrdiff_t kDeepest = 4;             // tables of settings in a case

// Reads the list of cases on top of the stack.
class CaseReader : TableReader {
 public:
  CaseReader(lua_State* lua, const std::string& file, const CaseSettings& settings)
      : TableReader(lua, file),
        settings_(settings),
        fields_(kCaseFields.begin(), kCaseFields.end()) {
    fields_.insert(fields_.end(), settings.fields.begin(), settings.fields.end());
  }

  void read(std::vector<PolicyCase>& cases) {
    require(lua_istable(lua(), -1), "the file must return a list of cases");
    const int list = lua_gettop(lua());
    const auto count = lua_rawlen(lua(), list);
    require(count <= kMostCases,
            fmt::format("{} cases, at most {} are allowed", count, kMostCases));
    for (lua_Unsigned i = 1; i <= count; ++i) {
      lua_rawgeti(lua(), list, static_cast<lua_Integer>(i));
      enter(fmt::format("case {}", i));
      require(lua_istable(lua(), -1), "a case is a table");
      keep(sizeof(PolicyCase));
      cases.push_back(read_case(lua_gettop(lua())));
      lua_settop(lua(), list);
    }
    for (const auto& each : cases) require_property(each, cases);
  }

 private:
  PolicyCase read_case(int table) {
    PolicyCase result;
    lua_rawgeti(lua(), table, 1);
    require(lua_type(lua(), -1) == LUA_TSTRING, "a case begins with its name");
    result.name =
        plain_text(kept(-1, "the name of a case", kLongestName), Newlines::kEscape);
    enter(result.name);
    check_keys(table, fields_, Unknown::kRefused);
    const bool is_input = reads_input(table, result);
    read_settings(table, result);
    read_parameters(table, result);
    if (is_input) {
      read_expected(table, result);
      return result;
    }
    if (!read_random(table, result)) read_jobs(table, result);
    read_expected(table, result);
    return result;
  }

  void require_property(const PolicyCase& of, const std::vector<PolicyCase>& cases) {
    if (of.property.empty()) return;
    enter(of.name);
    const bool is_there =
        std::any_of(cases.begin(), cases.end(), [&](const PolicyCase& each) {
          return each.name == of.property && each.has_holds && each.property.empty();
        });
    require(is_there,
            fmt::format("there is no case '{}' with a function holds", of.property));
  }

  // A case of a scenario or a trace.
  bool reads_input(int table, PolicyCase& result) {
    result.scenario = text(table, "scenario").value_or("");
    result.trace = text(table, "trace").value_or("");
    if (result.scenario.empty() && result.trace.empty()) return false;
    require(result.scenario.empty() || result.trace.empty(),
            "a case has a scenario or a trace");
    require(push(table, "jobs") == LUA_TNIL,
            "the scenario or trace decides about jobs");
    require(push(table, "random") == LUA_TNIL, "the scenario or trace has the jobs");
    lua_settop(lua(), table);
    return true;
  }

  void read_settings(int table, PolicyCase& result) {
    for (const auto& field : settings_.fields) {
      push(table, field.c_str());
      take_setting(field, result);
    }
    try {
      settings_.take(result);
    } catch (const Error& error) {
      refuse(error.what());
    }
  }

  // The value on top of the stack, which is popped, or those of the table there.
  void take_setting(const std::string& key, PolicyCase& result) {
    const int at = lua_gettop(lua());
    const auto add = [&](SettingValue value) {
      keep(sizeof(result.settings.front()) + key.size());
      result.settings.emplace_back(key, std::move(value));
    };
    switch (lua_type(lua(), at)) {
      case LUA_TNIL: break;
      case LUA_TTABLE: take_settings(key, at, result); break;
      case LUA_TBOOLEAN: add(lua_toboolean(lua(), at) != 0); break;
      case LUA_TSTRING: add(kept(at, key)); break;
      case LUA_TNUMBER: add(number_setting(at, key)); break;
      default: refuse(fmt::format("{} is a number, a text, a boolean or a table", key));
    }
    lua_settop(lua(), at - 1);
  }

  // 4.0 is a whole number.
  SettingValue number_setting(int at, const std::string& key) {
    if (lua_isinteger(lua(), at) != 0) return std::int64_t{lua_tointeger(lua(), at)};
    const auto value = number_at(at, key);
    const bool is_whole = value == std::floor(value) && std::abs(value) <= kMostOfKind;
    return is_whole ? SettingValue(static_cast<std::int64_t>(value))
                    : SettingValue(value);
  }

  // Words in the order of their bytes, then numbers in theirs.
  void take_settings(const std::string& key, int table, PolicyCase& result) {
    require(std::count(key.begin(), key.end(), '.') < kDeepest,
            fmt::format("{}: too many tables in each other", key));
    std::vector<std::pair<std::optional<lua_Integer>, std::string>> names;
    for (lua_pushnil(lua()); lua_next(lua(), table) != 0; lua_pop(lua(), 1)) {
      const bool is_number = lua_isinteger(lua(), -2) != 0;
      require(is_number || lua_type(lua(), -2) == LUA_TSTRING,
              fmt::format("the keys of {} must be names or whole numbers", key));
      keep(sizeof(names.front()));
      is_number ? names.emplace_back(lua_tointeger(lua(), -2), "")
                : names.emplace_back(std::nullopt, kept(-2, key, kLongestName));
    }
    std::sort(names.begin(), names.end());
    for (const auto& [number, name] : names) {
      if (number) {
        lua_rawgeti(lua(), table, *number);
      } else {
        lua_pushlstring(lua(), name.data(), name.size());
        lua_rawget(lua(), table);
      }
      take_setting(fmt::format("{}.{}", key, number ? fmt::to_string(*number) : name),
                   result);
    }
  }

  // A whole number from `least` to `most`; `value` stays if it is not given.
  void count(int table, const char* key, std::int64_t& value, std::int64_t least,
             std::int64_t most) {
    const auto given = number(table, key);
    if (!given) return;
    require(std::floor(*given) == *given && *given >= static_cast<double>(least) &&
                *given <= static_cast<double>(most),
            fmt::format("random: {} = a whole number from {} to {}", key, least, most));
    value = static_cast<std::int64_t>(*given);
  }

  bool read_random(int table, PolicyCase& result) {
    const int type = push(table, "random");
    if (type == LUA_TNIL) return lua_settop(lua(), table), false;
    require(type == LUA_TTABLE, "random = { jobs = n, runs = n }");
    const int random = lua_gettop(lua());
    check_keys(random, kOfRandom, Unknown::kRefused);
    RandomJobs drawn;
    count(random, "jobs", drawn.jobs, 1, kMostDrawn);
    count(random, "runs", drawn.runs, 1, kMostRuns);
    count(random, "seed", drawn.seed, 0, kMostSeed);
    count(random, "longest", drawn.longest, 1, kMostSeed);
    count(random, "users", drawn.users, 1, kMostDrawn);
    if (const auto load = number(random, "load")) drawn.load = *load;
    require(drawn.load > 0 && drawn.load <= 100, "random: load = above 0, at most 100");
    choice<bool>(random, "estimates", drawn.exact, {{"exact", true}, {"loose", false}});
    require(push(table, "jobs") == LUA_TNIL, "jobs are given or random, not both");
    require(push(table, "starts") == LUA_TNIL, "random jobs have no known starts");
    result.random = drawn;
    lua_settop(lua(), table);
    return true;
  }

  // An amount of a kind: a count, or of memory KiB for the GiB given, rounded down as
  // in files (docs/model.md#amounts).
  std::int64_t amount(std::string_view kind, double value) {
    const bool is_memory = kind == "memory";
    const double most = is_memory ? kMostOfKind / kKibPerGib : kMostOfKind;
    require(value >= 0 && value <= most && (is_memory || std::floor(value) == value),
            "an amount is a whole number, 0 or more; memory is in GiB and need not be "
            "whole");
    return is_memory ? kib_of(value) : static_cast<std::int64_t>(value);
  }

  // { needs = { kind = amount } } of the job on top of the stack.
  void read_needs(const Job& of, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "needs = { kind = amount }, where the machine has words for a need a text";
    const int job = lua_gettop(lua());
    if (push(job, "needs") == LUA_TNIL) return lua_settop(lua(), job);
    require(lua_istable(lua(), -1), kForm);
    for (const auto& name : keys(job + 1, kForm)) {
      if (push(job + 1, name.c_str()) == LUA_TSTRING) {
        auto& texts = result.texts["needs." + name];
        result.needs["needs." + name][of.id] = {static_cast<double>(texts.size())};
        texts.push_back(kept(-1, kForm));
        require(!texts.back().empty(), kForm);
        lua_settop(lua(), job + 1);
        continue;
      }
      lua_settop(lua(), job + 1);
      const auto held = amount(name, number(job + 1, name.c_str()).value_or(-1));
      require(name != "chunks" || (held >= 1 && of.size % held == 0),
              "the size of a job is a multiple of its chunks");
      result.needs["needs." + name][of.id] = {static_cast<double>(held)};
    }
    lua_settop(lua(), job);
  }

  void read_parameters(int table, PolicyCase& result) {
    if (push(table, "params") == LUA_TNIL) return;
    require(lua_istable(lua(), -1), "params = a table");
    const int params = lua_gettop(lua());
    for (const auto& name : keys(params, "params")) {
      if (push(params, name.c_str()) == LUA_TBOOLEAN) {
        result.parameters[name] = lua_toboolean(lua(), -1) != 0 ? "true" : "false";
      } else {
        require(lua_isstring(lua(), -1) != 0,
                "a parameter is a number, a boolean or a text");
        result.parameters[name] = kept(-1, "a parameter");
      }
      lua_pop(lua(), 1);
    }
  }

  static std::optional<std::int32_t> whole(std::optional<double> value) {
    return narrowed<std::int32_t>(value.value_or(0), 1, kMostProcessors);
  }

  // The i-th number of the list on top of the stack; nullopt if there is none.
  std::optional<double> item(lua_Integer i) {
    lua_rawgeti(lua(), -1, i);
    std::optional<double> value;
    if (lua_type(lua(), -1) == LUA_TNUMBER) value = number_at(-1, "a number of a list");
    lua_pop(lua(), 1);
    return value;
  }

  bool is_false(lua_Integer i) {
    lua_rawgeti(lua(), -1, i);
    const bool is = lua_isboolean(lua(), -1) && lua_toboolean(lua(), -1) == 0;
    lua_pop(lua(), 1);
    return is;
  }

  Duration time(std::optional<double> value, std::string_view what) {
    const auto ticks = ticks_from_seconds(value.value_or(-1)).value_or(-1);
    require(ticks >= 0, what);
    return ticks;
  }

  // Of the job on top of the stack.
  std::int32_t read_user() {
    const auto user = number(lua_gettop(lua()), "user");
    if (!user) return kUnknown;
    constexpr auto kMost = static_cast<double>(kLargestLabel);
    require(*user >= 0 && *user <= kMost && std::floor(*user) == *user,
            "user = a whole number");
    return label_code(static_cast<std::int64_t>(*user));
  }

  void read_jobs(int table, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "jobs = { { submit, size, length[, walltime] } }; a job may have user = number "
        "and needs = { kind = amount }";
    require(push(table, "jobs") == LUA_TTABLE, kForm);
    const int list = lua_gettop(lua());
    const auto count = lua_rawlen(lua(), list);
    require(count <= kMostJobsOfCase,
            fmt::format("{} jobs, at most {} are allowed", count, kMostJobsOfCase));
    keep(count * (sizeof(Job) + sizeof(std::optional<Time>)));
    Duration total = 0;
    for (lua_Unsigned i = 1; i <= count; ++i) {
      keep(0);
      require(lua_rawgeti(lua(), list, static_cast<lua_Integer>(i)) == LUA_TTABLE &&
                  lua_rawlen(lua(), -1) <= 4,
              kForm);
      Job job;
      job.id = static_cast<std::int64_t>(i);
      job.submit = time(item(1), kForm);
      const auto size = whole(item(2));
      require(size.has_value(), kForm);
      job.size = *size;
      job.length = time(item(3), kForm);
      const auto walltime = item(4);
      job.walltime = walltime ? time(walltime, kForm) : job.length;
      total = after(total, std::max(job.length, job.walltime));
      job.user = read_user();
      read_needs(job, result);
      result.jobs.push_back(job);
      lua_pop(lua(), 1);
    }
    require(total <= kLongestCase, "the jobs last longer than the clock can count");
  }

  // { [number] = a time or false }.
  PolicyCase::Times read_times(int table, const char* key, std::string_view form,
                               const PolicyCase& of) {
    PolicyCase::Times times;
    const int type = push(table, key);
    if (type == LUA_TNIL) return lua_settop(lua(), table), times;
    require(type == LUA_TTABLE, form);
    const int list = lua_gettop(lua());
    for (lua_pushnil(lua()); lua_next(lua(), list) != 0; lua_pop(lua(), 1)) {
      require(lua_isinteger(lua(), -2) != 0, form);
      const auto id = lua_tointeger(lua(), -2);
      require(is_job(of, id), form);
      keep(sizeof(PolicyCase::Times::value_type) * 2);
      if (lua_isboolean(lua(), -1) && lua_toboolean(lua(), -1) == 0) {
        times[id] = std::nullopt;
      } else {
        require(lua_type(lua(), -1) == LUA_TNUMBER, form);
        times[id] = time(exact_number(lua(), -1), form);
      }
    }
    lua_settop(lua(), table);
    return times;
  }

  // Numbers of a scenario or a trace are checked when it runs.
  static bool is_job(const PolicyCase& of, std::int64_t id) {
    const bool is_input = !of.scenario.empty() || !of.trace.empty();
    return is_input || (id >= 1 && id <= static_cast<std::int64_t>(of.jobs.size()));
  }

  void read_order(int table, PolicyCase& result) {
    static constexpr std::string_view kForm = "order = { numbers of jobs }";
    const int type = push(table, "order");
    if (type == LUA_TNIL) return lua_settop(lua(), table);
    require(type == LUA_TTABLE, kForm);
    const auto length = static_cast<lua_Integer>(lua_rawlen(lua(), -1));
    for (lua_Integer i = 1; i <= length; ++i) {
      const auto id = item(i);
      require(id && std::floor(*id) == *id && std::abs(*id) < 1e15, kForm);
      keep(sizeof(std::int64_t));
      result.order.push_back(static_cast<std::int64_t>(*id));
      require(is_job(result, result.order.back()), kForm);
    }
    lua_settop(lua(), table);
  }

  void require_reason(const std::string& name) {
    std::vector<std::string_view> known;
    for (const auto& why : all_reasons()) known.push_back(why.record().name);
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    require(is_known, fmt::format("why: there is no reason '{}'{}", printable(name),
                                  did_you_mean(name, known)));
  }

  void read_why(int table, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "why = { [job] = \"reason\" } or { [job] = { [time] = \"reason\" } }";
    const int type = push(table, "why");
    if (type == LUA_TNIL) return lua_settop(lua(), table);
    require(type == LUA_TTABLE, kForm);
    const int list = lua_gettop(lua());
    for (lua_pushnil(lua()); lua_next(lua(), list) != 0; lua_settop(lua(), list + 1)) {
      require(lua_isinteger(lua(), list + 1) != 0, kForm);
      const auto id = lua_tointeger(lua(), list + 1);
      require(is_job(result, id), kForm);
      if (lua_type(lua(), -1) == LUA_TSTRING) {
        result.why.push_back({id, std::nullopt, kept(-1, "why", kLongestName)});
        continue;
      }
      require(lua_istable(lua(), -1), kForm);
      const int times = lua_gettop(lua());
      for (lua_pushnil(lua()); lua_next(lua(), times) != 0; lua_pop(lua(), 1)) {
        require(
            lua_type(lua(), -2) == LUA_TNUMBER && lua_type(lua(), -1) == LUA_TSTRING,
            kForm);
        const auto at = time(exact_number(lua(), -2), kForm);
        result.why.push_back({id, at, kept(-1, "why", kLongestName)});
      }
    }
    for (const auto& each : result.why) require_reason(each.why);
    std::sort(result.why.begin(), result.why.end(), [](const auto& a, const auto& b) {
      return a.job != b.job ? a.job < b.job : a.at < b.at;
    });
    lua_settop(lua(), table);
  }

  void read_functions(int table, PolicyCase& result) {
    const int check = push(table, "check");
    require(check == LUA_TNIL || check == LUA_TFUNCTION,
            "check = function(run) ... end");
    result.has_check = check == LUA_TFUNCTION;
    const int holds = push(table, "holds");
    if (holds == LUA_TSTRING)
      result.property = plain_text(kept(-1, "holds", kLongestName), Newlines::kEscape);
    require(holds == LUA_TNIL || holds == LUA_TSTRING || holds == LUA_TFUNCTION,
            "holds = function(run, other) ... end, or the name of another case");
    result.has_holds = holds != LUA_TNIL;
    lua_settop(lua(), table);
    result.versus = text(table, "versus").value_or("");
    require(!result.random || result.has_holds,
            "random jobs need holds = function(run, other) ... end");
    require(result.versus.empty() || result.has_holds,
            "versus is for holds = function(run, other) ... end");
  }

  void read_expected(int table, PolicyCase& result) {
    static constexpr std::string_view kStarts =
        "starts = { a start or false for each job }";
    read_functions(table, result);
    read_order(table, result);
    read_why(table, result);
    result.starts = read_times(table, "starts", kStarts, result);
    result.ends =
        read_times(table, "ends", "ends = { an end or false for a job }", result);
    const bool has_starts = push(table, "starts") != LUA_TNIL;
    require(!has_starts || result.jobs.empty() ||
                result.starts.size() == result.jobs.size(),
            kStarts);
    const bool has_any = has_starts || !result.ends.empty() || !result.order.empty() ||
                         !result.why.empty() || result.has_check || result.has_holds;
    require(has_any, std::string(kStarts) + ", or ends, order, why, check or holds");
  }

  const CaseSettings& settings_;
  std::vector<std::string_view> fields_;
};

}  // namespace

void read_cases(lua_State* lua, const std::string& file, const CaseSettings& settings,
                std::vector<PolicyCase>& cases) {
  CaseReader(lua, file, settings).read(cases);
}

}  // namespace berth::bindings
