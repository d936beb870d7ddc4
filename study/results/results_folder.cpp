#include "study/results/results_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/results/own_files.hpp"

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
  if (fs::is_symlink(fs::symlink_status(target, failed)) || !holds_results(target)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{}: holds no results of berth, so --force does not replace "
                    "it; give another --out",
                    name));
  }
  check_all_ours(target);
}

// "out" of "out", "out/" and "./out".
fs::path without_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

// A folder that was not there before.
fs::path make_beside(const fs::path& target) {
  constexpr int kMostTries = 1000;
  std::error_code failed;
  auto path = target;
  for (int i = 0; i < kMostTries && !failed; ++i) {
    path = target;
    path +=
        fmt::format(".partial-{}{}", ::getpid(), i == 0 ? "" : fmt::format("-{}", i));
    if (fs::create_directory(path, failed)) return path;
  }
  cannot_write(path, failed ? failed : std::make_error_code(std::errc::file_exists));
}

}  // namespace

ResultsFolder::ResultsFolder(const fs::path& target, Existing existing)
    : target_(without_slash(target)), existing_(existing) {
  check_target(target_, existing);
  std::error_code failed;
  if (target_.has_parent_path()) fs::create_directories(target_.parent_path(), failed);
  if (failed) cannot_write(target_.parent_path(), failed);
  const auto name = target_.filename().string();
  lock_ = std::make_unique<FolderLock>(
      target_.parent_path() / fmt::format(".{}.lock", name), target_, Hold::kAlone);
  check_target(target_, existing);
  partial_ = make_beside(target_);
}

ResultsFolder::ResultsFolder(fs::path target, fs::path partial)
    : target_(std::move(target)), partial_(std::move(partial)) {
  if (fs::exists(target_)) check_all_ours(target_);
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(partial_, ignored);
}

fs::path ResultsFolder::make(const std::string& name) const {
  auto folder = partial_ / name;
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) cannot_write(folder, failed);
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
  std::error_code failed;
  const bool replaces = fs::exists(fs::symlink_status(target_, failed));
  if (replaces && existing_ == Existing::kRefuse) {
    kept_ = true;
    throw Error(ErrorCode::kOutput,
                fmt::format("{}: was made while berth ran; the results are in {}",
                            printable_name(target_.string()),
                            printable_name(partial_.string())));
  }
  auto old = target_;
  old += fmt::format(".replaced-{}", ::getpid());
  failed.clear();
  if (replaces) fs::rename(target_, old, failed);
  if (!failed) fs::rename(partial_, target_, failed);
  if (failed) cannot_write(target_, failed);
  kept_ = true;
  if (!replaces) return;
  remove_ours_below(old);
  fs::remove(old, failed);
}

}  // namespace berth::study
