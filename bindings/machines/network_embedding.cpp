#include "bindings/machines/network_embedding.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/scoped_value.hpp"

namespace berth::bindings {

namespace {

class WeighedEmbedding final : public Embedding {
 public:
  WeighedEmbedding(const FrameSettings& frame, Weighed what, Weigh weigh, Weights kept)
      : plain_(frame), weigh_(std::move(weigh)), keeps_(kept == Weights::kKept) {
    auto settings = frame;
    if (what == Weighed::kServers) {
      settings.server_weights = weigh_;
    } else {
      settings.slot_order = [this](const Network&, const ClusterRequest& request,
                                   std::span<std::int32_t> rank) {
        rank_by(request, rank);
      };
    }
    frame_ = make_frame(std::move(settings));
  }

  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request,
                                             Budget& budget) override {
    refuse_if_busy();
    const ScopedValue busy(busy_, true);
    return frame_->find(network, request, budget);
  }
  [[nodiscard]] Reached reach(const Network& network, const ClusterRequest& request,
                              Budget& budget) override {
    refuse_if_busy();
    const ScopedValue busy(busy_, true);
    return frame_->reach(network, request, budget);
  }
  [[nodiscard]] std::optional<SlotWeights> weights_of(
      std::uint32_t who) const override {
    const auto found = last_weights_.find(who);
    if (found == last_weights_.end()) return std::nullopt;
    return SlotWeights{plain_, found->second};
  }
  void forget(std::uint32_t who) override { last_weights_.erase(who); }
  [[nodiscard]] bool calls_policy() const override { return true; }

 private:
  // The frame keeps its working memory and cannot be entered twice.
  void refuse_if_busy() const {
    if (!busy_) return;
    throw Error(ErrorCode::kPolicy,
                "a weight is asked while a job is being placed: it cannot ask where a "
                "job would be placed, or whether one fits");
  }

  void rank_by(const ClusterRequest& request, std::span<std::int32_t> rank) {
    counts_.resize(rank.size() - 1);
    std::iota(counts_.begin(), counts_.end(), 1);
    weights_.resize(counts_.size());
    weigh_(request, counts_, weights_);
    if (keeps_) last_weights_[request.who] = weights_;
    rank_by_weight(weights_, rank);
  }

  FrameSettings plain_;  // without an order
  Weigh weigh_;
  bool keeps_;
  std::unique_ptr<Embedding> frame_;
  std::unordered_map<std::uint32_t, std::vector<double>> last_weights_;  // by request
  std::vector<std::int32_t> counts_;
  std::vector<double> weights_;
  bool busy_ = false;
};

// The number of the field's value in a list of words; 0 if it has none.
int read_choice(lua_State* lua, int argument, const char* name,
                std::span<const std::string_view> words) {
  lua_pushstring(lua, name);
  const int type = lua_rawget(lua, -2);
  const bool is_text = type == LUA_TSTRING;
  const std::string_view word = is_text ? lua_tostring(lua, -1) : "";
  const auto at = std::find(words.begin(), words.end(), word);
  if (type != LUA_TNIL && at == words.end()) {
    bad_argument(lua, argument,
                 lua_pushfstring(lua, "by: there is no %s '%s'", name,
                                 is_text ? word.data() : luaL_typename(lua, -1)));
  }
  lua_pop(lua, 1);
  return at == words.end() ? 0 : static_cast<int>(at - words.begin());
}

void refuse_other_fields(lua_State* lua, int argument) {
  static constexpr std::array<std::string_view, 5> kFields{
      "weight", "server_weight", "fill", "scope", "whole_server_first"};
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    lua_pop(lua, 1);
    const bool is_text = lua_type(lua, -1) == LUA_TSTRING;
    const std::string_view key =
        is_text ? lua_tostring(lua, -1) : luaL_typename(lua, -1);
    if (is_text && std::find(kFields.begin(), kFields.end(), key) != kFields.end()) {
      continue;
    }
    bad_argument(lua, argument,
                 lua_pushfstring(lua, "by: there is no field '%s'", key.data()));
  }
}

}  // namespace

FrameSettings EmbeddingTable::frame() const {
  FrameSettings settings;
  settings.fill = fill;
  settings.scope = scope;
  settings.whole_server_first = whole_server_first;
  return settings;
}

EmbeddingTable read_embedding_table(lua_State* lua, int argument, int function) {
  static constexpr std::array<std::string_view, 3> kFills{"largest", "count_up",
                                                          "whole_or_count_up"};
  static constexpr std::array<std::string_view, 2> kScopes{"smallest_subtree",
                                                           "core_only"};
  refuse_other_fields(lua, argument);
  const int fill = read_choice(lua, argument, "fill", kFills);
  const int scope = read_choice(lua, argument, "scope", kScopes);
  lua_pushliteral(lua, "whole_server_first");
  lua_rawget(lua, -2);
  const bool is_whole_first = lua_toboolean(lua, -1) != 0;
  lua_pushliteral(lua, "weight");
  const bool has_weight = lua_rawget(lua, -3) == LUA_TFUNCTION;
  lua_pushliteral(lua, "server_weight");
  const bool has_server_weight = lua_rawget(lua, -4) == LUA_TFUNCTION;
  if (has_weight == has_server_weight) {
    bad_argument(lua, argument, "by: give either weight or server_weight, a function");
  }
  lua_copy(lua, has_weight ? -2 : -1, function);
  lua_pop(lua, 3);
  return {has_weight ? Weighed::kSlotCounts : Weighed::kServers,
          static_cast<Fill>(fill), static_cast<Scope>(scope), is_whole_first};
}

std::unique_ptr<Embedding> make_own_embedding(const FrameSettings& frame, Weighed what,
                                              Weigh weigh, Weights kept) {
  return std::make_unique<WeighedEmbedding>(frame, what, std::move(weigh), kept);
}

}  // namespace berth::bindings
