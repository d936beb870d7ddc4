#include "tests/support/shared_data.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace berth::test {

std::string source_root() { return BERTH_SOURCE_DIR; }

std::optional<std::filesystem::path> shared_data(std::string_view relative) {
  const char* given = std::getenv("BERTH_DATA");
  const std::filesystem::path root =
      given ? std::filesystem::path(given)
            : std::filesystem::path(source_root()) / ".." / "shared" / "data";
  const std::filesystem::path path = root / relative;
  if (std::filesystem::exists(path)) return path;
  const std::string shown(relative);
  if (given) FAIL("not below BERTH_DATA: " << shown);
  MESSAGE("skipped: no " << shown << " (BERTH_DATA)");
  return std::nullopt;
}

}  // namespace berth::test
