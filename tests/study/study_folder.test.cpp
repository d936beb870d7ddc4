#include "study/results/study_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "engine/base/error.hpp"
#include "engine/base/leftovers.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;
using namespace berth::study;
namespace fs = std::filesystem;

namespace {

constexpr auto kPlan = R"({"format":1,"policies":[]})";
constexpr auto kOther = R"({"format":1,"policies":[1]})";
constexpr auto kManifest = R"({"format":1,"outputs":[{"name":"jobs.csv"}]})";

void put(const fs::path& path, const char* text) { std::ofstream(path) << text; }

int code_of(const fs::path& target, Existing existing, const char* plan = kPlan) {
  try {
    const StudyFolder folder(target, PointPlace::kInFolder, plan, existing);
    return 0;
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// A point with the files of a result.
void add_point(const StudyFolder& folder, const std::string& name) {
  const auto point = folder.begin(name);
  put(point->path() / "manifest.json", kManifest);
  put(point->path() / "jobs.csv", "1");
  point->keep();
}

}  // namespace

TEST_SUITE("study/study_folder") {
  TEST_CASE("a point stands under its name only when it is kept") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "deep/out";
    {
      const StudyFolder folder(target, PointPlace::kInFolder, kPlan, Existing::kRefuse);
      {
        const auto point = folder.begin("easy");
        put(point->path() / "jobs.csv", "1");
        CHECK_FALSE(fs::exists(target / "easy"));
      }
      add_point(folder, "fcfs");
    }
    CHECK(fs::exists(target / "fcfs/jobs.csv"));
    CHECK(entries(target) == 2);  // run.json is beside it
    CHECK(entries(target.parent_path()) == 1);
  }

  TEST_CASE("the files of a policy that is alone stand in the folder itself") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    for (const auto* text : {"old", "new"}) {
      const StudyFolder folder(target, PointPlace::kItself, kPlan, Existing::kRefuse);
      const auto point = folder.begin("easy");
      put(point->path() / "manifest.json", kManifest);
      put(point->path() / "jobs.csv", text);
      point->keep();
    }
    CHECK(test::text_of_file(target / "jobs.csv") == "new");
    CHECK(entries(target) == 3);
  }

  TEST_CASE("a run without a result leaves nothing behind") {
    const test::ScratchFolder scratch;
    for (const auto place : {PointPlace::kInFolder, PointPlace::kItself}) {
      const StudyFolder folder(scratch.path() / "out", place, kPlan, Existing::kRefuse);
      const auto point = folder.begin("easy");
      put(point->path() / "jobs.csv", "1");
    }
    CHECK(entries(scratch.path()) == 0);
  }

  TEST_CASE("the same run goes on, another is refused or replaced") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    fs::create_directory(target);
    CHECK(code_of(target, Existing::kRefuse) == 0);
    add_point(StudyFolder(target, PointPlace::kInFolder, kPlan, Existing::kRefuse),
              "easy");
    CHECK(code_of(target, Existing::kRefuse) == 0);
    CHECK(code_of(target / "", Existing::kRefuse) == 0);
    CHECK(code_of(target, Existing::kRefuse, kOther) == 2);
    put(target / "thesis.tex", "years of work");
    CHECK(code_of(target, Existing::kReplace, kOther) == 2);
    fs::remove(target / "thesis.tex");
    CHECK(fs::exists(target / "easy/jobs.csv"));
    CHECK(code_of(target, Existing::kReplace, kOther) == 0);
    CHECK_FALSE(fs::exists(target / "easy"));
  }

  TEST_CASE("a folder without results is replaced by nothing") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    fs::create_directory(target);
    put(target / "manifest.json", "{}");
    CHECK(code_of(target, Existing::kReplace) == 2);
    put(target / "manifest.json", R"({"format":1,"outputs":[]})");
    CHECK(code_of(target, Existing::kRefuse) == 2);
    CHECK(code_of(target, Existing::kReplace) == 0);
  }

  TEST_CASE("what a killed process left of a point is removed") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    add_point(StudyFolder(target, PointPlace::kInFolder, kPlan, Existing::kRefuse),
              "easy");
    fs::create_directory(target / ".fcfs.partial");
    put(target / ".fcfs.partial/.jobs.csv.partial-0", "half");
    fs::rename(target / "easy", target / ".easy.replaced");
    CHECK(code_of(target, Existing::kRefuse) == 0);
    CHECK(entries(target) == 0);
  }

  TEST_CASE("a point replaces an earlier one where a killed process had begun to") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    const StudyFolder folder(target, PointPlace::kInFolder, kPlan, Existing::kRefuse);
    add_point(folder, "easy");
    fs::copy(target / "easy", target / ".easy.replaced");
    add_point(folder, "easy");
    CHECK(fs::exists(target / "easy/jobs.csv"));
    CHECK_FALSE(fs::exists(target / ".easy.replaced"));
  }

  TEST_CASE("where no folder can be made, or its name is too long, the status is 8") {
    const test::ScratchFolder scratch;
    CHECK(code_of("/proc/nowhere/out", Existing::kRefuse) == 8);
    CHECK(code_of(scratch.path() / std::string(300, 'n'), Existing::kRefuse) == 8);
    auto deep = scratch.path();
    while (deep.string().size() < 3'400) deep /= std::string(100, 'n');
    CHECK(code_of(deep, Existing::kRefuse) == 8);
    CHECK(entries(scratch.path()) == 0);
  }

  TEST_CASE("a process that is ended leaves neither a part of a point nor a lock") {
    const test::ScratchFolder scratch;
    const auto target = scratch.path() / "out";
    const StudyFolder folder(target, PointPlace::kInFolder, kPlan, Existing::kRefuse);
    add_point(folder, "easy");
    const auto point = folder.begin("fcfs");
    put(point->path() / "jobs.csv", "half");
    CHECK(entries(target) == 4);
    remove_leftovers();
    CHECK(entries(target) == 2);
    CHECK(fs::exists(target / "easy/jobs.csv"));
  }
}
