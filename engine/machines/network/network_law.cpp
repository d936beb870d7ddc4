#include "engine/machines/network/network_law.hpp"

#include <algorithm>
#include <array>
#include <boost/random/binomial_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>

#include "engine/base/error.hpp"
#include "engine/machines/network/hose_flow.hpp"
#include "engine/machines/network/refusal_fact.hpp"

namespace berth::audit {

namespace {

constexpr std::array kOfStart{kWholePlacement, kSlots, kLinks};

std::size_t at(std::int32_t number) { return static_cast<std::size_t>(number); }

LawTerms terms_of(bool is_own_embedding) {
  LawTerms terms{.of_start = kOfStart, .counts_moves = true};
  terms.most_moves = std::numeric_limits<std::int32_t>::max();
  if (is_own_embedding) terms.reads = LawTerms::Reads::kForPromises;
  return terms;
}

}  // namespace

NetworkLaw::NetworkLaw(const SlotsSettings& settings, std::span<const Job> jobs,
                       Bandwidths bandwidths)
    : Law(terms_of(settings.embedding == kOwnEmbedding), this),
      topology_(make_topology(settings)),
      graph_(*topology_),
      hose_(settings.hose),
      is_own_embedding_(settings.embedding == kOwnEmbedding),
      jobs_(jobs),
      bandwidths_(std::move(bandwidths)),
      embedding_(make_embedding(settings)),
      empty_(topology_, settings.hose),
      taken_(at(topology_->processors()), false),
      carried_(at(topology_->links()), 0) {}

ClusterRequest NetworkLaw::request(JobId job) const {
  const auto demand = jobs_[index(job)].demand();
  return {demand.processors(), bandwidths_.of(job, demand), largest_};
}

void NetworkLaw::arrive(JobId job) {
  largest_ = std::max(largest_, request(job).bandwidth);
}

Verdict NetworkLaw::note(const sim::MachineRecord& record) {
  told_of_.reset();
  const auto* refusal = dynamic_cast<const RefusalFact*>(record.fact);
  BERTH_ASSERT(refusal != nullptr);
  const auto weights = refusal->weights();
  if (!weights) return std::nullopt;
  embedding_ = weights->embedding();
  told_of_ = record.who->id;
  return std::nullopt;
}

bool NetworkLaw::never_fits(JobId job) {
  return !is_own_embedding_ && !embedding_->can_place(empty_, request(job), budget());
}

bool NetworkLaw::fits_without(JobId job, std::span<const JobId> gone) {
  if (!network_) {
    network_.emplace(topology_, hose_);
    held_.for_each(
        [&](JobId, const Held& held) { network_->take(held.request, held.placement); });
  }
  for (const JobId each : gone) {
    network_->give(held_.at(each).request, held_.at(each).placement);
  }
  const bool fits = embedding_->can_place(*network_, request(job), budget());
  for (const JobId each : gone) {
    network_->take(held_.at(each).request, held_.at(each).placement);
  }
  return fits;
}

Verdict NetworkLaw::start(JobId job, const Placement* placement, bool) {
  const auto* cluster =
      placement == nullptr ? nullptr : placement->form_if<VirtualCluster>();
  if (cluster == nullptr) {
    return Fault{kWholePlacement, "it was given no place on the network"};
  }
  if (const auto fault = check_vms(job, *placement)) return fault;
  if (const auto fault = check_slots(placement->processors())) return fault;
  Held held{*placement, request(job), {}, false};
  if (const auto fault = reserve(held)) return fault;
  if (is_thorough() && starts_++ % kProvedStarts == 0) {
    if (const auto fault = prove_hose(job, held)) return fault;
  }
  mark_slots(placement->processors(), true);
  used_ += placement->processors().count();
  if (network_) network_->take(held.request, held.placement);
  held_.insert(job, std::move(held));
  return std::nullopt;
}

// All VMs, each on a server below the switch, and a slot for each on its own server.
Verdict NetworkLaw::check_vms(JobId job, const Placement& placement) const {
  std::int64_t vms = 0;
  NetworkNode before = -1;
  auto slots = placement.processors();
  for (const auto& each : cluster_of(placement).vms) {
    const bool is_in_order = each.server > before && each.server < topology_->servers();
    if (!is_in_order || each.vms < 1) {
      return Fault{kWholePlacement, "its servers are not each named once, in order"};
    }
    before = each.server;
    vms += each.vms;
    const auto first = topology_->first_processor(each.server);
    const auto last = topology_->first_processor(each.server + 1) - 1;
    const auto own = slots.take_lowest(std::min<std::int64_t>(each.vms, slots.count()));
    const bool has_own = own.count() == each.vms && !own.empty() &&
                         own.intervals().front().first >= first &&
                         own.intervals().back().last <= last;
    if (!has_own) return Fault{kSlots, "it has not one slot for each VM of a server"};
  }
  if (vms != jobs_[index(job)].size || !slots.empty()) {
    return Fault{kWholePlacement, "it has not as many VMs as it asked for"};
  }
  return std::nullopt;
}

Verdict NetworkLaw::check_slots(const IntervalSet& slots) const {
  for (const auto& part : slots.intervals()) {
    for (auto slot = part.first; slot <= part.last; ++slot) {
      if (taken_[at(slot)]) return Fault{kSlots, "it was given a slot of another job"};
    }
  }
  return std::nullopt;
}

void NetworkLaw::mark_slots(const IntervalSet& slots, bool taken) {
  for (const auto& part : slots.intervals()) {
    for (auto slot = part.first; slot <= part.last; ++slot) taken_[at(slot)] = taken;
  }
}

Verdict NetworkLaw::reserve(Held& held) {
  const auto vms = held.request.vms;
  const auto bandwidth = held.request.bandwidth;
  const auto& cluster = cluster_of(held.placement);
  std::map<NetworkLink, std::int64_t> sums;  // VMs, or bandwidth
  for (const auto& each : cluster.vms) {
    const auto way = graph_.way_up(each.server, cluster.node);
    if (!way) return Fault{kWholePlacement, "a server of it is not below its switch"};
    const bool adds_needs = hose_ == Hose::kPerPath;
    const auto amount = adds_needs ? std::min(each.vms, vms - each.vms) * bandwidth
                                   : std::int64_t{each.vms};
    for (const auto link : *way) sums[link] += amount;
  }
  std::int64_t all = 0;
  for (const auto& [link, sum] : sums) {
    const auto need = hose_ == Hose::kPerPath
                          ? sum
                          : std::min(sum, std::int64_t{vms} - sum) * bandwidth;
    if (need == 0) continue;
    all += need;
    held.reserved.emplace_back(link, need);
    if (carried_[at(link)] + need > topology_->capacity(link)) {
      return Fault{kLinks, "a link carries more than its capacity"};
    }
  }
  if (cluster.reserved != kNotSaid && all != cluster.reserved) {
    return Fault{kLinks, "what it says to reserve is not what the hose rule asks for"};
  }
  for (const auto& [link, need] : held.reserved) carried_[at(link)] += need;
  return std::nullopt;
}

// Each VM is in one half or the other with equal chance.
Verdict NetworkLaw::prove_hose(JobId job, const Held& held) const {
  std::vector<ReservedLink> links;
  for (const auto& [link, reserved] : held.reserved) {
    const auto [lower, upper] = topology_->ends(link);
    links.push_back({lower, upper, reserved});
  }
  const auto& vms = cluster_of(held.placement).vms;
  boost::random::mt19937 engine(static_cast<std::uint32_t>(index(job)) + 1U);
  std::vector<std::int32_t> part;
  std::int64_t size = 0;
  for (const auto& each : vms) {
    part.push_back(
        boost::random::binomial_distribution<std::int32_t>(each.vms)(engine));
    size += part.back();
  }
  const auto& request = held.request;
  const auto wanted = std::min(size, request.vms - size) * request.bandwidth;
  if (largest_flow(links, vms, part, request.bandwidth) >= wanted) return std::nullopt;
  return Fault{kLinks, "what it reserved does not carry the traffic of two halves"};
}

void NetworkLaw::leave(JobId job) {
  const auto held = held_.take(job);
  const auto& slots = held.placement.processors();
  mark_slots(slots, false);
  used_ -= slots.count();
  for (const auto& [link, need] : held.reserved) carried_[at(link)] -= need;
  if (network_) network_->give(held.request, held.placement);
}

}  // namespace berth::audit
