#include "study/results/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"

namespace berth::study {

namespace {

constexpr mode_t kEveryone = 0666;  // less what the umask takes

// "process 7 on HOST", as the holder wrote it.
std::string holder(int file) {
  std::array<char, 200> text{};
  const auto size = ::pread(file, text.data(), text.size(), 0);
  if (size <= 0) return "another process";
  return printable(std::string_view(text.data(), static_cast<std::size_t>(size)));
}

std::string this_process() {
  std::array<char, 100> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return fmt::format("process {} on {}", ::getpid(), host.data());
}

}  // namespace

FolderLock::FolderLock(std::filesystem::path file, const std::filesystem::path& folder,
                       Hold hold)
    : file_(std::move(file)) {
  while (!take(folder, hold)) ::close(open_);
  if (hold == Hold::kAlone) leftover_.emplace(file_);
  const auto text = this_process();
  const bool written =
      ::ftruncate(open_, 0) == 0 &&
      ::pwrite(open_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (written) return;
  const int reason = errno;
  ::close(open_);
  cannot_write(file_, {reason, std::generic_category()});
}

FolderLock::~FolderLock() {
  // The last one removes it.
  if (::flock(open_, LOCK_EX | LOCK_NB) == 0) ::unlink(file_.c_str());
  ::close(open_);
}

bool FolderLock::take(const std::filesystem::path& folder, Hold hold) {
  open_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kEveryone);
  if (open_ < 0) cannot_write(file_, {errno, std::generic_category()});
  const int how = hold == Hold::kAlone ? LOCK_EX : LOCK_SH;
  if (::flock(open_, how | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const auto other = holder(open_);
    ::close(open_);
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: {} writes into it; wait for its end, or give another "
                            "--out",
                            printable_name(folder.string()), other));
  }
  // The holder before may have removed the file between the two calls.
  struct stat named {};
  struct stat locked {};
  return ::stat(file_.c_str(), &named) == 0 && ::fstat(open_, &locked) == 0 &&
         named.st_ino == locked.st_ino && named.st_dev == locked.st_dev;
}

}  // namespace berth::study
