#pragma once
// The workloads of a sweep while it runs: each is made once, by the first run that
// needs it, and forgotten after the last.
//
// Threads  Any.  A run that needs a workload in the making waits for it.

#include <cstddef>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "study/prepared_point.hpp"

namespace berth::study {

// Equal for scenarios with equal workloads (jobs, walltimes, size of the machine).
[[nodiscard]] std::string workload_key(const Scenario& scenario);

class SharedWorkloads {
 public:
  explicit SharedWorkloads(const ReadingOptions& options) : options_(options) {}

  // So many more runs will take this workload.
  void announce(const std::string& key, std::size_t runs) { shelf_[key].uses += runs; }

  // REQUIRES: announced once for each call; the key is that of the scenario.  Throws
  // what prepare_workload() throws, for every run that takes it.
  [[nodiscard]] std::shared_ptr<const PreparedWorkload> take(const std::string& key,
                                                             const Scenario& scenario);

 private:
  using Made = std::shared_ptr<const PreparedWorkload>;
  struct Entry {
    std::size_t uses = 0;  // still to come
    std::shared_future<Made> made;
  };

  ReadingOptions options_;
  std::mutex mutex_;
  std::map<std::string, Entry> shelf_;
};

}  // namespace berth::study
