#include "bindings/tools/explain_script.hpp"

#include <utility>

#include "bindings/arguments.hpp"
#include "bindings/table_reader.hpp"
#include "engine/machines/reason_list.hpp"

namespace berth::bindings {

namespace {

// A list of { name, slurm } in the order of reasons.
void push_reasons(lua_State* lua) {
  lua_newtable(lua);
  lua_Integer i = 0;
  for (const auto& why : all_reasons()) {
    const auto& record = why.record();
    lua_createtable(lua, 0, 2);
    push_string(lua, record.name);
    lua_setfield(lua, -2, "name");
    push_string(lua, record.slurm.empty() ? "-" : record.slurm);
    lua_setfield(lua, -2, "slurm");
    lua_rawseti(lua, -2, ++i);
  }
}

// A list of the numbers of their rows in run.jobs.
void push_rows(lua_State* lua, const std::vector<JobId>& jobs) {
  lua_newtable(lua);
  lua_Integer i = 0;
  for (const JobId job : jobs) {
    lua_pushinteger(lua, lua_Integer{index(job)} + 1);
    lua_rawseti(lua, -2, ++i);
  }
}

// Pushes a function of what the file returns, and the run for it.
void push_function(lua_State* lua, const char* name, const std::string& file,
                   const RunObject& run) {
  luaL_checkstack(lua, 20, nullptr);
  Sandbox::push_result(lua);
  if (lua_type(lua, -1) != LUA_TTABLE || lua_getfield(lua, -1, name) == LUA_TNIL) {
    luaL_error(lua, "%s: expected to return { %s = function(run, facts) }",
               file.c_str(), name);
  }
  run.push(lua);
}

}  // namespace

struct ExplainScript::Call {
  const std::string& file;
  const RunObject& run;
  std::size_t followed;
  Wanted wanted;
  ExplainAnswer answer{};

  // { json, files, followed, reasons }
  void push_facts(lua_State* lua) const {
    lua_newtable(lua);
    lua_pushboolean(lua, wanted.json ? 1 : 0);
    lua_setfield(lua, -2, "json");
    lua_pushboolean(lua, wanted.files ? 1 : 0);
    lua_setfield(lua, -2, "files");
    lua_pushinteger(lua, static_cast<lua_Integer>(followed));
    lua_setfield(lua, -2, "followed");
    push_reasons(lua);
    lua_setfield(lua, -2, "reasons");
  }

  void read(lua_State* lua, int at) {
    TableReader reader(lua, file);
    reader.require(lua_type(lua, at) == LUA_TTABLE, "expected an answer, a table");
    const auto is_there = [&](const char* key) {
      reader.push(at, key);
      return lua_toboolean(lua, -1) != 0;
    };
    if (is_there("page")) answer.page = read_page(reader, lua_gettop(lua));
    if (is_there("files")) answer.files = read_page(reader, lua_gettop(lua));
    if (is_there("json")) answer.json = read_json(reader, lua_gettop(lua));
  }

  static int body(lua_State* lua) {
    auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
    push_function(lua, "all", call.file, call.run);
    call.push_facts(lua);
    lua_call(lua, 2, 1);
    const int at = lua_gettop(lua);
    return run_reader(lua, [&] { call.read(lua, at); });
  }
};

struct ExplainScript::BetweenCall {
  const std::string& file;
  const RunObject& run;
  const ExplainParting& parting;
  Page page{};

  void push_starts(lua_State* lua) const {
    lua_newtable(lua);
    lua_Integer i = 0;
    for (const auto& start : parting.starts) {
      lua_createtable(lua, 0, 3);
      push_string(lua, start.policy);
      lua_setfield(lua, -2, "policy");
      lua_pushinteger(lua, lua_Integer{index(start.job)} + 1);
      lua_setfield(lua, -2, "job");
      push_string(lua, start.reason);
      lua_setfield(lua, -2, "reason");
      lua_rawseti(lua, -2, ++i);
    }
  }

  // { other, at, waiting, starts, others, reasons }
  void push_facts(lua_State* lua) const {
    lua_newtable(lua);
    push_string(lua, run.run().others.front()->policy);
    lua_setfield(lua, -2, "other");
    if (parting.at) lua_pushnumber(lua, to_seconds(*parting.at));
    if (!parting.at) lua_pushnil(lua);
    lua_setfield(lua, -2, "at");
    push_rows(lua, parting.waiting);
    lua_setfield(lua, -2, "waiting");
    push_starts(lua);
    lua_setfield(lua, -2, "starts");
    push_rows(lua, parting.others);
    lua_setfield(lua, -2, "others");
    push_reasons(lua);
    lua_setfield(lua, -2, "reasons");
  }

  static int body(lua_State* lua) {
    auto& call = *static_cast<BetweenCall*>(lua_touserdata(lua, 1));
    push_function(lua, "between", call.file, call.run);
    call.push_facts(lua);
    lua_call(lua, 2, 1);
    const int at = lua_gettop(lua);
    return run_reader(lua, [&] {
      TableReader reader(lua, call.file);
      reader.require(lua_type(lua, at) == LUA_TTABLE, "expected a page");
      call.page = read_page(reader, at);
    });
  }
};

ExplainScript::ExplainScript(const Limits& limits, const ToolLibrary& own)
    : sandbox_(load_tool("explain", limits, nullptr, own)) {}

ExplainAnswer ExplainScript::all(const ToolRun& run, std::size_t followed,
                                 const Wanted& wanted) {
  const RunObject object(run);
  Call call{sandbox_->sources().front().name, object, followed, wanted};
  sandbox_->enter(Call::body, &call, {"report", 1});
  return std::move(call.answer);
}

Page ExplainScript::between(const ToolRun& run, const ExplainParting& parting) {
  const RunObject object(run);
  BetweenCall call{sandbox_->sources().front().name, object, parting};
  sandbox_->enter(BetweenCall::body, &call, {"report", 1});
  return std::move(call.page);
}

}  // namespace berth::bindings
