#include "study/results/point_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/results/own_files.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

void move(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::rename(from, to, failed);
  if (failed) cannot_write(to, failed);
}

}  // namespace

PointFolder::PointFolder(fs::path target, fs::path partial)
    : target_(std::move(target)), partial_(std::move(partial)), leftover_(partial_) {
  if (fs::exists(target_)) check_all_ours(target_);
  if (fs::exists(fs::symlink_status(partial_))) {
    if (!fs::is_directory(fs::symlink_status(partial_))) {
      throw Error(ErrorCode::kUsage, fmt::format("{}: berth did not make it; move it",
                                                 printable_name(partial_.string())));
    }
    remove_ours_below(partial_);
  }
  std::error_code failed;
  fs::create_directories(partial_, failed);
  if (failed) cannot_write(partial_, failed);
}

PointFolder::~PointFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(partial_, ignored);
}

fs::path PointFolder::make(const std::string& name) const {
  auto folder = partial_ / name;
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) cannot_write(folder, failed);
  return folder;
}

void PointFolder::drop(const fs::path& part) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(part, ignored)) {
    fs::remove_all(entry.path(), ignored);
  }
  if (part != partial_) fs::remove(part, ignored);
}

void PointFolder::keep() {
  partial_.parent_path() == target_ ? move_files() : rename_whole();
  kept_ = true;
}

void PointFolder::rename_whole() const {
  if (!fs::exists(fs::symlink_status(target_))) return move(partial_, target_);
  const auto old =
      target_.parent_path() / fmt::format(".{}.replaced", target_.filename().string());
  const auto remove_old = [&] {
    remove_ours_below(old);
    std::error_code ignored;
    fs::remove(old, ignored);
  };
  // A process that was killed leaves one.
  if (fs::exists(fs::symlink_status(old))) remove_old();
  move(target_, old);
  move(partial_, target_);
  remove_old();
}

// The manifest comes first, which tells that the others are ours, and the summary last:
// without it there is no result.
void PointFolder::move_files() const {
  remove_results_in(target_);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(partial_)) {
    files.push_back(entry.path().filename());
  }
  const auto place = [](const fs::path& file) {
    return file == "manifest.json" ? 0 : file == "summary.json" ? 2 : 1;
  };
  std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) {
    return std::pair(place(a), a) < std::pair(place(b), b);
  });
  for (const auto& file : files) move(partial_ / file, target_ / file);
  std::error_code ignored;
  fs::remove(partial_, ignored);
}

}  // namespace berth::study
