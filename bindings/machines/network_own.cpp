// The field `embedding` of a policy file.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/machines/network_embedding.hpp"
#include "bindings/policy_table.hpp"
#include "engine/base/error.hpp"
#include "engine/base/scoped_value.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/network/networked.hpp"
#include "engine/machines/network/slots_settings.hpp"

namespace berth::bindings {

namespace own_embedding {
namespace {

constexpr std::array<std::string_view, 5> kFields{"weight", "server_weight", "fill",
                                                  "scope", "whole_server_first"};

// What the file asks for: an embedding by name, or an order of servers of its own
// within the frame.
struct EmbeddingField {
  std::string name;               // empty: it has its own
  int weight = LUA_NOREF;         // references in the Lua registry: one of the two is
  int server_weight = LUA_NOREF;  // there if it has its own
  FrameSettings frame{};          // without the order

  [[nodiscard]] bool is_own() const { return name.empty(); }
};

const EmbeddingField& field_in(const std::any& field) {
  return *std::any_cast<EmbeddingField>(&field);
}

// Reads the field from the table at this stack index.
void read_own(TableReader& reader, int at, EmbeddingField& own) {
  reader.enter("embedding");
  reader.check_keys(at, kFields, TableReader::Unknown::kRefused);
  own.weight = read_function(reader, at, "weight", false);
  own.server_weight = read_function(reader, at, "server_weight", false);
  reader.require((own.weight == LUA_NOREF) != (own.server_weight == LUA_NOREF),
                 "give either weight or server_weight, a function");
  reader.choice<Fill>(at, "fill", own.frame.fill,
                      {{"largest", Fill::kLargest},
                       {"count_up", Fill::kCountUp},
                       {"whole_or_count_up", Fill::kWholeOrCountUp}});
  reader.choice<Scope>(
      at, "scope", own.frame.scope,
      {{"smallest_subtree", Scope::kSmallestSubtree}, {"core_only", Scope::kCoreOnly}});
  const int flag = reader.push(at, "whole_server_first");
  reader.require(flag == LUA_TNIL || flag == LUA_TBOOLEAN,
                 "whole_server_first must be true or false");
  own.frame.whole_server_first = lua_toboolean(reader.lua(), -1) != 0;
  lua_pop(reader.lua(), 1);
  reader.leave();
}

void read_field(TableReader& reader, int top, std::any& field) {
  auto* lua = reader.lua();
  const int type = reader.push(top, "embedding");
  if (type != LUA_TNIL && type != LUA_TSTRING && type != LUA_TTABLE) {
    reader.refuse("embedding must be a name, or a table with a weight");
  }
  if (type != LUA_TNIL) {
    auto& read = field.emplace<EmbeddingField>();
    if (type == LUA_TSTRING) read.name = reader.kept(-1, "embedding");
    if (type == LUA_TTABLE) read_own(reader, lua_gettop(lua), read);
    if (type == LUA_TSTRING && read.name.empty()) field.reset();
  }
  lua_pop(lua, 1);
}

void amend(Parameter& parameter, const std::any& field, const std::string& file) {
  const auto& asked = field_in(field);
  if (asked.is_own()) {
    parameter.values.emplace_back(kOwnEmbedding);
    parameter.value = std::string(kOwnEmbedding);
    return;
  }
  const auto& known = parameter.values;
  if (std::find(known.begin(), known.end(), asked.name) == known.end()) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: there is no embedding '{}'{}", file, asked.name,
                            did_you_mean(asked.name, names)));
  }
  parameter.value = asked.name;
}

// Whether the policy's own one is in force.
bool is_in_force(const HookScript& script) {
  const auto chosen = script.values->find("embedding");
  return chosen != script.values->end() &&
         parameter_text(chosen->second) == kOwnEmbedding;
}

// A call of a weight for each of several idle-slot counts or servers.
struct WeightCall {
  const HookScript& script;
  int function;
  JobId job;
  std::span<const std::int32_t> things;
  std::span<double> weights;
};

int run_weights(lua_State* lua) {
  auto& call = *static_cast<WeightCall*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  const int function = lua_gettop(lua);
  push_job(lua, call.job);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.cluster);
  lua_getfield(lua, -1, "network");
  const int network = lua_gettop(lua);
  for (std::size_t i = 0; i < call.things.size(); ++i) {
    lua_pushvalue(lua, function);
    lua_pushinteger(lua, call.things[i]);
    lua_pushvalue(lua, function + 1);
    lua_pushvalue(lua, network);
    lua_call(lua, 3, 1);
    const auto weight = exact_number(lua, -1);
    if (!weight) {
      return luaL_error(lua, "%s: a weight must be a finite number, got %s for %d",
                        call.script.file->c_str(), push_inexact(lua, -1),
                        static_cast<int>(call.things[i]));
    }
    call.weights[i] = *weight;
    lua_pop(lua, 1);
  }
  return 0;
}

// Messages name the job until the call ends, by an error too.
void weigh(WeightCall& call, sim::Simulation& simulation) {
  if (call.things.empty()) return;
  const auto& script = call.script;
  auto& guard = script.sandbox->guard();
  if (!guard.is_inside()) guard.account_for_engine();
  const sim::World::ReadingOnly reading(simulation.parts().world);
  const ScopedValue about(*script.about, call.job);
  script.border->simulation = &simulation;
  ++script.border->crossings;
  script.sandbox->enter(run_weights, &call,
                        {"weight", simulation.world().decision().number, true});
}

void begin(const HookScript& script, const std::any& field,
           sim::Simulation& simulation) {
  const auto& own = field_in(field);
  auto* network = capability<Networked>(simulation.parts().world.state().hosts);
  if (!own.is_own() || network == nullptr || !is_in_force(script)) return;
  const bool weighs_slots = own.weight != LUA_NOREF;
  const int function = weighs_slots ? own.weight : own.server_weight;
  network->use(make_own_embedding(
      own.frame, weighs_slots ? Weighed::kSlotCounts : Weighed::kServers,
      [script, function, &simulation](const ClusterRequest& request,
                                      std::span<const std::int32_t> things,
                                      std::span<double> weights) {
        WeightCall call{script, function, JobId{request.who}, things, weights};
        weigh(call, simulation);
      },
      Weights::kKept));
}

// Weights by idle slots are told with each refusal.
std::string_view unjudged(const HookScript& script, const std::any& field,
                          sim::Promise promise) {
  using sim::Promise;
  const bool rests_on_fit =
      promise == Promise::kTopFirst || promise == Promise::kFirstIfItFits;
  const bool is_told =
      promise == Promise::kTopFirst && field_in(field).server_weight == LUA_NOREF;
  if (!rests_on_fit || is_told || !is_in_force(script)) return {};
  return "what the policy promises is not judged with an embedding of its own, "
         "whose weights the audit is not told";
}

}  // namespace
}  // namespace own_embedding

std::span<const PolicyHook> embedding_hooks() {
  static constexpr std::array kHooks{PolicyHook{"embedding",
                                                {},
                                                own_embedding::read_field,
                                                own_embedding::amend,
                                                own_embedding::begin,
                                                own_embedding::unjudged}};
  return kHooks;
}

}  // namespace berth::bindings
