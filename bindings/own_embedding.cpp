#include "bindings/own_embedding.hpp"

#include <algorithm>
#include <numeric>

#include "engine/base/error.hpp"

namespace berth::bindings {

namespace {

class OwnEmbedding final : public Embedding {
 public:
  explicit OwnEmbedding(FrameSettings settings)
      : frame_(make_frame(std::move(settings))) {}

  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request) override {
    const Busy busy(busy_);
    return frame_->find(network, request);
  }
  [[nodiscard]] std::int32_t most(const Network& network,
                                  const ClusterRequest& request) override {
    const Busy busy(busy_);
    return frame_->most(network, request);
  }

 private:
  // The frame keeps its working memory and cannot be entered twice.
  class Busy {
   public:
    explicit Busy(bool& flag) : flag_(flag) {
      if (flag_) {
        throw Error(
            ErrorCode::kPolicy,
            "a weight is asked while a job is being placed: it cannot ask where "
            "a job would be placed, or whether one fits");
      }
      flag_ = true;
    }
    ~Busy() { flag_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    bool& flag_;
  };

  std::unique_ptr<Embedding> frame_;
  bool busy_ = false;
};

// Ranks of the counts 1, 2, ...: larger weights first, equal ones alike.
void rank_by_weight(const std::vector<double>& weights, std::span<std::int32_t> rank) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return weights[a] > weights[b]; });
  std::int32_t next = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && weights[order[i]] != weights[order[i - 1]]) ++next;
    rank[order[i] + 1] = next;
  }
}

}  // namespace

std::unique_ptr<Embedding> make_own_embedding(FrameSettings frame, Weighed what,
                                              Weigh weigh) {
  if (what == Weighed::kServers) {
    frame.server_weights = std::move(weigh);
  } else {
    frame.slot_order = [weigh = std::move(weigh)](const Network&,
                                                  const ClusterRequest& request,
                                                  std::span<std::int32_t> rank) {
      std::vector<std::int32_t> counts(rank.size() - 1);
      std::iota(counts.begin(), counts.end(), 1);
      std::vector<double> weights(counts.size());
      weigh(request, counts, weights);
      rank_by_weight(weights, rank);
    };
  }
  return std::make_unique<OwnEmbedding>(std::move(frame));
}

}  // namespace berth::bindings
