#include "study/results/results_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;
using namespace berth::study;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& path, const char* text) { std::ofstream(path) << text; }

int code_of(const fs::path& target, Existing existing) {
  try {
    const ResultsFolder folder(target, existing);
    return 0;
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_SUITE("study/results_folder") {
  TEST_CASE("nothing stands under the name before it is kept") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "deep/out";
    {
      ResultsFolder folder(target, Existing::kRefuse);
      put(folder.path() / "a", "1");
      CHECK_FALSE(fs::exists(target));
      folder.keep();
    }
    CHECK(fs::exists(target / "a"));
    CHECK(entries(target.parent_path()) == 1);
  }

  TEST_CASE("what is not kept leaves nothing behind") {
    const test::ScratchFolder scratch;
    {
      const ResultsFolder folder(scratch.path() / "out", Existing::kRefuse);
      put(folder.make("easy") / "jobs.csv", "1");
    }
    CHECK(entries(scratch.path()) == 0);
  }

  TEST_CASE("a folder that is there is refused, or replaced if it holds results") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    fs::create_directory(target);
    CHECK(code_of(target, Existing::kRefuse) == 2);
    CHECK(code_of(target, Existing::kReplace) == 0);
    put(target / "thesis.tex", "years of work");
    CHECK(code_of(target, Existing::kReplace) == 2);
    put(target / "manifest.json", "{}");
    CHECK(code_of(target, Existing::kReplace) == 2);
    put(target / "manifest.json", R"({"format":1,"outputs":[]})");
    CHECK(code_of(target, Existing::kReplace) == 2);
    fs::remove(target / "thesis.tex");
    {
      ResultsFolder folder(target / "", Existing::kReplace);
      put(folder.path() / "new", "1");
      CHECK(fs::exists(target / "manifest.json"));
      folder.keep();
    }
    CHECK(fs::exists(target / "new"));
    CHECK_FALSE(fs::exists(target / "manifest.json"));
    CHECK(entries(scratch.path()) == 1);
  }

  TEST_CASE("a part that failed is taken back, the others stay") {
    const test::ScratchFolder scratch;
    ResultsFolder folder(scratch.path() / "out", Existing::kRefuse);
    const auto good = folder.make("good");
    const auto bad = folder.make("bad");
    put(good / "jobs.csv", "1");
    put(bad / "jobs.csv", "1");
    folder.drop(bad);
    folder.keep();
    CHECK(fs::exists(scratch.path() / "out/good/jobs.csv"));
    CHECK_FALSE(fs::exists(scratch.path() / "out/bad"));
  }

  TEST_CASE("where no folder can be made the status is 8") {
    CHECK(code_of("/proc/nowhere/out", Existing::kRefuse) == 8);
  }
}
