#include "bindings/policy_cases.hpp"

#include <array>

#include "bindings/case_reader.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/value.hpp"
#include "engine/base/scoped_value.hpp"
#include "engine/jobs/label.hpp"

namespace berth::bindings {

namespace {

struct Reading {
  const std::string* file;
  const CaseSettings* settings;
  std::vector<PolicyCase>* cases;
};

int read_body(lua_State* lua) {
  auto& reading = *static_cast<Reading*>(lua_touserdata(lua, 1));
  return run_reader(
      lua, [&] { read_cases(lua, *reading.file, *reading.settings, *reading.cases); });
}

}  // namespace

// The runs that a function is asked about while it runs, the first and the other.
struct CaseFile::Desk {
  std::string file;
  std::vector<PolicyCase> cases;
  std::array<const RunAnswers*, 2> runs{};
  lua_Integer call = 0;  // a run is known in its own call alone
  Border border{};       // of no simulation
  std::unique_ptr<Sandbox> sandbox;

  struct Call {
    Desk& desk;
    std::size_t number;
    Function function;
    std::string says{};
  };
  static int run(lua_State* lua);
  static void push_run(lua_State* lua, const Call& call, int which);
  static void push_job(lua_State* lua, const TestedJob& job);
  static const RunAnswers& run_of(lua_State* lua);
  static int job(lua_State* lua);
  static int jobs_of(lua_State* lua);
  static int metric(lua_State* lua);
  static int why(lua_State* lua);
  static std::span<const Primitive> records();
};

std::span<const Primitive> run_primitives() { return CaseFile::Desk::records(); }

namespace {

void set(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  lua_insert(lua, -2);
  lua_rawset(lua, -3);
}

std::optional<Time> wait_of(const TestedJob& job) {
  return job.start ? std::optional(*job.start - job.job->submit) : std::nullopt;
}

// Raises what was found wrong, in the scratch text of the sandbox.
int raise_scratch(lua_State* lua) {
  return luaL_error(lua, "%s", Sandbox::of(lua).scratch().c_str());
}

// Runs `work`; whether it threw an Error, whose text is then in the scratch text.
template <class Work>
bool has_refused(lua_State* lua, const Work& work) {
  bool refused = false;
  Guard::host_work(lua, [&] {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      Sandbox::of(lua).scratch() = error.what();
      refused = true;
    }
  });
  return refused;
}

}  // namespace

void CaseFile::Desk::push_job(lua_State* lua, const TestedJob& job) {
  const auto& asked = *job.job;
  lua_createtable(lua, 0, 9);
  lua_pushinteger(lua, asked.id);
  set(lua, "number");
  lua_pushinteger(lua, asked.size);
  set(lua, "size");
  if (asked.user != kUnknown) {
    lua_pushinteger(lua, label_number(asked.user));
    set(lua, "user");
  }
  const std::pair<const char*, std::optional<Time>> times[]{
      {"submit", asked.submit}, {"length", asked.length}, {"walltime", asked.walltime},
      {"start", job.start},     {"finish", job.finish},   {"wait", wait_of(job)}};
  for (const auto& [name, time] : times) {
    if (!time) continue;
    if (*time % kSecond == 0) {
      lua_pushinteger(lua, *time / kSecond);
    } else {
      push_seconds(lua, time);
    }
    set(lua, name);
  }
}

const RunAnswers& CaseFile::Desk::run_of(lua_State* lua) {
  auto& desk = *static_cast<Desk*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const auto which = lua_tointeger(lua, lua_upvalueindex(2));
  const auto* run = desk.runs.at(static_cast<std::size_t>(which));
  if (run == nullptr || lua_tointeger(lua, lua_upvalueindex(3)) != desk.call) {
    luaL_error(lua, "this run is over: a run is known while its function is called");
  }
  return *run;
}

int CaseFile::Desk::job(lua_State* lua) {
  const auto& run = run_of(lua);
  const auto number = read_count(lua, 2, 0);
  for (const auto& each : run.jobs()) {
    if (each.job->id != number) continue;
    push_job(lua, each);
    return 1;
  }
  return luaL_error(lua, "there is no job %I in this run",
                    static_cast<LUAI_UACINT>(number));
}

int CaseFile::Desk::jobs_of(lua_State* lua) {
  const auto jobs = run_of(lua).jobs();
  lua_createtable(lua, static_cast<int>(jobs.size()), 0);
  lua_Integer i = 0;
  for (const auto& each : jobs) {
    push_job(lua, each);
    lua_rawseti(lua, -2, ++i);
    if (i % 64 == 0) Guard::of(lua).charge(lua, 64);
  }
  return 1;
}

int CaseFile::Desk::metric(lua_State* lua) {
  const auto& run = run_of(lua);
  const auto name = read_text(lua, 2);
  std::optional<double> value;
  if (has_refused(lua, [&] { value = run.metric(std::string(name)); })) {
    return raise_scratch(lua);
  }
  if (!value) return 0;
  lua_pushnumber(lua, *value);
  return 1;
}

int CaseFile::Desk::why(lua_State* lua) {
  const auto& run = run_of(lua);
  const auto number = read_count(lua, 2, 0);
  std::optional<Time> at;
  if (!lua_isnoneornil(lua, 3)) at = read_seconds(lua, 3);
  std::string_view name;
  const bool refused = has_refused(lua, [&] {
    auto answer = run.why(number, at);
    if (!answer) return;
    name = answer->name;
    Sandbox::of(lua).scratch() = std::move(answer->words);
  });
  if (refused) return raise_scratch(lua);
  if (name.empty()) return 0;
  lua_pushlstring(lua, name.data(), name.size());
  const auto& words = Sandbox::of(lua).scratch();
  lua_pushlstring(lua, words.data(), words.size());
  return 2;
}

void CaseFile::Desk::push_run(lua_State* lua, const Call& call, int which) {
  const auto* run = call.desk.runs.at(static_cast<std::size_t>(which));
  if (run == nullptr) return lua_pushnil(lua);
  lua_createtable(lua, 0, 5);
  lua_pushinteger(lua, run->processors());
  set(lua, "processors");
  for (const auto& primitive : records()) {
    if (primitive.form() != Form::kMethod) continue;
    lua_pushlightuserdata(lua, &call.desk);
    lua_pushinteger(lua, which);
    lua_pushinteger(lua, call.desk.call);
    lua_pushcclosure(lua, primitive.call, 3);
    set(lua, primitive.name.data());
  }
}

std::span<const Primitive> CaseFile::Desk::records() {
  static constexpr std::array kRun{
      Primitive{"processors", "", "integer", "Processors of the machine.",
                "run.processors == 4"},
      Primitive{
          "job", "number: integer", "table",
          "A job, with number, size, user, submit, length, walltime, start, finish "
          "and wait; nil where a time is not known.",
          "run:job(1).size == 2", job},
      Primitive{"jobs", "", "table", "All jobs by (submit, number).",
                "#run:jobs() == 2", jobs_of},
      Primitive{"metric", "name: string", "number?",
                "A metric of the run; nil if it is undefined.",
                "run:metric(\"mean_wait\") == 15", metric},
      Primitive{"why", "number: integer, at?: seconds", "string?, string? words",
                "The reason why a job did not start, at a time or that under which it "
                "waited longest, and its words; nil if it did not wait.",
                "run:why(2) == \"no_room\"", why},
  };
  return kRun;
}

// `check` is content unless it says false; `holds` only if it says true.
int CaseFile::Desk::run(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  const bool is_check = call.function == Function::kCheck;
  Sandbox::push_result(lua);
  lua_rawgeti(lua, -1, static_cast<lua_Integer>(call.number) + 1);
  lua_pushstring(lua, is_check ? "check" : "holds");
  lua_rawget(lua, -2);
  if (!lua_isfunction(lua, -1)) return luaL_error(lua, "the function is gone");
  push_run(lua, call, 0);
  push_run(lua, call, 1);
  lua_call(lua, 2, 2);
  const bool is_right = lua_toboolean(lua, -2) != 0 || (is_check && lua_isnil(lua, -2));
  if (is_right) return 0;
  const bool has_text = lua_type(lua, -1) == LUA_TSTRING;
  const char* text = has_text ? lua_tostring(lua, -1) : nullptr;
  Guard::host_work(lua, [&] {
    call.says =
        text != nullptr
            ? shortened(plain_text(text, Newlines::kEscape), TableReader::kLongestText)
            : std::string(is_check ? "the check says false" : "does not hold");
  });
  return 0;
}

CaseFile::CaseFile(const PolicyFile& file, const Limits& limits,
                   const CaseSettings& settings)
    : desk_(std::make_unique<Desk>()) {
  auto& desk = *desk_;
  desk.file = file.chunk_name;
  desk.sandbox = std::make_unique<Sandbox>(limits, 0, Host{});
  desk.sandbox->guard().carry(&desk.border);
  desk.sandbox->load(file.chunk_name, file.text);
  Reading reading{&desk.file, &settings, &desk.cases};
  desk.sandbox->enter(read_body, &reading, {"load", 0});
}

CaseFile::~CaseFile() = default;

const std::vector<PolicyCase>& CaseFile::cases() const { return desk_->cases; }

std::string CaseFile::ask(std::size_t number, Function function, const RunAnswers& run,
                          const RunAnswers* other) {
  auto& desk = *desk_;
  const ScopedValue runs(desk.runs, decltype(desk.runs){&run, other});
  ++desk.call;
  Desk::Call call{desk, number, function};
  try {
    desk.sandbox->enter(Desk::run, &call, {"check of a case", desk.call});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kPolicy) throw;
    return error.what();
  }
  return call.says;
}

std::vector<PolicyCase> read_policy_cases(const PolicyFile& file, const Limits& limits,
                                          const CaseSettings& settings) {
  return CaseFile(file, limits, settings).cases();
}

}  // namespace berth::bindings
