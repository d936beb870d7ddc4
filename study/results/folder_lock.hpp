#pragma once
// An advisory lock on a folder of results, so that two processes do not write into one.
//
// A file that is locked (flock) while this object lives and removed with it; it names
// the process.  A file that a killed process left locks nothing.  Where the file system
// has no locks there is none.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/base/leftovers.hpp"

namespace berth::study {

enum class Hold : std::uint8_t { kAlone, kWithOthers };

class FolderLock {
 public:
  // Throws Error{kUsage} "FOLDER: process 7 on HOST writes into it" while another lock
  // forbids this one, and Error{kOutput} if the file cannot be made.  `folder` is for
  // the message.
  FolderLock(std::filesystem::path file, const std::filesystem::path& folder,
             Hold hold);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  // Whether the lock is on the file that has this name now.
  [[nodiscard]] bool take(const std::filesystem::path& folder, Hold hold);

  std::filesystem::path file_;
  int open_ = -1;
  std::optional<Leftover> leftover_;  // while it is held alone
};

}  // namespace berth::study
