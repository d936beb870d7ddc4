#include "study/results/sweep_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr auto kPlan = "sweep.json";
constexpr auto kPoints = "points";

[[noreturn]] void fail(const fs::path& path, const std::error_code& why) {
  throw Error(ErrorCode::kOutput,
              fmt::format("{}: cannot be written: {}", printable_name(path.string()),
                          why.message()));
}

[[noreturn]] void refuse(const fs::path& path, std::string_view what) {
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: {}", printable_name(path.string()), what));
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
  if (failed) fail(folder, failed);
}

void remove_whole(const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder, failed);
  if (failed) fail(folder, failed);
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
    return remove_whole(target);
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

}  // namespace

SweepFolder::SweepFolder(fs::path target, std::string_view plan, Existing existing)
    : target_(std::move(target)) {
  check_target(target_, plan, existing);
  // The plan first: another process that works on this sweep looks for it.
  make(target_);
  if (!fs::exists(target_ / kPlan)) write_file(target_ / kPlan, plan);
  make(target_ / kPoints);
}

fs::path SweepFolder::point(const std::string& name) const {
  return target_ / kPoints / name;
}

std::unique_ptr<ResultsFolder> SweepFolder::begin(const std::string& name) const {
  auto partial = target_ / kPoints / fmt::format(".{}.partial", name);
  remove_whole(partial);
  make(partial);
  return std::make_unique<ResultsFolder>(point(name), std::move(partial));
}

}  // namespace berth::study
