#include "study/results/kept_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace berth::study {

std::string kept_text(Layout layout, std::span<const std::string> kept, std::size_t of,
                      const std::filesystem::path& folder, Existing existing) {
  const bool is_run = layout == Layout::kRun;
  return fmt::format("{} of {} {} {} kept in {}{}{}; the same command{} runs the rest",
                     kept.size(), of, is_run ? "policies" : "points",
                     kept.size() == 1 ? "is" : "are", folder.string(),
                     is_run ? ": " : "",
                     is_run ? fmt::format("{}", fmt::join(kept, ", ")) : std::string(),
                     existing == Existing::kReplace ? " without --force" : "");
}

void KeptResults::add(const std::string& name) {
  const std::lock_guard lock(mutex_);
  names_.insert(name);
}

std::vector<std::string> KeptResults::among(std::span<const std::string> names) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> kept;
  std::copy_if(names.begin(), names.end(), std::back_inserter(kept),
               [&](const auto& name) { return names_.count(name) > 0; });
  return kept;
}

}  // namespace berth::study
