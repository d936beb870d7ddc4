#include "engine/base/spill_file.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/environment.hpp"

using namespace berth;

namespace {

constexpr std::size_t kBytes = 5 * SpillFile::kBlock;

// Pages of the file that are in memory.
std::size_t resident(const SpillFile& file) {
  static const auto kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t pages = 0;
  const auto* name = "/proc/self/smaps";
  const auto text = test::text_of_file(name);
  char place[32];
  std::snprintf(place, sizeof place, "%zx-",
                reinterpret_cast<std::size_t>(file.data()));
  const auto at = text.find(std::string("\n") + place);
  const auto rss = text.find("Rss:", at);
  if (at == text.npos || rss == text.npos) return pages;
  return std::stoul(text.substr(rss + 4)) * 1024 / kPage;
}

void fill(const SpillFile& file) {
  for (std::size_t i = 0; i < file.size(); ++i) {
    file.data()[i] = static_cast<std::byte>(i * 7 / 13);
  }
}

bool is_filled(const SpillFile& file, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (file.data()[i] != static_cast<std::byte>(i * 7 / 13)) return false;
  }
  return true;
}

std::pair<ErrorCode, std::string> complaint(std::size_t bytes) {
  try {
    SpillFile file;
    file.grow(bytes);
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ErrorCode::kDefect, "none"};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("base/spill_file") {
  TEST_CASE("dropped pages leave memory and are read back unchanged") {
    SpillFile file;
    file.grow(kBytes);
    fill(file);
    CHECK(resident(file) > 0);
    file.drop_pages();
    CHECK(resident(file) == 0);
    CHECK(is_filled(file, kBytes));
  }

  TEST_CASE("a file that grows keeps its bytes, dropped or not") {
    SpillFile file;
    file.grow(SpillFile::kBlock);
    fill(file);
    file.drop_pages();
    for (int i = 2; i < 20; ++i) {
      file.grow(static_cast<std::size_t>(i) * SpillFile::kBlock + 12'345);
    }
    CHECK(is_filled(file, SpillFile::kBlock));
    CHECK(file.data()[file.size() - 1] == std::byte{0});
  }

  TEST_CASE("only the blocks before an address are dropped") {
    SpillFile file;
    file.grow(kBytes);
    fill(file);
    const auto all = resident(file);
    file.drop_pages_before(file.data() + kBytes);
    const auto left = resident(file);
    CHECK(left < all);
    CHECK(left > 0);
    file.drop_pages_before(file.data());
    CHECK(resident(file) == left);
    CHECK(is_filled(file, kBytes));
  }

  TEST_CASE("the file has no name in its folder") {
    const test::ScratchFolder scratch;
    const test::Variable folder("TMPDIR", scratch.path().string());
    SpillFile file;
    file.grow(kBytes);
    CHECK(std::filesystem::is_empty(scratch.path()));
  }

  TEST_CASE("an unusable folder is reported with a remedy") {
    const test::ScratchFolder scratch;
    const auto missing = (scratch.path() / "missing").string();
    const test::Variable folder("TMPDIR", missing);
    const auto [code, text] = complaint(kBytes);
    CHECK(code == ErrorCode::kOutput);
    CHECK(has(text, missing + ": "));
    CHECK(has(text, "No such file or directory"));
    CHECK(has(text, "set TMPDIR"));
    CHECK(has(text, "BERTH_JOBS_IN_MEMORY"));
  }

  TEST_CASE("a file in place of the folder is reported") {
    const test::ScratchFolder scratch;
    const test::Variable folder("TMPDIR", scratch.file("plain", ""));
    const auto [code, text] = complaint(kBytes);
    CHECK(code == ErrorCode::kOutput);
    CHECK(has(text, "Not a directory"));
  }

  TEST_CASE("a full disk is reported when the file grows, not on a later write") {
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit small = before;
    small.rlim_cur = SpillFile::kBlock;
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const auto [code, text] = complaint(kBytes);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, handler);
    CHECK(code == ErrorCode::kOutput);
    CHECK(has(text, std::to_string(kBytes) + " bytes cannot be allocated"));
  }

  TEST_CASE("the limit of entries in memory is a whole number") {
    CHECK(entries_in_memory() == 1'048'576);
    {
      const test::Variable few("BERTH_JOBS_IN_MEMORY", "12");
      CHECK(entries_in_memory() == 12);
    }
    for (const auto* wrong : {"", "many", "-1", "1.5", "12 ", "99999999999999999999"}) {
      CAPTURE(wrong);
      const test::Variable told("BERTH_JOBS_IN_MEMORY", wrong);
      CHECK_THROWS_AS((void)entries_in_memory(), Error);
    }
  }
}
