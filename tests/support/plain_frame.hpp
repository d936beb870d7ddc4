#pragma once
// The frame of the embeddings written down as it is defined (docs/model.md#embeddings),
// without any index: what the indexed one is held against.

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/machines/network/embed/frame.hpp"

namespace berth::test {

struct PlainFrame {
  // Smaller first, equal ones by number; null: all by number.
  using Order = std::function<std::int64_t(
      const Network& network, const ClusterRequest& request, NetworkNode server)>;
  Order order{};
  Fill fill = Fill::kLargest;
  Scope scope = Scope::kSmallestSubtree;
  bool whole_server_first = false;

  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request) const;
};

// Of adaba, best_fit, first_fit, oktopus, best_fit_anywhere or oktopus_counting.
[[nodiscard]] PlainFrame plain_frame(std::string_view embedding);

}  // namespace berth::test
