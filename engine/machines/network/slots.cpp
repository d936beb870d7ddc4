#include "engine/machines/network/slots.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

class Slots::Without {
 public:
  explicit Without(const Slots& of) : of_(of) {}
  ~Without() {
    // Bounded: the jobs that were named to leave().
    while (!gone_.empty()) {
      const auto& held = of_.allocations_[gone_.back()];
      of_.network_.take(held.request, held.placement);
      gone_.pop_back();
    }
    of_.network_.restore(version_);
  }
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;

  void leave(JobId job) {
    gone_.push_back(job);
    const auto& held = of_.allocations_[job];
    of_.network_.give(held.request, held.placement);
  }
  void leave(std::span<const JobId> jobs) {
    // Bounded: the jobs that the caller names.
    for (const JobId job : jobs) leave(job);
  }

 private:
  const Slots& of_;
  std::uint64_t version_ = of_.network_.version();
  std::vector<JobId> gone_;
};

// A copy of the network, on which jobs come and go.
class Slots::Later final : public Outlook {
 public:
  Later(const Slots& of, const ClusterRequest& wanted)
      : of_(of), wanted_(wanted), network_(of.network_) {}

  void release(JobId running) override {
    const auto& held = of_.allocations_[running];
    network_.give(held.request, held.placement);
  }
  void keep(JobId running) override {
    const auto& held = of_.allocations_[running];
    network_.take(held.request, held.placement);
  }
  [[nodiscard]] bool fits() const override {
    if (network_.idle_slots() < wanted_.vms) return false;
    return of_.embedding_->can_place(network_, wanted_, *of_.budget_);
  }
  [[nodiscard]] bool fits_beside(JobId candidate, const Demand& demand,
                                 const Placement* there) override {
    const auto first = of_.request(candidate, demand);
    if (there != nullptr) return fits_beside(first, *there);
    const auto& found = of_.ask(candidate, first);
    return found && fits_beside(first, of_.network_.placement(first, *found));
  }

 private:
  [[nodiscard]] bool fits_beside(const ClusterRequest& first, const Placement& there) {
    network_.take(first, there);
    const bool found = fits();
    network_.give(first, there);
    return found;
  }

  const Slots& of_;
  ClusterRequest wanted_;
  Network network_;
};

Slots::Slots(const SlotsSettings& settings, std::uint64_t seed,
             std::shared_ptr<const JobAttributes> attributes)
    : Slots(settings, seed, std::move(attributes), make_topology(settings)) {}

Slots::Slots(const SlotsSettings& settings, std::uint64_t seed,
             std::shared_ptr<const JobAttributes> attributes,
             std::shared_ptr<const Topology> topology)
    : SharingModel(topology->processors(),
                   {.plans_by_count = false,
                    .joins_equal_ends = true,
                    .form = Placement::tag_of<VirtualCluster>()},
                   {this}),
      settings_(settings),
      topology_(std::move(topology)),
      bandwidths_(settings, *topology_, seed, std::move(attributes)),
      embedding_(make_embedding(settings)),
      network_(topology_, settings.hose),
      empty_(topology_, settings.hose) {}

std::optional<Refusal> Slots::arrive(JobId job, const Demand& demand) {
  largest_ = std::max(largest_, bandwidths_.of(job, demand));
  if (const auto is_too_wide = SharingModel::arrive(job, demand)) return is_too_wide;
  const auto wanted = request(job, demand);
  if (!never_placed_.covers(wanted)) {
    if (embedding_->can_place(empty_, wanted, *budget_)) return std::nullopt;
    if (embedding_->is_complete()) never_placed_.add(wanted);
  }
  embedding_->forget(wanted.who);
  return kNoEmbedding;
}

bool Slots::has_no_place(const ClusterRequest& request) const {
  if (!embedding_->is_complete()) return false;
  if (without_place_.covers(request)) return true;
  if (embedding_->can_place(network_, request, *budget_)) return false;
  without_place_.add(request);
  return true;
}

const std::optional<Embedded>& Slots::ask(JobId job,
                                          const ClusterRequest& request) const {
  const State now{network_.version(), largest_};
  if (asked_at_ != now) {
    asked_at_ = now;
    asked_.reset();
    refused_.clear();
  }
  if (asked_ == job) return answer_;
  asked_ = job;
  answer_.reset();
  if (refused_.contains(job)) return answer_;
  try {
    if (!has_no_place(request)) {
      answer_ = embedding_->find(network_, request, *budget_);
    }
  } catch (...) {
    asked_.reset();
    throw;
  }
  if (!answer_) refused_.insert(job);
  return answer_;
}

Result<Placement, Refusal> Slots::choose(JobId job, const Demand& demand,
                                         const Placement* where) const {
  const auto wanted = request(job, demand);
  if (where == nullptr) {
    const auto& found = ask(job, wanted);
    if (!found) return kNoEmbedding;
    return network_.placement(wanted, *found);
  }
  const auto* given = where->form_if<VirtualCluster>();
  if (given == nullptr) return Refusal::kBusy;
  const Embedded place{given->node, given->vms};
  if (!are_idle(place.vms)) return Refusal::kBusy;
  if (network_.shortage(wanted, place)) return kNoEmbedding;
  return network_.placement(wanted, place);
}

// REQUIRES: the servers exist.
bool Slots::are_idle(std::span<const ServerVms> vms) const {
  return std::all_of(vms.begin(), vms.end(), [this](const ServerVms& each) {
    return network_.idle(each.server) >= each.vms;
  });
}

bool Slots::fits(JobId job, const Demand& demand) const {
  if (demand.processors() > idle()) return false;
  return ask(job, request(job, demand)).has_value();
}

std::unique_ptr<Outlook> Slots::outlook(JobId job, const Demand& demand) const {
  return std::make_unique<Later>(*this, request(job, demand));
}

Shortage Slots::shortage(JobId job, const Demand& demand) const {
  return {demand.processors(),
          embedding_->reach(network_, request(job, demand), *budget_).vms};
}

void Slots::put(JobId job, const Demand& demand, const Placement* placement,
                Affected&) {
  auto chosen =
      placement != nullptr ? *placement : choose(job, demand, nullptr).value();
  const auto wanted = request(job, demand);
  network_.take(wanted, chosen);
  auto& held = allocations_.open(job);
  held.request = wanted;
  embedding_->forget(wanted.who);
  held.placement = std::move(chosen);
  set_idle(network_.idle_slots());
}

void Slots::leave(JobId job, Affected&) {
  const auto& held = allocations_[job];
  network_.give(held.request, held.placement);
  allocations_.close(job);
  without_place_.clear();
  frozen_.erase(job);
  set_idle(network_.idle_slots());
}

void Slots::freeze(JobId job, Frozen frozen, Affected& affected) {
  BERTH_ASSERT(allocations_.has(job));
  if (frozen == Frozen::kYes) {
    frozen_.insert(job);
  } else {
    frozen_.erase(job);
  }
  affected.push_back(job);
}

double Slots::rate(JobId job) const {
  return !frozen_.empty() && frozen_.contains(job) ? 0.0 : 1.0;
}

std::optional<Placement> Slots::embed(JobId job, const Demand& demand,
                                      const EmbedOptions& options) const {
  const auto wanted = request(job, demand);
  auto& by = options.by != nullptr ? *options.by : *embedding_;
  Without later(*this);
  if (!options.empty) later.leave(options.without);
  const auto& network = options.empty ? empty_ : network_;
  const auto found = by.find(network, wanted, *budget_);
  if (!found) return std::nullopt;
  return network.placement(wanted, *found);
}

std::optional<NoPlace> Slots::why_refused(JobId job, const Demand& demand) const {
  const auto wanted = request(job, demand);
  const auto weights = embedding_->weights_of(wanted.who);
  if (!weights && embedding_->calls_policy()) return std::nullopt;
  const auto known = weights ? weights->embedding() : nullptr;
  const auto reached = (known ? *known : *embedding_).reach(network_, wanted, *budget_);
  if (reached.vms >= wanted.vms) return std::nullopt;
  if (reached.top < 0) return NoPlace{0, 0, {}};
  NoPlace why{reached.vms, topology_->level(reached.top), topology_->name(reached.top)};
  if (const auto binding = network_.tightest(wanted, reached.top)) {
    const auto [lower, upper] = topology_->ends(binding->link);
    why.link = {topology_->name(lower), topology_->name(upper), binding->needed,
                binding->left};
  }
  return why;
}

void Slots::use(std::unique_ptr<Embedding> embedding) {
  embedding_ = std::move(embedding);
  asked_at_.largest = -1;
  without_place_.clear();
  never_placed_.clear();
}

std::unique_ptr<Embedding> Slots::other(std::string_view name) const {
  auto settings = settings_;
  settings.embedding = name;
  return make_embedding(settings);
}

}  // namespace berth
