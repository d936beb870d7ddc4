#pragma once
// A machine with devices as lists of who has what, and a simulator of some policies on
// it that shares no code with the engine's: everything is counted anew at each
// question.

#include <algorithm>
#include <cmath>
#include <cstdint>
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
  // At most so many chunks there, one after the other.
  [[nodiscard]] NaivePlace chunks_on(const NaiveJob& job, std::int32_t host,
                                     std::int64_t most) const {
    NaiveState trial = *this;
    NaivePlace made;
    while (std::ssize(made) < most) {
      const auto chunk = trial.chunk_on(job, host);
      if (!chunk) break;
      made.push_back(*chunk);
      trial.add(job, {*chunk});
    }
    return made;
  }
  // All chunks, hosts in this order; nullopt: they do not fit.
  [[nodiscard]] std::optional<NaivePlace> place(
      const NaiveJob& job, const std::vector<std::int32_t>& hosts) const {
    NaivePlace made;
    for (const auto host : hosts) {
      for (auto& chunk : chunks_on(job, host, job.chunks - std::ssize(made))) {
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
  using Weight =
      std::function<double(const NaiveState&, const NaiveJob&, std::int32_t)>;
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
      for (const auto host : state_.hosts()) {
        if (state_.chunk_on(job, host))
          order.emplace_back(-weight(state_, job, host), host);
      }
      std::sort(order.begin(), order.end());
      std::vector<std::int32_t> hosts;
      for (const auto& each : order) hosts.push_back(each.second);
      const auto place = state_.place(job, hosts);
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

  // Runs to the end with this pass.
  std::map<std::int64_t, NaiveOutcome> run(const std::function<void(NaiveRun&)>& pass) {
    std::size_t next = 0;
    while (next < jobs_.size() || !running_.empty()) {
      now_ = next < jobs_.size() ? jobs_[next].submit : kNever;
      for (const auto& each : running_) now_ = std::min(now_, each.end);
      std::erase_if(running_, [&](const Running& each) {
        if (each.end == now_) state_.remove(*each.job);
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
};

}  // namespace berth::test
