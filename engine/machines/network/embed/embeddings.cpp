#include <algorithm>
#include <array>

#include "engine/machines/network/embed/adaba.hpp"
#include "engine/machines/network/embed/by_vm.hpp"
#include "engine/machines/network/embed/embedding.hpp"
#include "engine/machines/network/embed/frame.hpp"
#include "engine/machines/network/embed/has_place.hpp"
#include "engine/machines/network/embed/least_congested.hpp"
#include "engine/machines/network/embed/least_reserved.hpp"

namespace berth {

namespace {

using Made = std::unique_ptr<Embedding>;

constexpr std::string_view kLi = "Li et al. 2018";
constexpr std::string_view kBallani = "Ballani et al. 2011";
constexpr std::string_view kYu = "Yu et al. 2018";

void rank_by_idle(const Network&, const ClusterRequest&, std::span<std::int32_t> rank) {
  // Bounded: the slots of a server, at most 64.
  for (std::size_t idle = 1; idle < rank.size(); ++idle) {
    rank[idle] = static_cast<std::int32_t>(idle);
  }
}

Made adaba(const EmbeddingSettings&) {
  return make_frame({.slot_order = rank_by_adaba});
}
Made best_fit(const EmbeddingSettings&) {
  return make_frame({.slot_order = rank_by_idle});
}
Made first_fit(const EmbeddingSettings&) { return make_frame({}); }
Made oktopus(const EmbeddingSettings&) {
  return make_frame({.whole_server_first = true});
}
Made greedy(const EmbeddingSettings& settings) {
  return make_least_congested(settings.greedy_scope);
}
Made least_reserved(const EmbeddingSettings&) { return make_least_reserved(); }
Made best_fit_anywhere(const EmbeddingSettings&) {
  return make_frame({.slot_order = rank_by_idle,
                     .fill = Fill::kWholeOrCountUp,
                     .scope = Scope::kCoreOnly});
}
Made oktopus_counting(const EmbeddingSettings&) {
  return make_frame({.fill = Fill::kCountUp});
}
Made greedy_by_vm(const EmbeddingSettings&) { return make_by_vm(); }

constexpr std::array kRecords{
    EmbeddingRecord{"adaba",
                    "servers with few idle slots first for small requests, with many "
                    "for large ones",
                    kLi, true, adaba},
    EmbeddingRecord{"best_fit", "servers with the fewest idle slots first", kLi, true,
                    best_fit},
    EmbeddingRecord{"first_fit", "servers by number", kLi, true, first_fit},
    EmbeddingRecord{"oktopus", "one server if one can take all, else servers by number",
                    kBallani, true, oktopus},
    EmbeddingRecord{"greedy", "the most occupied link as little occupied as possible",
                    kYu, false, greedy},
    EmbeddingRecord{"least_reserved",
                    "the least bandwidth on all links together that is possible",
                    "Rost et al. 2015", false, least_reserved},
    EmbeddingRecord{"best_fit_anywhere",
                    "best_fit below a core switch, counting VMs up to the first that "
                    "does not fit",
                    kLi, true, best_fit_anywhere},
    EmbeddingRecord{"oktopus_counting",
                    "first_fit, counting VMs up to the first that does not fit", kLi,
                    true, oktopus_counting},
    EmbeddingRecord{"greedy_by_vm",
                    "VM by VM, each on the server whose route is then least occupied",
                    kLi, false, greedy_by_vm},
};

}  // namespace

bool Embedding::can_place(const Network& network, const ClusterRequest& request,
                          Budget& budget) {
  return is_complete() ? has_place(network, request, budget)
                       : find(network, request, budget).has_value();
}

std::optional<SlotWeights> Embedding::weights_of(std::uint32_t) const {
  return std::nullopt;
}

std::span<const EmbeddingRecord> embeddings() { return kRecords; }

const EmbeddingRecord* find_embedding(std::string_view name) {
  const auto at = std::find_if(kRecords.begin(), kRecords.end(),
                               [&](const auto& record) { return record.name == name; });
  return at == kRecords.end() ? nullptr : &*at;
}

}  // namespace berth
