#include "engine/output/output_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace fs = std::filesystem;

namespace {

// What would be lost: a file, or a link, wherever it points to.
bool is_taken(const fs::path& target) {
  std::error_code none;
  if (fs::is_symlink(fs::symlink_status(target, none))) {
    const auto behind = fs::status(target, none);
    return !fs::exists(behind) || fs::is_regular_file(behind);
  }
  return fs::is_regular_file(fs::status(target, none));
}

}  // namespace

OutputFile::OutputFile(fs::path target, Existing existing)
    : target_(std::move(target)), existing_(existing) {
  std::error_code none;
  if (fs::is_directory(target_, none)) {
    cannot_write(target_, std::make_error_code(std::errc::is_a_directory));
  }
  if (existing_ == Existing::kReplace || !is_taken(target_)) return;
  throw Error(ErrorCode::kUsage, fmt::format("{}: already exists; give another name, "
                                             "or --force to replace it",
                                             printable_name(target_.string())));
}

void OutputFile::write(std::string_view text) { file().write(text); }

void OutputFile::commit() { file().commit(); }

AtomicFile& OutputFile::file() {
  if (!file_) file_ = std::make_unique<AtomicFile>(target_, existing_);
  return *file_;
}

void make_output_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) cannot_write(folder, failed);
}

}  // namespace berth
