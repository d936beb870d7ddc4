#include "study/results/sweep_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/common/file_source.hpp"
#include "study/results/own_files.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr auto kPlan = "sweep.json";
constexpr auto kPoints = "points";

[[noreturn]] void refuse(const fs::path& path, std::string_view what) {
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: {}", printable_name(path.string()), what));
}

// All but the locks, which this process holds.
void clear(const fs::path& target) {
  check_all_ours(target);
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(target)) {
    const bool is_hidden = entry.path().filename().string().front() == '.';
    if (!is_hidden) paths.push_back(entry.path());
  }
  for (const auto& path : paths) {
    if (fs::is_directory(path)) remove_ours_below(path);
    std::error_code failed;
    fs::remove(path, failed);
    if (failed) cannot_write(path, failed);
  }
}

// What a process that was killed at its very start leaves, too.
bool is_vacant(const fs::path& folder) {
  std::error_code failed;
  const fs::directory_iterator entries(folder, failed);
  return !failed && std::all_of(begin(entries), end(entries), [](const auto& entry) {
    return entry.path().filename().string().front() == '.';
  });
}

void make(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) cannot_write(folder, failed);
}

void check_target(const fs::path& target, std::string_view plan, Existing existing) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(target, failed))) return;
  if (!fs::is_directory(target, failed))
    refuse(target, "already exists, and is no folder");
  if (is_vacant(target)) return;
  const bool is_sweep = fs::exists(target / kPlan, failed);
  if (existing == Existing::kReplace) {
    if (!is_sweep && !holds_results(target)) {
      refuse(target,
             "holds no results of berth, so --force does not replace it; give "
             "another --out");
    }
    return check_all_ours(target);
  }
  if (!is_sweep) {
    refuse(target, "already exists and holds no sweep; give another --out");
  }
  if (read_text((target / kPlan).string()) != plan) {
    refuse(target,
           "holds another sweep (its sweep.json says which); give another --out, or "
           "--force to replace it");
  }
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

SweepFolder::SweepFolder(fs::path target, std::string_view plan, Existing existing,
                         const Shard& shard)
    : target_(std::move(target)) {
  check_target(target_, plan, existing);
  make(target_);
  lock(existing, shard);
  check_target(target_, plan, existing);
  if (existing == Existing::kReplace && !is_vacant(target_)) clear(target_);
  // The plan first: another process that works on this sweep looks for it.
  if (!fs::exists(target_ / kPlan)) write_file(target_ / kPlan, plan);
  make(target_ / kPoints);
}

void SweepFolder::lock(Existing existing, const Shard& shard) {
  const bool shares = shard.of > 1 && existing == Existing::kRefuse;
  locks_.push_back(std::make_unique<FolderLock>(
      target_ / ".lock", target_, shares ? Hold::kWithOthers : Hold::kAlone));
  if (!shares) return;
  const auto end = fmt::format("-of-{}", shard.of);
  const auto own = target_ / fmt::format(".lock-{}{}", shard.number, end);
  locks_.push_back(std::make_unique<FolderLock>(own, target_, Hold::kAlone));
  refuse_other_divisions(target_, end);
}

fs::path SweepFolder::point(const std::string& name) const {
  return target_ / kPoints / name;
}

std::unique_ptr<ResultsFolder> SweepFolder::begin(const std::string& name) const {
  auto partial = target_ / kPoints / fmt::format(".{}.partial", name);
  if (fs::exists(fs::symlink_status(partial))) {
    if (!fs::is_directory(fs::symlink_status(partial))) {
      refuse(partial, "berth did not make it; move it");
    }
    remove_ours_below(partial);
  }
  make(partial);
  return std::make_unique<ResultsFolder>(point(name), std::move(partial));
}

}  // namespace berth::study
