#pragma once
// The frame that most embeddings share: switches from the lowest level upwards; below
// each, servers in an order; into each server as many VMs as its route can carry.
//
// Source       Li et al. 2018, algorithm 1; Ballani et al. 2011;
//              docs/model.md#embeddings.
// Cost         A candidate O(s log s + s L h) for s servers with idle slots below a
//              switch of level h, L slots a server; candidates with too few idle slots
//              below them O(1).
// Ties         Switches and servers by number.

#include <functional>
#include <vector>

#include "engine/machines/network/embed/embedding.hpp"

namespace berth {

// How many VMs a server takes, at most its idle slots and what is left to place.
enum class Fill : std::uint8_t {
  kLargest,         // the largest number that its route carries
  kCountUp,         // 1, 2, ..., up to the first number that its route does not carry
  kWholeOrCountUp,  // all VMs, while none is placed and it has the slots; else as above
};

// Which switches are tried.
enum class Scope : std::uint8_t { kSmallestSubtree, kCoreOnly };

struct FrameSettings {
  // Sets rank[a] for a = 1 .. slots to 0 .. slots: servers with `a` idle slots come in
  // the order of their ranks, those of one rank by number.  Empty: all by number.
  using SlotOrder =
      std::function<void(const Network& network, const ClusterRequest& request,
                         std::span<std::int32_t> rank)>;
  // Sets the weights of these servers; larger ones come first.  Instead of an order by
  // slots.
  using ServerWeights = std::function<void(const ClusterRequest& request,
                                           std::span<const NetworkNode> servers,
                                           std::span<double> weights)>;

  SlotOrder slot_order{};
  ServerWeights server_weights{};
  Fill fill = Fill::kLargest;
  Scope scope = Scope::kSmallestSubtree;
  bool whole_server_first = false;  // a server that can takes all, before any switch
};

[[nodiscard]] std::unique_ptr<Embedding> make_frame(FrameSettings settings);

// Ranks of servers with 1, 2, .. idle slots by their weights: the largest has rank 0,
// equal ones are alike.  REQUIRES: rank has one entry more.
void rank_by_weight(std::span<const double> weights, std::span<std::int32_t> rank);

struct SlotWeights {
  FrameSettings frame{};          // without an order
  std::vector<double> weights{};  // of 1, 2, .. idle slots
  // The embedding that has these weights for every request.
  [[nodiscard]] std::unique_ptr<Embedding> embedding() const;
};

}  // namespace berth
