#include "engine/base/spill_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::size_t kEntriesInMemory = std::size_t{1} << 20U;

// Not resolved: messages show what the user set.
std::filesystem::path folder_for_files() {
  const char* told = std::getenv("TMPDIR");
  return told != nullptr && *told != '\0' ? told : "/tmp";
}

int make_file(const std::filesystem::path& folder) {
  auto name = (folder / "berth-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

// 0, or an errno value.
int allocate(int file, std::size_t from, std::size_t to) {
  int code = EINTR;
  while (code == EINTR) {
    code = ::posix_fallocate(file, static_cast<off_t>(from),
                             static_cast<off_t>(to - from));
  }
  return code;
}

}  // namespace

SpillFile::SpillFile() : folder_(folder_for_files()), file_(make_file(folder_)) {
  if (file_ < 0) refuse(errno, "no file can be created");
}

SpillFile::~SpillFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
  ::close(file_);
}

void SpillFile::grow(std::size_t bytes) {
  BERTH_ASSERT(bytes > size_);
  const int code = allocate(file_, size_, bytes);
  if (code != 0) refuse(code, fmt::format("{} bytes cannot be allocated", bytes));
  void* const moved = data_ == nullptr ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                                MAP_SHARED, file_, 0)
                                       : ::mremap(data_, size_, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) {
    refuse(errno, fmt::format("{} bytes cannot be mapped into memory", bytes));
  }
  data_ = static_cast<std::byte*>(moved);
  size_ = bytes;
}

void SpillFile::drop_pages() const { drop_pages(0, size_); }

void SpillFile::drop_pages_before(const void* at) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(data_);
  const auto end = reinterpret_cast<std::uintptr_t>(at) / kBlock * kBlock;
  if (end <= begin) return;
  // The block before it, too: a pass that looks back reads some of its pages again.
  const auto length = end - begin;
  drop_pages(length > 2 * kBlock ? length - 2 * kBlock : 0, length);
}

// On a shared mapping MADV_DONTNEED keeps what was written: the file has it.
void SpillFile::drop_pages(std::size_t from, std::size_t to) const {
  if (from < to) ::madvise(data_ + from, to - from, MADV_DONTNEED);
}

void SpillFile::refuse(int code, const std::string& what) const {
  throw Error(
      ErrorCode::kOutput,
      fmt::format("{}: a workload this long needs a temporary file, but {}: {}; set "
                  "TMPDIR to a writable folder with room, or BERTH_JOBS_IN_MEMORY "
                  "to more than the jobs of the workload",
                  folder_.string(), what, std::generic_category().message(code)));
}

std::size_t entries_in_memory() {
  const char* told = std::getenv("BERTH_JOBS_IN_MEMORY");
  if (told == nullptr) return kEntriesInMemory;
  const std::string_view text(told);
  std::size_t entries = 0;
  const auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), entries);
  if (code == std::errc() && end == text.data() + text.size()) return entries;
  throw Error(ErrorCode::kUsage,
              fmt::format("BERTH_JOBS_IN_MEMORY: '{}' is not a whole number", text));
}

}  // namespace berth
