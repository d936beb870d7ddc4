#include "engine/base/leftovers.hpp"

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace berth {

namespace {

struct Known {
  std::mutex mutex;
  std::vector<std::filesystem::path> paths;
  std::vector<const std::function<std::string()>*> last;
};

// It is never destroyed: a watching thread may ask at the very end.
Known& known() {
  static auto* const kKnown = new Known;
  return *kKnown;
}

}  // namespace

Leftover::Leftover(std::filesystem::path path) : path_(std::move(path)) {
  const std::lock_guard lock(known().mutex);
  known().paths.push_back(path_);
}

Leftover::~Leftover() {
  const std::lock_guard lock(known().mutex);
  auto& paths = known().paths;
  const auto at = std::find(paths.begin(), paths.end(), path_);
  if (at != paths.end()) paths.erase(at);
}

LastWords::LastWords(std::function<std::string()> say) : say_(std::move(say)) {
  const std::lock_guard lock(known().mutex);
  known().last.push_back(&say_);
}

LastWords::~LastWords() {
  const std::lock_guard lock(known().mutex);
  std::erase(known().last, &say_);
}

std::string last_words() noexcept {
  try {
    const std::lock_guard lock(known().mutex);
    std::string text;
    for (const auto* say : known().last) {
      const auto line = (*say)();
      if (!line.empty()) text += line + '\n';
    }
    return text;
  } catch (...) {
    return {};
  }
}

// Those that were made last come first: a lock outlives what is written under it.
void remove_leftovers() noexcept {
  const std::lock_guard lock(known().mutex);
  auto& paths = known().paths;
  for (auto at = paths.rbegin(); at != paths.rend(); ++at) {
    std::error_code ignored;
    std::filesystem::remove_all(*at, ignored);
  }
}

}  // namespace berth
