#include "bindings/policy_cases.hpp"

#include <array>
#include <list>

#include "bindings/arguments.hpp"
#include "bindings/case_reader.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/value.hpp"
#include "engine/base/scoped_value.hpp"

namespace berth::bindings {

namespace {

// What tools/test_cases.lua returned, in the registry.
constexpr const char* kCaseTool = "berth.cases";

void push_function(lua_State* lua, const char* name) {
  lua_getfield(lua, LUA_REGISTRYINDEX, kCaseTool);
  lua_getfield(lua, -1, name);
  lua_remove(lua, -2);
}

int install_case_tool(lua_State* lua) {
  install_frames(lua, 0);
  push_tool(lua, "tools/test_cases.lua");
  lua_call(lua, 0, 1);
  lua_getfield(lua, -1, "call");
  set_frame_call(lua);
  lua_setfield(lua, LUA_REGISTRYINDEX, kCaseTool);
  return 0;
}

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

struct CaseFile::Desk {
  std::string file;
  std::vector<PolicyCase> cases;
  // The runs that a function is asked about while it runs, the first and the other.
  std::array<const RunAnswers*, 2> runs{};
  lua_Integer call = 0;          // a run is known in its own call alone
  std::list<RunObject> objects;  // of all calls
  Border border{};               // of no simulation
  std::unique_ptr<Sandbox> sandbox;

  struct Call {
    Desk& desk;
    std::size_t number;
    Function function;
    std::string says{};
  };
  Desk(const PolicyFile& file, const Limits& limits);
  static int run(lua_State* lua);
  void push_run(lua_State* lua, std::size_t which);
  static int why(lua_State* lua);
};

CaseFile::Desk::Desk(const PolicyFile& from, const Limits& limits)
    : file(from.chunk_name), sandbox(std::make_unique<Sandbox>(limits, 0, Host{})) {
  sandbox->guard().carry(&border);
  sandbox->enter(install_case_tool, nullptr, {"load", 0});
  sandbox->load(file, from.text);
}

// Upvalues: the desk, which of its runs, the call in which it is known.
int CaseFile::Desk::why(lua_State* lua) {
  const auto& desk = *static_cast<Desk*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const auto which = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(2)));
  const auto* run = desk.runs.at(which);
  if (run == nullptr || lua_tointeger(lua, lua_upvalueindex(3)) != desk.call) {
    return luaL_error(lua, kRunIsOver);
  }
  const auto number = read_count(lua, 2, 0);
  std::optional<Time> at;
  if (!lua_isnoneornil(lua, 3)) at = read_seconds(lua, 3);
  std::string_view name;
  bool refused = false;
  Guard::host_work(lua, [&] {
    try {
      auto answer = run->why(number, at);
      if (!answer) return;
      name = answer->name;
      Sandbox::of(lua).scratch() = std::move(answer->words);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      Sandbox::of(lua).scratch() = error.what();
      refused = true;
    }
  });
  if (refused) raise_scratch_text(lua);
  if (name.empty()) return 0;
  push_string(lua, name);
  push_string(lua, Sandbox::of(lua).scratch());
  return 2;
}

void CaseFile::Desk::push_run(lua_State* lua, std::size_t which) {
  if (runs.at(which) == nullptr) return lua_pushnil(lua);
  const RunObject* object = nullptr;
  Guard::host_work(lua, [&] { object = &objects.emplace_back(runs.at(which)->run()); });
  lua_newtable(lua);
  lua_pushvalue(lua, -1);
  object->push_with(lua);
  lua_insert(lua, -2);
  push_function(lua, "open_run");
  lua_pushvalue(lua, -3);
  lua_pushvalue(lua, -3);
  lua_pushlightuserdata(lua, this);
  lua_pushinteger(lua, static_cast<lua_Integer>(which));
  lua_pushinteger(lua, call);
  lua_pushcclosure(lua, why, 3);
  lua_call(lua, 3, 0);
  lua_pop(lua, 1);
}

// `check` is content unless it says false; `holds` only if it says true.
int CaseFile::Desk::run(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  const bool is_check = call.function == Function::kCheck;
  push_function(lua, "close_runs");
  lua_call(lua, 0, 0);
  Sandbox::push_result(lua);
  lua_geti(lua, -1, static_cast<lua_Integer>(call.number) + 1);
  lua_getfield(lua, -1, is_check ? "check" : "holds");
  if (!lua_isfunction(lua, -1)) return luaL_error(lua, "the function is gone");
  call.desk.push_run(lua, 0);
  call.desk.push_run(lua, 1);
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

namespace {

// The tool has it: the record only names it.
int member_of_tool(lua_State* lua) { return luaL_error(lua, kRunIsOver); }

}  // namespace

std::span<const Primitive> run_primitives() {
  static constexpr std::array kRun{
      Primitive{"processors", "", "integer", "Processors of the machine.",
                "run.processors == 4"},
      Primitive{
          "job", "number: integer", "table",
          "A job, with number, size, user, submit, length, walltime, start, finish "
          "and wait; nil where a time is not known.",
          "run:job(1).size == 2", member_of_tool},
      Primitive{"jobs", "", "Frame|fun(self: Run): table",
                "The frame that every run has; run:jobs() is a list of all jobs by "
                "(submit, number), each as run:job gives it.",
                "#run:jobs() == 2 and #run.jobs == 2"},
      Primitive{"why", "number: integer, at?: seconds", "string?, string? words",
                "The reason why a job did not start, at a time or that under which it "
                "waited longest, and its words; nil if it did not wait.",
                "run:why(2) == \"no_room\"", CaseFile::Desk::why},
  };
  return kRun;
}

CaseFile::CaseFile(const PolicyFile& file, const Limits& limits,
                   const CaseSettings& settings)
    : desk_(std::make_unique<Desk>(file, limits)) {
  Reading reading{&desk_->file, &settings, &desk_->cases};
  desk_->sandbox->enter(read_body, &reading, {"load", 0});
}

CaseFile::CaseFile(const PolicyFile& file, const Limits& limits,
                   std::vector<PolicyCase> cases)
    : desk_(std::make_unique<Desk>(file, limits)) {
  desk_->cases = std::move(cases);
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
    call.says = error.what();
  }
  for (auto& object : desk.objects) object.close();
  return call.says;
}

std::vector<PolicyCase> read_policy_cases(const PolicyFile& file, const Limits& limits,
                                          const CaseSettings& settings) {
  return CaseFile(file, limits, settings).cases();
}

}  // namespace berth::bindings
