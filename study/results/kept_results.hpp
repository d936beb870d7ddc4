#pragma once
// What a study has kept in its folder so far, for a process that may end at any time.

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/compare/comparison.hpp"
#include "engine/output/atomic_file.hpp"

namespace berth::study {

// "2 of 3 policies are kept in o: easy, fcfs; the same command runs the rest", of a
// sweep "2 of 4 points are kept in o; ...".  REQUIRES: one at least is kept.
[[nodiscard]] std::string kept_text(Layout layout, std::span<const std::string> kept,
                                    std::size_t of, const std::filesystem::path& folder,
                                    Existing existing);

// Names of policies or of points.  Threads: any.
class KeptResults {
 public:
  void add(const std::string& name);
  // Those of these names that are kept, in their order.
  [[nodiscard]] std::vector<std::string> among(
      std::span<const std::string> names) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

}  // namespace berth::study
