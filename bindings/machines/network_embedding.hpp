#pragma once
// An embedding whose order of servers is a function of the policy.

#include <compare>
#include <memory>

#include "bindings/machine_calls.hpp"
#include "engine/machines/network/embed/frame.hpp"

namespace berth::bindings {

// Weighs each of `items`, idle-slot counts or servers, for the request; what it throws,
// the embedding throws.
using Weigh =
    std::function<void(const ClusterRequest& request,
                       std::span<const std::int32_t> items, std::span<double> weights)>;

enum class Weighed : std::uint8_t { kSlotCounts, kServers };

// A table of the form of the field `embedding`, but for its function.
struct EmbeddingTable {
  Weighed what;
  Fill fill;
  Scope scope;
  bool whole_server_first;
  [[nodiscard]] FrameSettings frame() const;
  friend auto operator<=>(const EmbeddingTable&, const EmbeddingTable&) = default;
};

// Of the table on top of the stack; its function is copied to index `function`.  What
// is wrong with it is an error of the `argument`-th argument.
[[nodiscard]] EmbeddingTable read_embedding_table(lua_State* lua, int argument,
                                                  int function);

// Whether the last weights by idle slots of each request are kept until it is
// forgotten.
enum class Weights : std::uint8_t { kKept, kDropped };

// `frame` without an order of its own.  A weight that asks for an embedding itself, in
// whatever way, gets Error{kPolicy}.
[[nodiscard]] std::unique_ptr<Embedding> make_own_embedding(const FrameSettings& frame,
                                                            Weighed what, Weigh weigh,
                                                            Weights kept);

// The field `embedding` of a policy file: a name, or a table with a weight.
[[nodiscard]] std::span<const PolicyHook> embedding_hooks();

}  // namespace berth::bindings
