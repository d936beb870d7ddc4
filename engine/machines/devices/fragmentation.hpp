#pragma once
// Fragmentation of hosts: the idle parts that a chunk drawn from a target workload
// could not use (Weng et al. 2023).
//
// For each need of the target: where it has devices, its type may go there, cores
// suffice, and enough devices have as many parts as it takes, the parts of the other
// devices are unusable; else all idle parts are.  Memory does not count.
//
// Target       The needs of the jobs, one each, most frequent first until so many per
//              cent of the jobs are in.
// Exactness    A sum of whole numbers, divided once.
// Cost         O(needs of the target, times devices) a host.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/machine_fact.hpp"
#include "engine/machines/devices/device_room.hpp"

namespace berth {

class Fragmentation {
 public:
  // `cover`: per cent of the jobs that have these needs, above 0 and at most 100.
  Fragmentation(std::shared_ptr<const DeviceHosts> hosts,
                const std::vector<TargetNeed>& needs, double cover);

  // Needs in the target.
  [[nodiscard]] std::size_t needs() const { return target_.size(); }
  [[nodiscard]] std::span<const TargetNeed> target() const { return target_; }
  // Jobs in the target; 1 if it is empty.
  [[nodiscard]] std::int64_t jobs() const { return jobs_; }
  // The least cores of a need of the target that has devices, in thousandths; nullopt:
  // none has.
  [[nodiscard]] std::optional<std::int64_t> least_cpu() const;
  // Idle parts of the host, in the mean over the target.
  [[nodiscard]] double of(const DeviceRoom& room, std::int32_t host) const {
    return mean(sum(room, host));
  }
  // The same times jobs of the target: a whole number, of which sums are exact.
  [[nodiscard]] std::int64_t sum(const DeviceRoom& room, std::int32_t host) const;
  [[nodiscard]] double mean(std::int64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(jobs_);
  }
  // With one chunk more there: a share on `device`, whole devices on the lowest idle
  // ones.  nullopt: it has no room there.
  [[nodiscard]] std::optional<double> with(const DeviceRoom& room, std::int32_t host,
                                           const DeviceNeed& need,
                                           std::optional<std::int32_t> device) const;

 private:
  [[nodiscard]] std::int64_t sum(const DeviceHost& host, std::int64_t cpu,
                                 std::span<const std::int64_t> left) const;

  std::shared_ptr<const DeviceHosts> hosts_;
  std::vector<TargetNeed> target_;
  std::int64_t jobs_ = 0;  // of the target; 1 if it is empty
};

// As the settings say: of the file that they name, else of all jobs of the trace.
[[nodiscard]] Fragmentation fragmentation_of(std::shared_ptr<const DeviceHosts> hosts,
                                             const DeviceNeeds& needs,
                                             const DeviceSettings& settings);

// That whose target may be the jobs that have arrived: after the first, the second, the
// fourth, ... arrival it is counted anew.
class FragmentationTarget {
 public:
  FragmentationTarget(std::shared_ptr<const DeviceHosts> hosts,
                      std::shared_ptr<const DeviceNeeds> needs,
                      const DeviceSettings& settings);
  // A job arrives.  Whether the target is another from now on.
  bool arrive(JobId job);
  // Valid until the target is another.
  [[nodiscard]] const Fragmentation& now() const { return now_; }

 private:
  std::shared_ptr<const DeviceHosts> hosts_;
  std::shared_ptr<const DeviceNeeds> needs_;
  double cover_;
  std::vector<std::int64_t> arrived_{};  // by need; empty: the target stays
  std::int64_t arrivals_ = 0;
  std::int64_t next_ = 1;  // with so many the target is counted anew
  Fragmentation now_;
};

// What a machine keeps of it, as it tells an audit: of all hosts, times the jobs of the
// target.
class FragmentationFact final : public MachineFact {
 public:
  FragmentationFact(std::int64_t sum, std::int64_t jobs) : sum_(sum), jobs_(jobs) {}
  [[nodiscard]] std::string_view word() const override { return "fragmentation"; }
  void fields(FieldWriter& to) const override;
  [[nodiscard]] std::int64_t sum() const { return sum_; }

 private:
  std::int64_t sum_;
  std::int64_t jobs_;
};

// That of a whole machine over time: sums are kept for each host until it changes.
class FragmentationNow {
 public:
  // REQUIRES: `hosts` hosts.
  explicit FragmentationNow(std::size_t hosts) : kept_(hosts) {}
  // `changes`: how often the host has changed.
  [[nodiscard]] std::int64_t sum(const Fragmentation& of, const DeviceRoom& room,
                                 std::int32_t host, std::uint64_t changes);

 private:
  struct KeptSum {
    std::uint64_t changes = std::numeric_limits<std::uint64_t>::max();
    std::int64_t sum = 0;
  };
  std::vector<KeptSum> kept_;
};

}  // namespace berth
