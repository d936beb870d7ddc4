#include "engine/output/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

constexpr int kMostTries = 1000;
constexpr std::size_t kLongest = 200;  // bytes of a name; file systems take 255
constexpr mode_t kEveryone = 0666;     // less what the umask takes

bool replaceable(const std::filesystem::path& target) {
  std::error_code none;
  const auto status = std::filesystem::status(target, none);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target, Existing existing)
    : target_(std::move(target)), existing_(existing) {
  if (replaceable(target_)) {
    open_beside();
  } else {
    written_ = target_;
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  if (file_ < 0) fail("cannot create", errno);
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  ::close(file_);
  if (written_ != target_) ::unlink(written_.c_str());
}

// An earlier process may have left such a file when it was killed: take the next name.
// The end of a long name stays, which has the kind of the file.
void AtomicFile::open_beside() {
  auto name = target_.filename().string();
  if (name.size() > kLongest) name.erase(0, name.size() - kLongest);
  for (int i = 0; i < kMostTries; ++i) {
    written_ = target_.parent_path() / fmt::format(".{}.partial-{}", name, i);
    file_ =
        ::open(written_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kEveryone);
    if (file_ >= 0 || errno != EEXIST) return;
  }
}

void AtomicFile::write(std::string_view text) {
  BERTH_ASSERT(file_ >= 0);
  while (!text.empty()) {
    const auto done = ::write(file_, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot write", errno);
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void AtomicFile::commit() {
  BERTH_ASSERT(file_ >= 0);
  if (::close(std::exchange(file_, -1)) != 0) {
    const int reason = errno;
    if (written_ != target_) ::unlink(written_.c_str());
    fail("cannot write", reason);
  }
  if (written_ == target_) return;
  if (!rename_into_place()) {
    const int reason = errno;
    ::unlink(written_.c_str());
    fail("cannot rename into place", reason);
  }
}

// Some file systems cannot rename without replacing: there a link does not replace.
bool AtomicFile::rename_into_place() const {
  if (existing_ == Existing::kReplace) {
    return ::rename(written_.c_str(), target_.c_str()) == 0;
  }
  if (::renameat2(AT_FDCWD, written_.c_str(), AT_FDCWD, target_.c_str(),
                  RENAME_NOREPLACE) == 0) {
    return true;
  }
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (::link(written_.c_str(), target_.c_str()) != 0) return false;
  ::unlink(written_.c_str());
  return true;
}

void AtomicFile::fail(const char* what, int reason) const {
  throw Error(ErrorCode::kOutput,
              fmt::format("{}: {}: {}", printable_name(target_.string()), what,
                          std::generic_category().message(reason)));
}

void cannot_write(const std::filesystem::path& path, const std::error_code& why) {
  throw Error(ErrorCode::kOutput,
              fmt::format("{}: cannot be written: {}", printable_name(path.string()),
                          why.message()));
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

}  // namespace berth
