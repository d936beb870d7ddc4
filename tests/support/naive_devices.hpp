#pragma once
// A machine with devices as lists of who has what, and a simulator of some policies on
// it that shares no code with the engine's: everything is counted anew at each
// question.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::test {

struct NaiveHost {
  std::int64_t cpu = 0;  // thousandths
  std::int32_t devices = 0;
  std::string type{};
  std::vector<std::int64_t> slices{};
};

struct NaiveJob {
  std::int64_t id = 0;
  Time submit = 0;
  Duration length = 0;
  Duration walltime = 0;
  std::int32_t chunks = 1;
  std::int64_t cpu = 0;
  std::int32_t gpus = 0;
  std::int64_t share = 0;
  std::vector<std::string> types{};
  std::string job_class{};
};

struct NaiveChunk {
  std::int32_t host = 0;
  std::vector<std::int32_t> devices{};
  std::int64_t parts = 0;  // of each of these
};
using NaivePlace = std::vector<NaiveChunk>;

enum class NaiveRule : std::uint8_t { kBest, kFirst, kWorst };

struct NaiveMachine {
  std::vector<NaiveHost> hosts;
  NaiveRule rule = NaiveRule::kBest;
  std::map<std::pair<std::string, std::string>, double> rates;  // by class and type
  static constexpr std::int64_t kParts = 1000;

  [[nodiscard]] double rate(const NaiveJob& job, const NaiveHost& host) const {
    const auto at = rates.find({job.job_class, host.type});
    return job.gpus == 0 || at == rates.end() ? 1.0 : at->second;
  }
  [[nodiscard]] bool may_use(const NaiveJob& job, const NaiveHost& host) const {
    if (job.gpus == 0) return true;
    const auto& types = job.types;
    const bool is_named = types.empty() || std::find(types.begin(), types.end(),
                                                     host.type) != types.end();
    return host.devices > 0 && is_named && rate(job, host) > 0;
  }
  // Parts of each device of a chunk; 0: no slice suffices.
  [[nodiscard]] static std::int64_t take(const NaiveJob& job, const NaiveHost& host) {
    if (job.share == 0) return kParts;
    if (host.slices.empty()) return job.share;
    for (const auto size : host.slices) {
      if (size >= job.share) return size;
    }
    return 0;
  }
  [[nodiscard]] double rate(const NaiveJob& job, const NaivePlace& place) const {
    double least = 1e9;
    for (const auto& chunk : place) {
      least = std::min(least, rate(job, hosts[std::size_t(chunk.host)]));
    }
    return least;
  }
};

// Who has what.
class NaiveState {
 public:
  explicit NaiveState(const NaiveMachine& machine) : machine_(&machine) {}

  void add(const NaiveJob& job, NaivePlace place) {
    held_.push_back({&job, std::move(place)});
  }
  void remove(const NaiveJob& job) {
    std::erase_if(held_, [&](const Held& each) { return each.job == &job; });
  }
  [[nodiscard]] std::int64_t cpu_left(std::int32_t host) const {
    auto left = machine_->hosts[std::size_t(host)].cpu;
    each_chunk_on(host,
                  [&](const Held& held, const NaiveChunk&) { left -= held.job->cpu; });
    return left;
  }
  [[nodiscard]] std::int64_t left(std::int32_t host, std::int32_t device) const {
    auto left = NaiveMachine::kParts;
    each_chunk_on(host, [&](const Held&, const NaiveChunk& chunk) {
      left -=
          chunk.parts * std::count(chunk.devices.begin(), chunk.devices.end(), device);
    });
    return left;
  }
  // Calls with each job that has a chunk there.
  template <class Call>
  void each_job_on(std::int32_t host, const Call& call) const {
    each_chunk_on(host, [&](const Held& held, const NaiveChunk&) { call(*held.job); });
  }
  [[nodiscard]] std::int64_t gpu_left(std::int32_t host) const {
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < machine_->hosts[std::size_t(host)].devices; ++i) {
      sum += left(host, i);
    }
    return sum;
  }
  [[nodiscard]] std::optional<NaiveChunk> chunk_on(const NaiveJob& job,
                                                   std::int32_t number) const {
    const auto& host = machine_->hosts[std::size_t(number)];
    const auto take = NaiveMachine::take(job, host);
    const bool may_go = machine_->may_use(job, host) && cpu_left(number) >= job.cpu &&
                        (job.gpus == 0 || take > 0);
    if (!may_go) return std::nullopt;
    NaiveChunk made{number, {}, take};
    if (job.share > 0) {
      const auto device = device_for(number, take);
      if (device < 0) return std::nullopt;
      made.devices = {device};
      return made;
    }
    for (std::int32_t i = 0; i < host.devices && std::ssize(made.devices) < job.gpus;
         ++i) {
      if (left(number, i) == NaiveMachine::kParts) made.devices.push_back(i);
    }
    return std::ssize(made.devices) == job.gpus ? std::optional(made) : std::nullopt;
  }
  // At most so many chunks there, one after the other, the first share on this device
  // unless that is -1.
  [[nodiscard]] NaivePlace chunks_on(const NaiveJob& job, std::int32_t host,
                                     std::int64_t most, std::int32_t device) const {
    NaiveState trial = *this;
    NaivePlace made;
    while (std::ssize(made) < most) {
      auto chunk = trial.chunk_on(job, host);
      if (!chunk) break;
      if (made.empty() && device >= 0) chunk->devices = {device};
      made.push_back(*chunk);
      trial.add(job, {*chunk});
    }
    return made;
  }
  // All chunks, hosts in this order; nullopt: they do not fit.
  [[nodiscard]] std::optional<NaivePlace> place(
      const NaiveJob& job, const std::vector<std::int32_t>& hosts,
      const std::map<std::int32_t, std::int32_t>& devices = {}) const {
    NaivePlace made;
    for (const auto host : hosts) {
      const auto named = devices.find(host);
      const auto device = named == devices.end() ? -1 : named->second;
      for (auto& chunk : chunks_on(job, host, job.chunks - std::ssize(made), device)) {
        made.push_back(std::move(chunk));
      }
    }
    if (std::ssize(made) < job.chunks) return std::nullopt;
    std::stable_sort(made.begin(), made.end(),
                     [](const auto& a, const auto& b) { return a.host < b.host; });
    return made;
  }
  [[nodiscard]] std::optional<NaivePlace> place(const NaiveJob& job) const {
    return place(job, hosts());
  }
  [[nodiscard]] std::vector<std::int32_t> hosts() const {
    std::vector<std::int32_t> all;
    for (std::int32_t i = 0; i < std::ssize(machine_->hosts); ++i) all.push_back(i);
    return all;
  }

 private:
  struct Held {
    const NaiveJob* job;
    NaivePlace place;
  };
  template <class Call>
  void each_chunk_on(std::int32_t host, const Call& call) const {
    for (const auto& held : held_) {
      for (const auto& chunk : held.place) {
        if (chunk.host == host) call(held, chunk);
      }
    }
  }
  [[nodiscard]] std::int32_t device_for(std::int32_t host, std::int64_t take) const {
    std::vector<std::pair<std::int64_t, std::int32_t>> able;  // what decides, number
    for (std::int32_t i = 0; i < machine_->hosts[std::size_t(host)].devices; ++i) {
      const auto has = left(host, i);
      const auto key = machine_->rule == NaiveRule::kBest    ? has
                       : machine_->rule == NaiveRule::kFirst ? 0
                                                             : -has;
      if (has >= take) able.emplace_back(key, i);
    }
    return able.empty() ? -1 : std::min_element(able.begin(), able.end())->second;
  }

  const NaiveMachine* machine_;
  std::vector<Held> held_;
};

// Start, end and devices of each job; nothing of one that was rejected.
struct NaiveOutcome {
  Time start = 0;
  Time end = 0;
  NaivePlace place{};
};

class NaiveRun {
 public:
  // A weight, and the device of the first share there; -1: the machine's rule names it.
  struct Weighed {
    // NOLINTNEXTLINE(google-explicit-constructor): most weights name no device
    Weighed(double of, std::int32_t on = -1) : weight(of), device(on) {}
    double weight;
    std::int32_t device;
  };
  using Weight =
      std::function<Weighed(const NaiveState&, const NaiveJob&, std::int32_t)>;
  enum class WhenFull : std::uint8_t { kWait, kStop, kReject };

  NaiveRun(const NaiveMachine& machine, const std::vector<NaiveJob>& jobs)
      : machine_(machine), jobs_(jobs), state_(machine) {}

  // In arrival order; a job that does not fit ends the pass, or is passed over.
  void in_order(bool stops) {
    each([&](const NaiveJob& job) {
      const auto place = state_.place(job);
      if (place) start(job, *place);
      return place || !stops;
    });
  }
  void shortest_first() {
    std::stable_sort(queue_.begin(), queue_.end(), [](const auto* a, const auto* b) {
      return std::pair(a->walltime, a->id) < std::pair(b->walltime, b->id);
    });
    in_order(true);
  }
  void by_weight(const Weight& weight, WhenFull when_full) {
    each([&](const NaiveJob& job) {
      std::vector<std::pair<double, std::int32_t>> order;
      std::map<std::int32_t, std::int32_t> devices;  // by host
      for (const auto host : state_.hosts()) {
        if (!state_.chunk_on(job, host)) continue;
        const auto [of, device] = weight(state_, job, host);
        order.emplace_back(-of, host);
        devices[host] = device;
      }
      std::sort(order.begin(), order.end());
      std::vector<std::int32_t> hosts;
      for (const auto& each : order) hosts.push_back(each.second);
      const auto place = state_.place(job, hosts, devices);
      if (place) start(job, *place);
      if (!place && when_full == WhenFull::kReject) std::erase(queue_, &job);
      return place || when_full != WhenFull::kStop;
    });
  }
  void easy() {
    in_order(true);
    if (queue_.empty()) return;
    const NaiveJob& head = *queue_.front();
    auto later = state_;
    Time shadow = now_;
    std::vector<std::pair<Time, const NaiveJob*>> ends;
    for (const auto& each : running_) ends.emplace_back(each.planned_end, each.job);
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      later.remove(*ends[i].second);
      shadow = ends[i].first;
      const bool is_last = i + 1 == ends.size() || ends[i + 1].first != shadow;
      if (is_last && later.place(head)) break;
    }
    each([&](const NaiveJob& job) {
      const auto place = &job == &head ? std::nullopt : state_.place(job);
      if (!place) return true;
      auto beside = later;
      beside.add(job, *place);
      const bool is_in_time = now_ + planned(job, *place) <= shadow;
      if (!is_in_time && !beside.place(head)) return true;
      if (!is_in_time) later = beside;
      start(job, *place);
      return true;
    });
  }

  // Every job has a reservation: a start and devices, from then on for as long as it
  // takes on the slowest type that it may use.  After an early end all move forward, in
  // order, as far as they can.
  void conservative() {
    for (const auto* job : queue_) {
      const auto held = book_.find(job);
      if (held != book_.end() && !has_gained_) continue;
      const auto before = held == book_.end() ? kNever : held->second.start;
      auto others = book_;
      others.erase(job);
      const auto found = earliest(*job, others, before);
      if (found) book_[job] = *found;
    }
    has_gained_ = false;
    wake_ = kNever;
    each([&](const NaiveJob& job) {
      const auto [start_at, end, place] = book_.at(&job);
      if (start_at > now_) {
        wake_ = std::min(wake_, start_at);
        return true;
      }
      book_.erase(&job);
      has_gained_ = has_gained_ || now_ + planned(job, place) < end;
      start(job, place);
      return true;
    });
  }

  // Runs to the end with this pass.
  std::map<std::int64_t, NaiveOutcome> run(const std::function<void(NaiveRun&)>& pass) {
    std::size_t next = 0;
    while (next < jobs_.size() || !running_.empty() || wake_ != kNever) {
      now_ = next < jobs_.size() ? jobs_[next].submit : kNever;
      now_ = std::min(now_, wake_);
      for (const auto& each : running_) now_ = std::min(now_, each.end);
      std::erase_if(running_, [&](const Running& each) {
        if (each.end == now_) state_.remove(*each.job);
        has_gained_ = has_gained_ || (each.end == now_ && each.planned_end > now_);
        return each.end == now_;
      });
      for (; next < jobs_.size() && jobs_[next].submit == now_; ++next) {
        const bool fits_ever = NaiveState(machine_).place(jobs_[next]).has_value();
        if (fits_ever) queue_.push_back(&jobs_[next]);
      }
      pass(*this);
    }
    return outcomes_;
  }

 private:
  struct Running {
    const NaiveJob* job;
    Time end;
    Time planned_end;
  };
  // Calls with the members of the queue as it was, until false.
  template <class Call>
  void each(const Call& call) {
    const auto members = queue_;
    for (const auto* job : members) {
      if (!call(*job)) return;
    }
  }
  [[nodiscard]] Duration planned(const NaiveJob& job, const NaivePlace& place) const {
    return std::max(kSecond, Duration{std::llround(static_cast<double>(job.walltime) /
                                                   machine_.rate(job, place))});
  }
  struct NaiveClaim {
    Time start;
    Time end;
    NaivePlace place;
  };
  using NaiveBook = std::map<const NaiveJob*, NaiveClaim>;

  [[nodiscard]] Duration slowest(const NaiveJob& job) const {
    double least = 1e9;
    for (const auto& host : machine_.hosts) {
      if (job.gpus == 0 || machine_.may_use(job, host)) {
        least = std::min(least, machine_.rate(job, host));
      }
    }
    return std::max(kSecond,
                    Duration{std::llround(static_cast<double>(job.walltime) / least)});
  }
  // The first of now and of ends of claims, before `limit`, from which on there is a
  // place for as long as the job may take.
  [[nodiscard]] std::optional<NaiveClaim> earliest(const NaiveJob& job,
                                                   const NaiveBook& book,
                                                   Time limit) const {
    std::vector<std::pair<const NaiveJob*, NaiveClaim>> claims(book.begin(),
                                                               book.end());
    for (const auto& each : running_) {
      claims.push_back(
          {each.job, {now_, each.planned_end, outcomes_.at(each.job->id).place}});
    }
    std::vector<Time> times{now_};
    for (const auto& each : claims) times.push_back(each.second.end);
    std::sort(times.begin(), times.end());
    for (const auto at : times) {
      if (at < now_ || at >= limit) continue;
      const auto end = at + slowest(job);
      if (const auto place = place_throughout(job, claims, at, end)) {
        return NaiveClaim{at, end, *place};
      }
    }
    return std::nullopt;
  }
  // A place on what is left of each host and device at the worst moment of that time.
  template <class Claims>
  [[nodiscard]] std::optional<NaivePlace> place_throughout(const NaiveJob& job,
                                                           const Claims& claims,
                                                           Time from, Time to) const {
    std::vector<Time> moments{from};
    for (const auto& each : claims) {
      if (each.second.start > from && each.second.start < to) {
        moments.push_back(each.second.start);
      }
    }
    // What is taken at the worst moment, as jobs: one of the cores, one of the parts.
    std::deque<NaiveJob> taken;
    NaiveState least(machine_);
    std::vector<NaiveState> at_moments;
    for (const auto moment : moments) {
      auto& state = at_moments.emplace_back(machine_);
      for (const auto& [other, claim] : claims) {
        if (claim.start <= moment && moment < claim.end) state.add(*other, claim.place);
      }
    }
    for (const auto host : state_.hosts()) {
      const auto& shape = machine_.hosts[std::size_t(host)];
      std::int64_t cpu = shape.cpu;
      for (const auto& each : at_moments) cpu = std::min(cpu, each.cpu_left(host));
      least.add(taken.emplace_back(NaiveJob{.cpu = shape.cpu - cpu}), {{host, {}, 0}});
      for (std::int32_t device = 0; device < shape.devices; ++device) {
        std::int64_t left = NaiveMachine::kParts;
        for (const auto& each : at_moments) {
          left = std::min(left, each.left(host, device));
        }
        least.add(taken.emplace_back(),
                  {{host, {device}, NaiveMachine::kParts - left}});
      }
    }
    return least.place(job);
  }
  void start(const NaiveJob& job, const NaivePlace& place) {
    const auto rate = machine_.rate(job, place);
    const Time end = now_ + std::llround(static_cast<double>(job.length) / rate);
    running_.push_back({&job, end, now_ + planned(job, place)});
    outcomes_[job.id] = {now_, end, place};
    state_.add(job, place);
    std::erase(queue_, &job);
  }

  const NaiveMachine& machine_;
  const std::vector<NaiveJob>& jobs_;
  NaiveState state_;
  Time now_ = 0;
  std::vector<const NaiveJob*> queue_;
  std::vector<Running> running_;
  std::map<std::int64_t, NaiveOutcome> outcomes_;
  NaiveBook book_;
  bool has_gained_ = false;  // a job ended early, or is to
  Time wake_ = kNever;
};

}  // namespace berth::test
