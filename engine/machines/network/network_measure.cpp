#include "engine/machines/network/network_measure.hpp"

#include <fmt/format.h>

#include "engine/machines/network/tree/virtual_cluster.hpp"
#include "engine/metrics/ratio.hpp"

namespace berth {

MetricGroup network_metrics() {
  return {
      "wasted_work",
      "wasted_work",
      {
          {"fits_empty", "fraction", "jobs that fit the empty network / submitted",
           "Part of the submitted jobs that some embedding can place on the empty "
           "network, "
           "which no accept rate exceeds; on networks only.",
           Better::kNeither, false, false, true},
          {"accepted_bandwidth", "fraction", "sum(n B L) of the accepted / of all",
           "Part of the bandwidth asked for, over time, that was not rejected; on "
           "networks "
           "only.",
           Better::kHigher, false, false, true},
          {"hidden_share", "fraction", "sum(n B) placed with nothing reserved / placed",
           "Part of the placed bandwidth that needs none of the links; on networks "
           "only.",
           Better::kHigher},
          {"mean_reserved_server", "fraction", "integral of reserved / (capacity W)",
           "Part of the bandwidth of the servers' links that is reserved, over time; "
           "on "
           "networks only."},
          {"mean_reserved_edge", "fraction", "integral of reserved / (capacity W)",
           "The same of the links of edge switches upwards (of switches right above "
           "servers); on networks only."},
          {"mean_reserved_core", "fraction", "integral of reserved / (capacity W)",
           "The same of the links above those; on networks only."},
          {"max_reserved_link", "fraction",
           "largest of the links' integrals of reserved / (capacity W)",
           "The same of the one link for which it is largest; on networks only."},
          {"moved_vms", "VMs", "VMs on another server after a resume",
           "VMs that changed their server; on networks only.", Better::kLower},
      }};
}

NetworkMeasure::NetworkMeasure(std::shared_ptr<NetworkDemand> demand,
                               const Window& window)
    : demand_(std::move(demand)), window_(window), time_(window) {
  const auto& topology = demand_->topology();
  links_.resize(static_cast<std::size_t>(topology.links()));
  for (NetworkLink link = 0; link < topology.links(); ++link) {
    capacity_.at(topology.layer(link)) += topology.capacity(link);
  }
  loads_.resize(index(topology.servers()) + index(topology.links()));
}

std::vector<LoadedPart> NetworkMeasure::loaded_parts() const {
  constexpr std::array kLayers{"links of servers", "links above them",
                               "links in the core"};
  const auto& topology = demand_->topology();
  std::vector<LoadedPart> parts;
  parts.reserve(loads_.size());
  for (NetworkNode server = 0; server < topology.servers(); ++server) {
    parts.push_back(
        {"slots", std::string(topology.name(server)), topology.slots(server)});
  }
  for (NetworkLink link = 0; link < topology.links(); ++link) {
    const auto [lower, upper] = topology.ends(link);
    const auto layer = topology.layer(link);
    auto name = std::string(topology.name(lower));
    if (layer > 0) name += fmt::format(" to {}", topology.name(upper));
    parts.push_back({kLayers.at(layer), std::move(name), topology.capacity(link)});
  }
  return parts;
}

void NetworkMeasure::count_slots(JobId job, bool in_use) {
  const auto at = places_.find(job);
  if (at == places_.end()) return;
  for (const auto& [server, vms] : cluster_of(at->second.last).vms) {
    loads_[index(server)] += in_use ? vms : -vms;
  }
}

std::vector<Metric> NetworkMeasure::values() const {
  struct Value {
    std::optional<double> value;
    std::int64_t n;
  };
  std::vector<Value> values{
      {ratio(static_cast<double>(fit_empty_), static_cast<double>(submitted_)),
       submitted_},
      {ratio(asked_ - turned_away_, asked_), submitted_},
      {ratio(hidden_, placed_), started_}};
  for (std::size_t layer = 0; layer < kLinkLayers; ++layer) {
    values.push_back(
        {ratio(total_layers_[layer], Int128{capacity_[layer]} * total_span_),
         started_});
  }
  values.push_back({most_reserved(), started_});
  values.push_back({if_any(left_, static_cast<double>(moved_vms_)), left_});
  std::vector<Metric> all;
  for (const auto& record : network_metrics().records) {
    const auto& [value, n] = values.at(all.size());
    all.push_back({record.name, value, record.unit, n});
  }
  return all;
}

// Links without a capacity do not count.
std::optional<double> NetworkMeasure::most_reserved() const {
  std::optional<double> most;
  for (std::size_t link = 0; link < links_.size(); ++link) {
    const auto capacity = demand_->topology().capacity(static_cast<NetworkLink>(link));
    const auto part = ratio(links_[link], Int128{capacity} * total_span_);
    if (part && (!most || *part > *most)) most = part;
  }
  return most;
}

void NetworkMeasure::on(const sim::SubmitRecord& record) {
  move_to(record.at);
  if (!measures(record.who)) return;
  ++submitted_;
  const auto* job = record.who.job;
  asked_ += bandwidth(record.who) * job->length;
  if (demand_->fits_empty(record.who.id, job->size)) ++fit_empty_;
}

void NetworkMeasure::on(const sim::RejectRecord& record) {
  move_to(record.at);
  if (record.never_fits && unplaced_++ == 0) {
    first_unplaced_ = record.who.job->id;
    vms_of_first_unplaced_ = record.who.job->size;
  }
  if (!measures(record.who)) return;
  turned_away_ += bandwidth(record.who) * record.who.job->length;
}

void NetworkMeasure::on(const sim::StartRecord& record) {
  move_to(record.at);
  if (!record.resumed) ++started_;
  const Placement& placement = *record.placement;
  reserve(record.who, placement);
  const auto moved = move(record.who.id, placement);
  count_slots(record.who.id, true);
  if (!measures(record.who)) return;
  moved_vms_ += moved;
  count_place(record.who, placement);
}

void NetworkMeasure::on(const sim::SuspendRecord& record) {
  move_to(record.at);
  unreserve(record.who.id);
  count_slots(record.who.id, false);
}

void NetworkMeasure::on(const sim::EndRecord& record) {
  move_to(record.at);
  unreserve(record.who.id);
  count_slots(record.who.id, false);
  if (!window_.end) keep_totals();
  leave(record.who, record.placement);
}

void NetworkMeasure::on(const sim::LeftRecord& record) {
  move_to(record.at);
  leave(record.who, record.placement);
}

void NetworkMeasure::finish(Time at) {
  move_to(at);
  if (window_.end) keep_totals();
  for (const auto& [job, held] : reserved_) add_link_use(held, at);
}

void NetworkMeasure::move_to(Time at) {
  now_ = at;
  const Duration span = time_.come_to(at);
  span_ += span;
  for (std::size_t layer = 0; layer < kLinkLayers; ++layer) {
    layers_[layer] += Int128{held_[layer]} * span;
  }
}

Int128 NetworkMeasure::bandwidth(const sim::Subject& who) const {
  return Int128{who.job->size} * demand_->bandwidth(who.id, who.job->size);
}

void NetworkMeasure::count_place(const sim::Subject& who, const Placement& placement) {
  const auto amount = bandwidth(who);
  placed_ += amount;
  if (cluster_of(placement).reserved == 0) hidden_ += amount;
}

std::int64_t NetworkMeasure::move(JobId job, const Placement& placement) {
  const auto [at, is_first] = places_.try_emplace(job, Place{placement});
  if (is_first) return 0;
  auto& [last, moved] = at->second;
  const auto more = placement.moved_from(last);
  moved += more;
  last = placement;
  return more;
}

void NetworkMeasure::reserve(const sim::Subject& who, const Placement& placement) {
  const auto& cluster = cluster_of(placement);
  if (cluster.reserved == 0) return;
  auto links = demand_->reserved(who.id, who.job->size, cluster);
  for (const auto& [link, bandwidth] : links) {
    held_.at(demand_->topology().layer(link)) += bandwidth;
    loads_[index(demand_->topology().servers() + link)] += bandwidth;
  }
  reserved_.emplace(who.id, Reservation{now_, std::move(links)});
}

void NetworkMeasure::unreserve(JobId job) {
  const auto at = reserved_.find(job);
  if (at == reserved_.end()) return;
  for (const auto& [link, bandwidth] : at->second.links) {
    held_.at(demand_->topology().layer(link)) -= bandwidth;
    loads_[index(demand_->topology().servers() + link)] -= bandwidth;
  }
  add_link_use(at->second, now_);
  reserved_.erase(at);
}

void NetworkMeasure::add_link_use(const Reservation& held, Time to) {
  const Int128 span = time_.inside(held.since, to);
  for (const auto& [link, bandwidth] : held.links) {
    links_[static_cast<std::size_t>(link)] += bandwidth * span;
  }
}

void NetworkMeasure::leave(const sim::Subject& who, const Placement* placement) {
  leaver_.reset();
  if (measures(who)) ++left_;
  const auto at = places_.find(who.id);
  if (at == places_.end()) return;
  leaver_ = {who.id, at->second.moved, std::nullopt};
  if (placement != nullptr) leaver_->place = *placement;
  places_.erase(at);
}

std::span<const std::string_view> NetworkMeasure::job_columns() const {
  static constexpr std::array<std::string_view, 4> kColumns{"bandwidth", "switch",
                                                            "reserved", "moved_vms"};
  return kColumns;
}

void NetworkMeasure::tell_job(const sim::Subject& who, FieldWriter& to) {
  constexpr double kMbit = 1000.0;
  const auto bandwidth = demand_->bandwidth(who.id, who.job->size);
  to.number("bandwidth", static_cast<double>(bandwidth) / kMbit);
  if (!leaver_ || leaver_->job != who.id) return;
  if (leaver_->place) leaver_->place->columns(to);
  to.whole("moved_vms", leaver_->moved);
}

std::vector<std::string> NetworkMeasure::remarks() const {
  if (unplaced_ == 0) return {};
  return {
      fmt::format("job {} needs more bandwidth for its {} VMs than the empty network "
                  "gives by the embedding in force ({} {} rejected)",
                  first_unplaced_, vms_of_first_unplaced_, unplaced_,
                  unplaced_ == 1 ? "job is" : "jobs are")};
}

void NetworkMeasure::keep_totals() {
  total_span_ = span_;
  total_layers_ = layers_;
}

}  // namespace berth
