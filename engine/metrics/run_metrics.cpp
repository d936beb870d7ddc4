#include "engine/metrics/run_metrics.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/fraction_facts.hpp"
#include "engine/machines/fractional/task_hosts.hpp"

namespace berth {

namespace {

void count_links(const Topology& topology, NetworkCounts& counts) {
  for (NetworkLink link = 0; link < topology.links(); ++link) {
    counts.capacities.push_back(topology.capacity(link));
    counts.capacity.at(topology.layer(link)) += topology.capacity(link);
  }
  counts.reserved.resize(counts.capacities.size());
}

}  // namespace

RunMetrics::RunMetrics(const SpillingView<Job>& jobs, const Window& window,
                       const MetricOptions& options, BusyProcessors busy,
                       std::shared_ptr<NetworkDemand> network)
    : options_(options),
      integrals_(window),
      busy_(std::move(busy)),
      network_(std::move(network)) {
  gathered_.has_tiers = busy_ != nullptr;
  if (network_) count_links(network_->topology(), gathered_.network.emplace());
  gathered_.window = window;
  gathered_.outcomes = Outcomes(jobs);
}

void RunMetrics::finish(Time at) {
  move_to(at);
  close_instant();
  if (gathered_.window.end) gathered_.totals = integrals_.totals();
  for (const auto& [job, held] : reserved_) add_link_use(held, at);
}

Summary RunMetrics::summary() const { return summarise(gathered_, options_); }

void RunMetrics::on(const sim::SubmitRecord& record) {
  move_to(record.at);
  const auto& [id, job, entry] = record.who;
  ++gathered_.jobs.submitted;
  if (!gathered_.first_submit) gathered_.first_submit = record.at;
  gathered_.last_submit = record.at;
  gathered_.offered += Int128{job->size} * job->length;
  ++gathered_.offered_jobs;
  if (gathered_.measures(id)) {
    ++gathered_.measured.submitted;
    if (!gathered_.first_measured) gathered_.first_measured = record.at;
  }
  if (network_ && gathered_.measures(id)) {
    count_demand(record.who, &NetworkCounts::asked);
    if (network_->fits_empty(id, job->size)) ++gathered_.network->fit_empty;
  }
  active_.open(id).key = record.key;
  queue_.enter({record.key, id}, *job);
}

void RunMetrics::on(const sim::RejectRecord& record) {
  move_to(record.at);
  const auto& [id, job, entry] = record.who;
  auto& jobs = gathered_.jobs;
  ++(record.never_embeds ? jobs.rejected_never_embeds
     : record.by_machine ? jobs.rejected_by_machine
                         : jobs.rejected_by_policy);
  if (record.by_machine && !record.never_embeds) {  // too wide: never offered to it
    gathered_.offered -= Int128{job->size} * job->length;
    --gathered_.offered_jobs;
  }
  if (gathered_.measures(id)) {
    ++gathered_.measured.rejected;
    if (network_) count_demand(record.who, &NetworkCounts::turned_away);
  }
  queue_.leave({active_[id].key, id}, *job);
  active_.close(id);
}

void RunMetrics::on(const sim::StartRecord& record) {
  move_to(record.at);
  auto& active = active_[record.who.id];
  const Place place{active.key, record.who.id};
  queue_.leave(place, *record.who.job);
  if (record.resumed) {
    ++gathered_.counts.resumes;
  } else {
    ++gathered_.started;
    starts_.push_back(place);
  }
  hold(record.who, *record.placement);
  if (network_) count_place(record.who, *record.placement);
  run_at(record.who, record.frozen_until > record.at ? 0.0 : record.rate);
}

void RunMetrics::on(const sim::ChangeRecord& record) {
  using Effect = sim::ChangeRecord::Effect;
  move_to(record.at);
  const auto& who = record.who;
  if (record.effect != Effect::kShares) {
    release(who);
    if (record.effect == Effect::kRestarts) {
      auto& active = active_[who.id];
      gathered_.killed_work += who.job->size * active.work;
      active.work = 0.0;
    }
    hold(who, *record.placement);
    run_at(who, record.rate);
  }
  const auto* tasks = record.placement->form_if<TaskHosts>();
  if (tasks != nullptr) yields_[who.id] = tasks->yield;
}

void RunMetrics::on(const sim::SuspendRecord& record) {
  move_to(record.at);
  ++gathered_.counts.suspensions;
  release(record.who);
  active_[record.who.id].key = record.key;
  queue_.enter({record.key, record.who.id}, *record.who.job);
}

void RunMetrics::on(const sim::MachineRecord& record) {
  const auto* repack = dynamic_cast<const RepackFact*>(record.fact);
  if (repack == nullptr) return;
  move_to(record.at);
  if (!gathered_.fractions) gathered_.fractions.emplace();
  const bool is_over = record.bracket == sim::MachineRecord::Bracket::kEnds;
  if (is_over) gathered_.fractions->moved_kib += repack->moved_kib();
}

void RunMetrics::on(const sim::UnfreezeRecord& record) {
  move_to(record.at);
  run_at(record.who, record.who.entry->rate);
}

void RunMetrics::on(const sim::RateRecord& record) {
  move_to(record.at);
  run_at(record.who, record.rate);
}

void RunMetrics::on(const sim::EndRecord& record) {
  move_to(record.at);
  const auto& who = record.who;
  release(who);
  const bool killed = who.entry->state == JobState::kFailed;
  if (killed) gathered_.killed_work += who.job->size * active_[who.id].work;
  ++(killed ? gathered_.jobs.failed : gathered_.jobs.finished);
  if (killed) ++gathered_.counts.failures;
  const auto& window = gathered_.window;
  const bool inside =
      window.begin < record.at && (!window.end || record.at <= *window.end);
  if (!killed && inside) ++gathered_.finished_inside;
  if (gathered_.measures(who.id)) gathered_.last_end = record.at;
  if (!window.end) gathered_.totals = integrals_.totals();
  count_leaving(who, record.at);
}

void RunMetrics::on(const sim::LeftRecord& record) {
  move_to(record.at);
  ++gathered_.jobs.not_finished;
  count_leaving(record.who, record.at);
}

void RunMetrics::on(const sim::CapacityRecord& record) {
  move_to(record.at);
  levels_.capacity = record.processors;
  if (gathered_.processors == 0) gathered_.processors = record.processors;
}

void RunMetrics::on(const sim::RekeyRecord& record) {
  auto& active = active_[record.job];
  queue_.move({active.key, record.job}, record.key);
  active.key = record.key;
}

void RunMetrics::on(const sim::PassRecord& record) {
  ++gathered_.counts.passes;
  gathered_.counts.actions += record.actions;
  const auto first = record.first ? record.first : queue_.first();
  if (first) {
    gathered_.counts.backfilled_starts +=
        std::count_if(starts_.begin(), starts_.end(),
                      [&](const Place& start) { return *first < start; });
  }
  starts_.clear();
}

void RunMetrics::move_to(Time at) {
  if (now_ == at) return;
  if (now_) close_instant();
  const auto idle = levels_.capacity - levels_.held;
  const auto smallest = queue_.smallest();
  levels_.queue = static_cast<std::int64_t>(queue_.size());
  levels_.lost = smallest && *smallest <= idle ? idle : 0;
  if (!yields_.empty()) add_yields(at);
  integrals_.advance(at, levels_);
  now_ = at;
}

void RunMetrics::add_yields(Time to) {
  const auto span = static_cast<double>(integrals_.inside(*now_, to));
  double least = 1;
  double sum = 0;
  for (const auto& [job, yield] : yields_) {
    least = std::min(least, yield);
    sum += yield;
  }
  auto& counts = *gathered_.fractions;
  counts.least += least * span;
  counts.mean += sum / static_cast<double>(yields_.size()) * span;
  counts.span += span;
}

// Called when time moves on: all records of the instant are known then.
void RunMetrics::close_instant() {
  if (never_empty_since_) {
    longest_stretch_ = std::max(longest_stretch_, *now_ - *never_empty_since_);
  }
  if (queue_.size() == 0) {
    never_empty_since_.reset();
  } else if (!never_empty_since_) {
    never_empty_since_ = now_;
  }
  if (gathered_.last_submit != now_) return;
  gathered_.at_last_submit = {static_cast<std::int64_t>(queue_.size()),
                              queue_.backlog(), never_empty_since_, longest_stretch_};
}

void RunMetrics::run_at(const sim::Subject& who, double rate) {
  auto& active = active_[who.id];
  const auto span = integrals_.inside(active.since, *now_);
  active.work += active.rate * static_cast<double>(span);
  active.since = *now_;
  // A task that shares its host works as much as it needs of the CPU.
  const double processors = gathered_.fractions ? active.use : who.job->size;
  levels_.speed += processors * (rate - active.rate);
  levels_.busy += active.use * (rate - active.rate);
  active.rate = rate;
}

void RunMetrics::hold(const sim::Subject& who, const Placement& placement) {
  auto& active = active_[who.id];
  if (busy_ && active.use == 0.0) active.use = busy_(who.id);
  if (const auto* tasks = placement.form_if<TaskHosts>()) {
    if (!gathered_.fractions) gathered_.fractions.emplace();
    yields_[who.id] = tasks->yield;
  }
  held_.take(who.id, placement);
  if (network_) reserve(who, placement);
  show_held();
}

void RunMetrics::release(const sim::Subject& who) {
  run_at(who, 0.0);
  held_.release(who.id);
  if (!yields_.empty()) yields_.erase(who.id);
  if (!reserved_.empty()) unreserve(who.id);
  show_held();
}

void RunMetrics::show_held() {
  levels_.held = held_.used();
  levels_.foreground = held_.in(Tier::kForeground);
  levels_.background = held_.in(Tier::kBackground);
}

// Of all its VMs.
Int128 RunMetrics::bandwidth(const sim::Subject& who) const {
  return Int128{who.job->size} * network_->bandwidth(who.id, who.job->size);
}

void RunMetrics::count_demand(const sim::Subject& who, Int128 NetworkCounts::*sum) {
  *gathered_.network.*sum += bandwidth(who) * who.job->length;
}

void RunMetrics::unreserve(JobId job) {
  const auto at = reserved_.find(job);
  if (at == reserved_.end()) return;
  for (const auto& [link, bandwidth] : at->second.links) {
    levels_.reserved.at(network_->topology().layer(link)) -= bandwidth;
  }
  add_link_use(at->second, *now_);
  reserved_.erase(at);
}

void RunMetrics::add_link_use(const Reservation& held, Time to) {
  const Int128 span = integrals_.inside(held.since, to);
  for (const auto& [link, bandwidth] : held.links) {
    gathered_.network->reserved[static_cast<std::size_t>(link)] += bandwidth * span;
  }
}

void RunMetrics::reserve(const sim::Subject& who, const Placement& placement) {
  const auto* cluster = placement.form_if<VirtualCluster>();
  if (cluster == nullptr || cluster->reserved == 0) return;
  auto links = network_->reserved(who.id, who.job->size, *cluster);
  for (const auto& [link, bandwidth] : links) {
    levels_.reserved.at(network_->topology().layer(link)) += bandwidth;
  }
  reserved_.emplace(who.id, Reservation{*now_, std::move(links)});
}

void RunMetrics::count_place(const sim::Subject& who, const Placement& placement) {
  const auto* cluster = placement.form_if<VirtualCluster>();
  if (cluster == nullptr || !gathered_.measures(who.id)) return;
  auto& counts = *gathered_.network;
  const auto amount = bandwidth(who);
  counts.placed += amount;
  if (cluster->reserved == 0) counts.hidden += amount;
  const auto [at, is_first] = last_places_.try_emplace(who.id, placement);
  if (is_first) return;
  counts.moved_vms += placement.moved_from(at->second);
  at->second = placement;
}

void RunMetrics::count_leaving(const sim::Subject& who, Time at) {
  active_.close(who.id);
  if (network_) last_places_.erase(who.id);
  const auto outcome = outcome_of(who, at);
  const auto& account = who.entry->account;
  gathered_.counts.kills += account.kills;
  gathered_.counts.migrations += account.migrations;
  gathered_.counts.swaps += account.swaps;
  if (outlived_walltime(*who.job, outcome)) ++gathered_.jobs.outlived_walltime;
  if (gathered_.measures(who.id)) {
    gathered_.frozen += outcome.frozen;
    gathered_.lost_work += lost_work(*who.entry);
  }
  gathered_.outcomes.add(outcome);
}

}  // namespace berth
