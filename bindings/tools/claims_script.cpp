#include "bindings/tools/claims_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bindings/table_reader.hpp"
#include "bindings/tools.hpp"
#include "bindings/tools/frame.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

// The file "tools/lib/list.lua" of the program.
std::optional<LoadedSource> tool_file(const std::string& name) {
  const auto at = std::find_if(kTools.begin(), kTools.end(),
                               [&](const Tool& tool) { return tool.name == name; });
  if (at == kTools.end()) return std::nullopt;
  return LoadedSource{name, std::string(at->text)};
}

// nearest(word, words): the nearest of them, or nil.
int nearest_word(lua_State* lua) {
  std::size_t length = 0;
  const char* word = luaL_checklstring(lua, 1, &length);
  luaL_checktype(lua, 2, LUA_TTABLE);
  const auto count = static_cast<std::size_t>(lua_rawlen(lua, 2));
  auto* words = static_cast<std::string_view*>(
      lua_newuserdatauv(lua, count * sizeof(std::string_view), 0));
  for (std::size_t i = 0; i < count; ++i) {
    Guard::of(lua).charge(lua, 1);
    lua_rawgeti(lua, 2, static_cast<lua_Integer>(i) + 1);
    std::size_t bytes = 0;
    const char* text = luaL_checklstring(lua, -1, &bytes);
    words[i] = {text, bytes};
    lua_pop(lua, 1);  // the list holds it
  }
  std::string_view near;
  Guard::host_work(lua, [&] { near = nearest({word, length}, {words, count}); });
  if (near.empty()) return 0;
  lua_pushlstring(lua, near.data(), near.size());
  return 1;
}

int lend_tools(lua_State* lua) {
  install_frames(lua, 0);
  lua_pushglobaltable(lua);
  lua_newtable(lua);
  lua_pushcfunction(lua, nearest_word);
  lua_setfield(lua, -2, "nearest");
  lua_setfield(lua, -2, "tool");
  return 0;
}

}  // namespace

// One call of what the tool returned.
struct ClaimsScript::Call {
  const std::string& file;
  const char* function;
  const std::vector<std::string>* only = nullptr;
  const Sweeps* sweeps = nullptr;
  std::span<const ClaimedMetric> metrics{};

  std::vector<std::string> problems{};
  Declared declared{};
  std::optional<std::string> unknown{};
  ClaimsAnswer answer{};

  void push_sweeps(lua_State* lua) const {
    lua_newtable(lua);
    for (const auto& [name, sweep] : *sweeps) {
      push_sweep(lua, *sweep);
      lua_setfield(lua, -2, name.c_str());
    }
  }

  void push_facts(lua_State* lua) const {
    lua_newtable(lua);
    push_sweeps(lua);
    lua_setfield(lua, -2, "sweeps");
    lua_newtable(lua);
    lua_newtable(lua);
    lua_Integer i = 0;
    for (const auto& metric : metrics) {
      lua_newtable(lua);
      lua_pushlstring(lua, metric.unit.data(), metric.unit.size());
      lua_setfield(lua, -2, "unit");
      lua_pushstring(lua, metric.is_more_better ? "more" : "less");
      lua_setfield(lua, -2, "better");
      lua_setfield(lua, -3, metric.name.c_str());
      lua_pushlstring(lua, metric.name.data(), metric.name.size());
      lua_rawseti(lua, -2, ++i);
    }
    lua_setfield(lua, -3, "metric_names");
    lua_setfield(lua, -2, "metrics");
  }

  void push_argument(lua_State* lua) const {
    if (only != nullptr) return push_texts(lua, *only);
    if (metrics.empty()) return push_sweeps(lua);
    push_facts(lua);
  }

  // Reads the table that stands at `at`.
  void read(lua_State* lua, int at) {
    TableReader reader(lua, file);
    unknown = reader.text(at, "unknown");
    const auto texts = [&](const char* key, std::vector<std::string>& to) {
      if (reader.push(at, key) != LUA_TNIL) to = read_texts(reader, lua_gettop(lua));
      lua_pop(lua, 1);
    };
    texts("problems", problems);
    texts("sweeps", declared.sweeps);
    texts("metrics", declared.metrics);
    texts("unexpected", answer.unexpected);
    if (reader.push(at, "page") != LUA_TNIL) {
      answer.page = read_page(reader, lua_gettop(lua));
    }
    if (reader.push(at, "json") != LUA_TNIL) {
      answer.json = read_json(reader, lua_gettop(lua));
    }
    lua_pop(lua, 2);
  }

  static int body(lua_State* lua) {
    auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
    luaL_checkstack(lua, 20, nullptr);
    Sandbox::push_result(lua);
    lua_getfield(lua, -1, call.function);
    call.push_argument(lua);
    lua_call(lua, 1, 1);
    const int at = lua_gettop(lua);
    return run_reader(lua, [&] { call.read(lua, at); });
  }
};

ClaimsScript::ClaimsScript(LoadedSource file, Library library, const Limits& limits)
    : file_(file.name) {
  Host host;
  host.library = [own = std::move(file), others = std::move(library)](
                     std::string_view name) -> std::optional<LoadedSource> {
    if (name == "claims") return own;
    auto tool = tool_file(fmt::format("tools/lib/{}.lua", name));
    if (tool || !others) return tool;
    return others(name);
  };
  sandbox_ = std::make_unique<Sandbox>(limits, 0, std::move(host));
  sandbox_->enter(lend_tools, nullptr, {"load", 0});
  const auto tool = *tool_file("tools/claims.lua");
  sandbox_->load(tool.name, tool.text);
}

ClaimsScript::~ClaimsScript() = default;

void ClaimsScript::throw_problems(const std::vector<std::string>& problems) const {
  if (problems.empty()) return;
  std::vector<std::string> lines;
  for (const auto& problem : problems) {
    const bool is_of_file = problem.starts_with(':');
    lines.push_back(is_of_file ? file_ + problem : sandbox_->with_whole_name(problem));
  }
  throw Error(ErrorCode::kInput, fmt::format("{}", fmt::join(lines, "\n")));
}

ClaimsScript::Declared ClaimsScript::declared(const std::vector<std::string>& only) {
  Call call{file_, "declared", &only};
  sandbox_->enter(Call::body, &call, {"reading of claims", 1});
  if (call.unknown) throw Error(ErrorCode::kUsage, *call.unknown);
  throw_problems(call.problems);
  return std::move(call.declared);
}

void ClaimsScript::check(const Sweeps& sweeps, std::span<const ClaimedMetric> metrics) {
  Call call{file_, "check", nullptr, &sweeps, metrics};
  sandbox_->enter(Call::body, &call, {"check of claims", 1});
  throw_problems(call.problems);
}

ClaimsAnswer ClaimsScript::judge(const Sweeps& sweeps) {
  Call call{file_, "judge", nullptr, &sweeps};
  sandbox_->enter(Call::body, &call, {"judgement of claims", 1});
  for (auto& row : call.answer.unexpected) row = sandbox_->with_whole_name(row);
  return std::move(call.answer);
}

}  // namespace berth::bindings
