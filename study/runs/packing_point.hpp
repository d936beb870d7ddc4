#pragma once
// One point of a packing study: its instances, and packers on them.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/packer.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/packing_results.hpp"

namespace berth::study {

class PackingPoint {
 public:
  // Draws or reads the instances.  Throws Error{kInput, kUsage}.
  PackingPoint(const Scenario& scenario, Budget& budget);

  [[nodiscard]] const std::vector<pack::Instance>& instances() const {
    return instances_;
  }
  // Of the file; nullopt if they are drawn.
  [[nodiscard]] const std::optional<std::string>& sha256() const { return sha256_; }

  struct Result {
    PackedInstances packed;
    double seconds = 0;      // of wall clock, for timing alone
    double cpu_seconds = 0;  // of this thread, likewise
  };
  // The packer on every instance.  Throws what it throws, Error{kPolicy} if it has no
  // function `pack`, Interrupted if `interrupted` says so.  Threads  Any; relaxed
  // programs are solved once for all of them.
  [[nodiscard]] Result run(LoadedPolicy& policy,
                           const std::function<bool()>& interrupted);

 private:
  // Divided tasks of one instance.
  struct Relaxed {
    std::once_flag once;
    std::optional<std::vector<double>> parts;
    std::int64_t units = 0;  // what computing them was charged
  };

  [[nodiscard]] pack::PackingTask task(std::size_t number);

  const Scenario scenario_;
  std::vector<pack::Instance> instances_;
  std::optional<std::string> sha256_;
  std::vector<std::unique_ptr<Relaxed>> relaxed_;
};

// The same within so many seconds; 0: no limit.  Throws Error{kTime}, too.
[[nodiscard]] std::unique_ptr<PackingPoint> packing_point(const Scenario& scenario,
                                                          double seconds);

// Reads a file of instances; its checksum as second value.
[[nodiscard]] std::pair<std::vector<pack::Instance>, std::string> load_instances(
    const std::string& path, Budget& budget);

}  // namespace berth::study
