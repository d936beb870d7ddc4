#include "study/results/study_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/common/file_source.hpp"
#include "study/common/open_files.hpp"
#include "study/results/own_files.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr auto kPoints = "points";

[[noreturn]] void refuse_folder(const fs::path& path, std::string_view what) {
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: {}", printable_name(path.string()), what));
}

// A lock, or what is under way, by its name.
bool is_passing(const fs::path& path) {
  const auto name = path.filename().string();
  if (name == ".lock" || name.starts_with(".lock-")) return true;
  const bool is_under_way =
      name.find(".partial") != std::string::npos || name.ends_with(".replaced");
  return name.front() == '.' && is_under_way;
}

// Whether nothing is in it but what passes, and perhaps this file: that is what a
// process that was killed at its very start leaves, too.
bool is_vacant(const fs::path& folder, const fs::path& file = {}) {
  std::error_code failed;
  const fs::directory_iterator entries(folder, failed);
  return !failed && std::all_of(begin(entries), end(entries), [&](const auto& entry) {
    return is_passing(entry.path()) || entry.path() == file;
  });
}

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) cannot_write(folder, failed);
}

// "out" of "out" and "out/".
fs::path without_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

// A part of another division than this that a process works on.
void refuse_other_divisions(const fs::path& target, const std::string& own_end) {
  for (const auto& entry : fs::directory_iterator(target)) {
    const auto name = entry.path().filename().string();
    if (name.rfind(".lock-", 0) != 0 || name.ends_with(own_end)) continue;
    const FolderLock free_or_throw(entry.path(), target, Hold::kAlone);
  }
}

}  // namespace

StudyFolder::StudyFolder(const fs::path& target, PointPlace place,
                         std::string_view plan, Existing existing, const Shard& shard)
    : target_(without_slash(target)), place_(place) {
  check_length();
  check_target(plan, existing);
  require_files_of_run();
  std::error_code unknown;
  made_ = !fs::exists(target_, unknown);
  make_folder(target_);
  lock(existing, shard);
  check_target(plan, existing);
  if (existing == Existing::kReplace && !is_vacant(target_)) {
    // The locks are those of this process.
    remove_ours_below(target_, [](const auto& entry) { return is_passing(entry); });
  }
  // The plan first: another process that works on this sweep looks for it.
  if (!fs::exists(plan_file())) write_file(plan_file(), plan);
  place_ == PointPlace::kInPoints ? make_folder(target_ / kPoints)
                                  : remove_unfinished();
}

StudyFolder::~StudyFolder() {
  if (place_ == PointPlace::kInPoints || !is_vacant(target_, plan_file())) return;
  std::error_code ignored;
  fs::remove(plan_file(), ignored);
  locks_.clear();
  if (made_) fs::remove(target_, ignored);
}

fs::path StudyFolder::plan_file() const {
  return target_ / (place_ == PointPlace::kInPoints ? "sweep.json" : "run.json");
}

// Before anything runs: the longest file of a point has a path that the system takes.
void StudyFolder::check_length() const {
  constexpr std::size_t kRoom = 800;  // for folders of 170 bytes and a name of 255
  const auto bytes = target_.string().size();
  if (bytes + kRoom < PATH_MAX) return;
  throw Error(ErrorCode::kOutput,
              fmt::format("{}: the path has {} bytes; for a folder of results the "
                          "system takes {} at most",
                          printable_name(target_.string()), bytes, PATH_MAX - kRoom));
}

void StudyFolder::check_target(std::string_view plan, Existing existing) const {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(target_, failed))) return;
  if (!fs::is_directory(target_, failed)) {
    refuse_folder(target_, "already exists, and is no folder");
  }
  if (is_vacant(target_)) return;
  const auto file = plan_file();
  const bool is_alike = fs::exists(file, failed);
  if (existing == Existing::kReplace) {
    if (!is_alike && !holds_results(target_)) {
      refuse_folder(target_,
                    "holds no results of berth, so --force does not replace it; give "
                    "another --out");
    }
    return check_all_ours(target_);
  }
  const auto* what = place_ == PointPlace::kInPoints ? "sweep" : "run";
  if (!is_alike) {
    refuse_folder(
        target_,
        fmt::format("already exists and holds no {} that could go on; give another "
                    "--out, or --force to replace the results in it",
                    what));
  }
  if (read_text(file.string()) != plan) {
    refuse_folder(
        target_,
        fmt::format("already exists and holds another {} (its {} says which); give "
                    "another --out, or --force to replace it",
                    what, file.filename().string()));
  }
}

void StudyFolder::lock(Existing existing, const Shard& shard) {
  const bool shares = shard.of > 1 && existing == Existing::kRefuse;
  locks_.push_back(std::make_unique<FolderLock>(
      target_ / ".lock", target_, shares ? Hold::kWithOthers : Hold::kAlone));
  if (!shares) return;
  const auto end = fmt::format("-of-{}", shard.of);
  const auto own = target_ / fmt::format(".lock-{}{}", shard.number, end);
  locks_.push_back(std::make_unique<FolderLock>(own, target_, Hold::kAlone));
  refuse_other_divisions(target_, end);
}

// What a process that was killed left of a point of a run; this one is alone in it.
void StudyFolder::remove_unfinished() const {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(target_)) {
    if (is_unfinished(entry.path())) found.push_back(entry.path());
  }
  for (const auto& folder : found) {
    remove_ours_below(folder);
    std::error_code ignored;
    fs::remove(folder, ignored);
  }
}

fs::path StudyFolder::point(const std::string& name) const {
  switch (place_) {
    case PointPlace::kInPoints: return target_ / kPoints / name;
    case PointPlace::kInFolder: return target_ / name;
    case PointPlace::kItself: break;
  }
  return target_;
}

std::unique_ptr<PointFolder> StudyFolder::begin(const std::string& name) const {
  const auto target = point(name);
  const auto beside = place_ == PointPlace::kItself ? target_ : target.parent_path();
  return std::make_unique<PointFolder>(target,
                                       beside / fmt::format(".{}.partial", name));
}

}  // namespace berth::study
