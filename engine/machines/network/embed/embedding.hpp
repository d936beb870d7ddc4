#pragma once
// Algorithms that find a place for a virtual cluster on a network.
//
// An embedding reads the network, changes nothing, and decides by integers alone, so
// the same network and request give the same placement on every platform.  Every record
// below is one name of docs/model.md#embeddings.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/machines/network/tree/network.hpp"

namespace berth {

// How far a search came that found no place.
struct Reached {
  std::int32_t vms = 0;  // the most that it places below one switch
  NetworkNode top = -1;  // the first such switch, or server; -1: it places none
};

// Weights of servers by their idle slots that the embedding itself has got from a
// policy; larger ones come first.
struct SlotWeights;

class Embedding {
 public:
  virtual ~Embedding() = default;

  // nullopt: no place, which says nothing of another bandwidth, larger or smaller.
  // REQUIRES: vms >= 1, 0 <= bandwidth <= largest.
  // Not for two threads at a time: the object keeps its working memory.
  [[nodiscard]] virtual std::optional<Embedded> find(const Network& network,
                                                     const ClusterRequest& request,
                                                     Budget& budget) = 0;
  // Whether find() refuses only what has no place at all (has_place.hpp).
  [[nodiscard]] virtual bool is_complete() const { return false; }
  // Whether find() finds a place.
  [[nodiscard]] bool can_place(const Network& network, const ClusterRequest& request,
                               Budget& budget);
  // Of a request that find() refuses.
  [[nodiscard]] virtual Reached reach(const Network& network,
                                      const ClusterRequest& request,
                                      Budget& budget) = 0;

  // Of an embedding that a policy weighs for: those of the last question about the
  // request of this number (ClusterRequest::who), until it is forgotten.  nullopt: it
  // has none, or does not weigh by idle slots.
  [[nodiscard]] virtual std::optional<SlotWeights> weights_of(std::uint32_t who) const;
  virtual void forget(std::uint32_t /*who*/) {}
  // Whether a question calls the policy, so that only the policy may ask.
  [[nodiscard]] virtual bool calls_policy() const { return false; }
};

// Which switches the greedy search compares.
enum class GreedyScope : std::uint8_t {
  kLowestLevel,  // those of the lowest level at which one works
  kGlobal,       // all
};

struct EmbeddingSettings {
  GreedyScope greedy_scope = GreedyScope::kLowestLevel;
};

struct EmbeddingRecord {
  std::string_view name;
  std::string_view help;
  std::string_view source;
  bool takes_per_path = true;  // whether it knows Hose::kPerPath
  std::unique_ptr<Embedding> (*make)(const EmbeddingSettings& settings) = nullptr;
};

[[nodiscard]] std::span<const EmbeddingRecord> embeddings();
// nullptr if there is none of this name.
[[nodiscard]] const EmbeddingRecord* find_embedding(std::string_view name);

}  // namespace berth
