#include "study/results/results_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

void check_target(const fs::path& target, Existing existing) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(target, failed))) return;
  const auto name = printable_name(target.string());
  if (existing == Existing::kRefuse) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: already exists; give another --out, or --force to "
                            "replace it",
                            name));
  }
  if (!holds_results(target)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{}: holds no results of berth, so --force does not replace "
                    "it; give another --out",
                    name));
  }
}

[[noreturn]] void fail(const fs::path& path, const std::error_code& why) {
  throw Error(ErrorCode::kOutput,
              fmt::format("{}: cannot be written: {}", printable_name(path.string()),
                          why.message()));
}

// "out" of "out", "out/" and "./out".
fs::path without_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

bool holds_results(const fs::path& folder) {
  std::error_code failed;
  return fs::is_directory(folder, failed) &&
         (fs::is_empty(folder, failed) ||
          fs::exists(folder / "manifest.json", failed) ||
          fs::exists(folder / "comparison.csv", failed) ||
          fs::exists(folder / "sweep.json", failed));
}

ResultsFolder::ResultsFolder(const fs::path& target, Existing existing)
    : target_(without_slash(target)) {
  check_target(target_, existing);
  std::error_code failed;
  if (target_.has_parent_path()) fs::create_directories(target_.parent_path(), failed);
  if (failed) fail(target_.parent_path(), failed);
  partial_ = target_;
  partial_ += fmt::format(".partial-{}", ::getpid());
  fs::remove_all(partial_, failed);
  if (!fs::create_directory(partial_, failed)) fail(partial_, failed);
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(partial_, ignored);
}

fs::path ResultsFolder::make(const std::string& name) const {
  auto folder = partial_ / name;
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) fail(folder, failed);
  return folder;
}

void ResultsFolder::drop(const fs::path& part) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(part, ignored)) {
    fs::remove_all(entry.path(), ignored);
  }
  if (part != partial_) fs::remove(part, ignored);
}

void ResultsFolder::keep() {
  auto old = target_;
  old += fmt::format(".replaced-{}", ::getpid());
  std::error_code failed;
  const bool replaces = fs::exists(target_, failed);
  if (replaces) fs::rename(target_, old, failed);
  if (!failed) fs::rename(partial_, target_, failed);
  if (failed) fail(target_, failed);
  kept_ = true;
  if (replaces) fs::remove_all(old, failed);
}

}  // namespace berth::study
