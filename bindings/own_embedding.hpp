#pragma once
// An embedding whose order of servers is a function of the policy.

#include <memory>

#include "engine/embed/frame.hpp"

namespace berth::bindings {

// Weighs each of `items`, idle-slot counts or servers, for the request; what it throws,
// the embedding throws.
using Weigh =
    std::function<void(const ClusterRequest& request,
                       std::span<const std::int32_t> items, std::span<double> weights)>;

enum class Weighed : std::uint8_t { kSlotCounts, kServers };

// `frame` without an order of its own.  A weight that asks for an embedding itself, in
// whatever way, gets Error{kPolicy}.
[[nodiscard]] std::unique_ptr<Embedding> make_own_embedding(FrameSettings frame,
                                                            Weighed what, Weigh weigh);

}  // namespace berth::bindings
