#include "study/watch/watched_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/output/sha256.hpp"
#include "study/common/input_path.hpp"
#include "study/scenario/input_files.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr off_t kSmall = off_t{1} << 20U;

void add_files(const fs::path& folder, std::string_view end,
               std::vector<std::string>& files) {
  std::error_code failed;
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  for (fs::directory_iterator at(place, failed), none; at != none;
       at.increment(failed)) {
    if (failed) return;
    const auto name = at->path().filename().string();
    if (name.ends_with(end) && at->is_regular_file(failed)) {
      files.push_back((folder / name).string());
    }
  }
}

// The path as it is named, where a file may come to be, and where a run finds it.
void add_input(const std::string& path, std::vector<std::string>& files) {
  if (path.empty() || path == "-") return;
  files.push_back(path);
  try {
    files.push_back(find_input(path));
  } catch (const Error&) {
    return;  // it is nowhere yet
  }
}

}  // namespace

// Whether there is something to be read, which `seen` then tells.
bool WatchedFiles::look(const std::string& path, Seen& seen) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return false;
  auto mark = fmt::format("{} {} {}.{}", state.st_ino, state.st_size,
                          state.st_mtim.tv_sec, state.st_mtim.tv_nsec);
  if (state.st_size > kSmall && mark == seen.mark) return true;
  try {
    seen.digest = sha256_of_file(path);
  } catch (const Error&) {
    return false;
  }
  seen.mark = std::move(mark);
  return true;
}

void WatchedFiles::watch(const std::vector<std::string>& paths) {
  std::map<std::string, Seen> files;
  for (const auto& path : paths) {
    const auto known = files_.find(path);
    if (known != files_.end()) {
      files[path] = known->second;
    } else {
      (void)look(path, files[path]);
    }
  }
  files_ = std::move(files);
}

std::vector<std::string> WatchedFiles::changed() {
  std::vector<std::string> names;
  for (auto& [path, seen] : files_) {
    auto now = seen;
    if (!look(path, now)) continue;
    if (now.digest != seen.digest) names.push_back(path);
    seen = std::move(now);
  }
  return names;
}

std::vector<std::string> files_of(const Scenario& scenario) {
  std::vector<std::string> files;
  if (!scenario.file.empty()) {
    files.push_back(scenario.file);
    add_files(fs::path(scenario.file).parent_path(), ".csv", files);
  }
  for (const auto& path : input_files(scenario)) add_input(path, files);
  for (const auto& policy : scenario.policies) {
    if (!policy.is_file()) continue;
    files.push_back(policy.name);
    const auto folder = fs::path(policy.name).parent_path();
    add_files(folder, ".lua", files);
    add_files(folder / "lib", ".lua", files);
  }
  for (auto& file : files) file = fs::path(file).lexically_normal().string();
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace berth::study
