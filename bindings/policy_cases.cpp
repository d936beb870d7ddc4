#include "bindings/policy_cases.hpp"

#include <algorithm>
#include <limits>

#include "bindings/table_reader.hpp"
#include "engine/base/narrow.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/models/sharing_models.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::bindings {

namespace {

constexpr std::array<std::string_view, 15> kFields{
    "processors", "params",  "jobs",      "starts",    "pass",
    "ties",       "sharing", "cpu_use",   "half_life", "weights",
    "charge",     "memory",  "resources", "hosts",     "cycle"};
constexpr double kKibPerGib = 1024.0 * 1024.0;
constexpr double kMostOfKind = 4503599627370496.0;  // 2^52
constexpr std::size_t kMostCases = 10'000;
constexpr std::size_t kMostJobs = 100'000;  // of a case
// Jobs that run one after the other end before the clock does, with room for sums.
constexpr Duration kLongestCase = seconds(4'000'000'000'000);
constexpr std::int32_t kMostProcessors = 100'000;  // some machines keep each of them

constexpr std::string_view kWeights = "weights = { [user] = a number above 0 }";

// Reads the list of cases on top of the stack.
class CaseReader : TableReader {
 public:
  using TableReader::TableReader;

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
  }

 private:
  PolicyCase read_case(int table) {
    PolicyCase result;
    lua_rawgeti(lua(), table, 1);
    require(lua_type(lua(), -1) == LUA_TSTRING, "a case begins with its name");
    result.name = escaped(kept(-1, "the name of a case", kLongestName));
    enter(result.name);
    check_keys(table, kFields, Unknown::kRefused);
    read_resources(table, result);
    const auto processors =
        result.resources.hosts.empty()
            ? whole(number(table, "processors"))
            : narrowed<std::int32_t>(
                  static_cast<double>(processors_of(result.resources)), 1,
                  kMostProcessors);
    require(processors.has_value(),
            "processors = " + narrowed_range(1, kMostProcessors));
    result.processors = *processors;
    choice<sim::PassMode>(
        table, "pass", result.settings.pass,
        {{"instant", sim::PassMode::kInstant}, {"event", sim::PassMode::kEvent}});
    choice<Ties>(
        table, "ties", result.settings.ties,
        {{"ends_first", Ties::kEndsFirst}, {"submits_first", Ties::kSubmitsFirst}});
    read_sharing(table, result);
    read_shares(table, result);
    read_parameters(table, result);
    read_jobs(table, result);
    read_starts(table, result);
    return result;
  }

  // An amount of a kind: a count, or of memory KiB for the GiB given.
  std::int64_t amount(std::string_view kind, double value) {
    if (kind == "memory") value *= kKibPerGib;
    require(value >= 0 && value <= kMostOfKind && std::floor(value) == value,
            "an amount is a whole number, 0 or more, memory in GiB");
    return static_cast<std::int64_t>(value);
  }

  // The amounts of the table on top of the stack, by name of the kind.
  std::map<std::string, std::int64_t> amounts(std::string_view what) {
    std::map<std::string, std::int64_t> all;
    require(lua_istable(lua(), -1), what);
    const int table = lua_gettop(lua());
    for (const auto& name : keys(table, what)) {
      const auto value = number(table, name.c_str());
      require(value.has_value(), what);
      all[name] = amount(name, *value);
    }
    lua_settop(lua(), table);
    return all;
  }

  void read_resources(int table, PolicyCase& result) {
    auto& resources = result.resources;
    if (const auto memory = number(table, "memory")) {
      resources.memory = amount("memory", *memory);
    }
    if (push(table, "resources") != LUA_TNIL) {
      for (const auto& [name, held] : amounts("resources = { kind = a count }")) {
        resources.wide.emplace_back(name, held);
      }
    }
    if (push(table, "hosts") != LUA_TNIL) read_hosts(resources);
    require(kinds_of(1, resources).size() <= kMostKinds,
            "a machine has up to 16 kinds");
    lua_settop(lua(), table);
  }

  static void set_of_group(HostGroup& group, const std::string& name,
                           std::int64_t held) {
    const auto count = static_cast<std::int32_t>(
        std::min<std::int64_t>(held, std::numeric_limits<std::int32_t>::max()));
    if (name == "count") {
      group.count = count;
    } else if (name == "processors") {
      group.processors = count;
    } else if (name == "memory") {
      group.memory = held;
    } else if (name == "partition") {
      group.partition = count;
    } else {
      group.resources.emplace_back(name, held);
    }
  }

  void read_hosts(Resources& resources) {
    static constexpr std::string_view kForm =
        "hosts = { { count = n, processors = n, memory = GiB, kind = a count } }";
    require(lua_istable(lua(), -1), kForm);
    const int list = lua_gettop(lua());
    for (lua_Integer i = 1; lua_rawgeti(lua(), list, i) != LUA_TNIL; ++i) {
      HostGroup group;
      group.name = fmt::format("{}", i);
      for (const auto& [name, held] : amounts(kForm)) set_of_group(group, name, held);
      require(group.count >= 1 && group.count <= kMostProcessors &&
                  group.processors >= 1 && group.processors <= kMostProcessors,
              kForm);
      resources.hosts.push_back(std::move(group));
      lua_settop(lua(), list);
    }
    require(processors_of(resources) <= kMostProcessors, kForm);
  }

  // { needs = { kind = amount } } of the job on top of the stack.
  void read_needs(const Job& of, PolicyCase& result) {
    const int job = lua_gettop(lua());
    if (push(job, "needs") != LUA_TNIL) {
      for (const auto& [name, held] : amounts("needs = { kind = amount }")) {
        require(name != "chunks" || (held >= 1 && of.size % held == 0),
                "the size of a job is a multiple of its chunks");
        result.needs["needs." + name][of.id] = {static_cast<double>(held)};
      }
    }
    lua_settop(lua(), job);
  }

  void read_sharing(int table, PolicyCase& result) {
    if (push(table, "sharing") != LUA_TNIL) {
      const bool is_text = lua_type(lua(), -1) == LUA_TSTRING;
      if (is_text) result.sharing = kept(-1, "sharing", kLongestName);
      require(is_text && find_model(result.sharing) != nullptr,
              "sharing = the name of a sharing model");
    }
    result.cpu_use = number(table, "cpu_use");
    const double use = result.cpu_use.value_or(1);
    require(use > 0 && use <= 1, "cpu_use = a number above 0, at most 1");
  }

  void read_shares(int table, PolicyCase& result) {
    ShareSettings shares;
    const auto half_life = number(table, "half_life");
    if (half_life) shares.half_life = time(half_life, "half_life = seconds");
    choice<Charge>(
        table, "charge", shares.charge,
        {{"processors", Charge::kProcessors}, {"dominant", Charge::kDominant}});
    const auto cycle = number(table, "cycle");
    if (cycle) result.settings.cycle = time(cycle, "cycle = seconds");
    if (push(table, "weights") == LUA_TTABLE) {
      const int weights = lua_gettop(lua());
      for (lua_pushnil(lua()); lua_next(lua(), weights) != 0; lua_pop(lua(), 1)) {
        const bool right = lua_isinteger(lua(), -2) != 0 &&
                           lua_type(lua(), -1) == LUA_TNUMBER &&
                           lua_tonumber(lua(), -1) > 0;
        require(right, kWeights);
        shares.users[static_cast<std::int32_t>(lua_tointeger(lua(), -2))] =
            lua_tonumber(lua(), -1);
      }
    } else {
      require(lua_isnil(lua(), -1), kWeights);
    }
    result.settings.shares = std::move(shares);
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
    const bool is_number = lua_type(lua(), -1) == LUA_TNUMBER;
    const auto value =
        is_number ? std::optional(lua_tonumber(lua(), -1)) : std::nullopt;
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
    require(*user >= 0 && *user <= 1e9 && std::floor(*user) == *user,
            "user = a whole number");
    return static_cast<std::int32_t>(*user);
  }

  void read_jobs(int table, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "jobs = { { submit, size, length[, walltime] } }; a job may have user = number "
        "and needs = { kind = amount }";
    require(push(table, "jobs") == LUA_TTABLE, kForm);
    const int list = lua_gettop(lua());
    const auto count = lua_rawlen(lua(), list);
    require(count <= kMostJobs,
            fmt::format("{} jobs, at most {} are allowed", count, kMostJobs));
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

  void read_starts(int table, PolicyCase& result) {
    static constexpr std::string_view kForm =
        "starts = { a start or false for each job }";
    require(push(table, "starts") == LUA_TTABLE, kForm);
    require(lua_rawlen(lua(), -1) == result.jobs.size(), kForm);
    const auto count = static_cast<lua_Integer>(result.jobs.size());
    for (lua_Integer i = 1; i <= count; ++i) {
      const auto start = item(i);
      require(start.has_value() || is_false(i), kForm);
      result.starts.push_back(start ? std::optional(time(start, kForm)) : std::nullopt);
    }
  }
};

struct Reading {
  const std::string* file;
  std::vector<PolicyCase>* cases;
};

int read_body(lua_State* lua) {
  auto& reading = *static_cast<Reading*>(lua_touserdata(lua, 1));
  return run_reader(lua, [&] { CaseReader(lua, *reading.file).read(*reading.cases); });
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
  if (wanted.cpu_use) {
    set_model_setting(machine, "cpu_use", *wanted.cpu_use);
    set_model_setting(machine, "needs", *wanted.cpu_use);
  }
  machine.resources = wanted.resources;
  auto columns = std::make_shared<JobColumns>(jobs);
  for (const auto& [name, values] : wanted.needs) columns->add(name, values);
  sim::Simulation simulation(machine, wanted.settings, jobs, policy,
                             model_of(machine).make({machine, jobs, columns, 0}));
  Starts seen(jobs.size());
  simulation.observe(seen);
  simulation.advance(kNever);
  simulation.finish();
  std::string differences;
  for (std::size_t i = 0; i < wanted.starts.size(); ++i) {
    if (seen.starts[i] == wanted.starts[i]) continue;
    differences += fmt::format("{}: job {} starts at {}, expected {}\n", wanted.name,
                               i + 1, text(seen.starts[i]), text(wanted.starts[i]));
  }
  return differences;
}

}  // namespace berth::bindings
