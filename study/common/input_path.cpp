#include "study/common/input_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/json_reading.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr auto kVariable = "BERTH_TRACES";

// Empty names between the colons say nothing.
std::vector<fs::path> folders_of_traces() {
  std::vector<fs::path> folders;
  const char* text = std::getenv(kVariable);
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

[[noreturn]] void fail(const std::string& path, const std::vector<fs::path>& tried) {
  std::string folders;
  for (const auto& each : tried) {
    const auto folder = each.has_parent_path() ? each.parent_path().string() : ".";
    folders += (folders.empty() ? "" : ", ") + printable_name(folder);
  }
  throw Error(ErrorCode::kInput,
              fmt::format("{}: there is no such file; looked in {}; check its name, or "
                          "name its folder in {}",
                          printable_name(path), folders, kVariable));
}

void add_remembered(const fs::path& file, InputPaths& paths) {
  try {
    const JsonReader manifest(file.string(), read_text(file.string()));
    const auto found = manifest.find("found_at");
    if (!found) return;
    for (const auto& [name, path] : found->members()) paths.emplace(name, path.text());
  } catch (const Error&) {
    return;  // nothing is remembered there
  }
}

// Collects the paths of the run in this folder, or of those below.
void collect(const fs::path& folder, int depth, InputPaths& paths) {
  std::error_code failed;
  if (fs::is_regular_file(folder / "manifest.json", failed)) {
    return add_remembered(folder / "manifest.json", paths);
  }
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const bool is_below = fs::is_directory(entry.symlink_status(failed));
    if (is_below && depth > 0) collect(entry.path(), depth - 1, paths);
  }
}

}  // namespace

std::string find_input(const std::string& path, std::span<const fs::path> others) {
  if (path.empty() || path == "-") return path;
  std::vector<fs::path> tried{path};
  tried.insert(tried.end(), others.begin(), others.end());
  for (const auto& folder : folders_of_traces()) {
    tried.push_back(folder / fs::path(path).filename());
  }
  const auto found = std::find_if(tried.begin(), tried.end(), is_there);
  if (found == tried.end()) fail(path, tried);
  return found->string();
}

InputPaths remembered_inputs(const fs::path& folder) {
  constexpr int kDepth = 3;  // points, one point, one policy
  InputPaths paths;
  collect(folder, kDepth, paths);
  return paths;
}

}  // namespace berth::study
