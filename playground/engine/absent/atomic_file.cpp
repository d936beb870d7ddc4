// In place of engine/output/atomic_file.cpp: a page writes no file.

#include "engine/output/atomic_file.hpp"

#include "engine/base/error.hpp"

namespace berth {

AtomicFile::AtomicFile(std::filesystem::path target, Existing existing)
    : target_(std::move(target)), existing_(existing) {
  cannot_write(target_, std::make_error_code(std::errc::not_supported));
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view) { BERTH_ASSERT(false); }

void AtomicFile::commit() { BERTH_ASSERT(false); }

void cannot_write(const std::filesystem::path& path, const std::error_code& why) {
  throw Error(ErrorCode::kOutput,
              path.string() + ": cannot be written: " + why.message());
}

void write_file(const std::filesystem::path& target, std::string_view) {
  const AtomicFile file(target);
}

}  // namespace berth
