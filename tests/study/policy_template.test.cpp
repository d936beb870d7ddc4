#include "study/policies/policy_template.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;
using namespace berth::study;
namespace fs = std::filesystem;

namespace {

int code_of_name(std::string_view name) {
  try {
    static_cast<void>(policy_files("", name));
    return 0;
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
}

}  // namespace

TEST_SUITE("study/policy_template") {
  TEST_CASE("a new policy is three files in which its name is filled in") {
    auto files = policy_files("f", "mine");
    REQUIRE(files.size() == 6);
    files.resize(3);
    CHECK(files[0].path == fs::path("f/mine.lua"));
    CHECK(files[1].path == fs::path("f/mine.toml"));
    CHECK(files[2].path == fs::path("f/mine.test.lua"));
    CHECK(files[0].text.find("---@type Policy\nlocal mine = {") != std::string::npos);
    for (const auto& file : files) {
      CHECK(file.text.find(" @") == std::string::npos);
      CHECK(file.text.find("mine") != std::string::npos);
    }
  }

  TEST_CASE("definitions for editors stand beside the first policy of a folder") {
    const test::ScratchFolder scratch;
    const auto first = policy_files(scratch.path(), "mine");
    CHECK(first.back().path == scratch.path() / "berth.meta.lua");
    CHECK(first.back().text.find("---@class Policy") != std::string::npos);
    REQUIRE(first.size() == 6);
    CHECK(first[3].path == scratch.path() / ".luarc.json");
    CHECK(first[4].path == scratch.path() / ".luacheckrc");
    write_new_files(first);
    CHECK(policy_files(scratch.path(), "other").size() == 3);
  }

  TEST_CASE("a name must be one that Lua takes") {
    CHECK(code_of_name("mine_2") == 0);
    for (const auto* name : {"", "2nd", "Mine", "a-b", "a/b", "../a", "end", "local"}) {
      CAPTURE(name);
      CHECK(code_of_name(name) == 2);
    }
  }

  TEST_CASE("nothing is replaced, and nothing written where one file is in the way") {
    const test::ScratchFolder scratch;
    const auto files = policy_files(scratch.path(), "mine");
    static_cast<void>(scratch.file("mine.toml", "precious"));
    CHECK_THROWS_AS(write_new_files(files), Error);
    CHECK(test::text_of_file(scratch.path() / "mine.toml") == "precious");
    CHECK_FALSE(fs::exists(scratch.path() / "mine.lua"));
    fs::remove(scratch.path() / "mine.toml");
    write_new_files(files);
    for (const auto& file : files) CHECK(test::text_of_file(file.path) == file.text);
  }

  TEST_CASE("a folder to start from is a scenario, what it reads, a policy and cases") {
    const test::ScratchFolder scratch;
    const auto all = starters();
    REQUIRE(all.size() == 1);
    CHECK(all.front().first == "gpu");
    const auto files = starter_files(scratch.path(), "gpu");
    REQUIRE(files.size() == 7);
    const auto names = [&](std::size_t i) { return files[i].path.filename().string(); };
    CHECK(names(0) == "gpu.toml");
    CHECK(names(1) == "tasks.csv");
    CHECK(names(2) == "mine.lua");
    CHECK(names(3) == "mine.test.lua");
    CHECK(names(6) == "berth.meta.lua");
    write_new_files(files);
    CHECK(starter_files(scratch.path(), "gpu").size() ==
          4);  // the editor has its files
    CHECK_THROWS_WITH_AS(static_cast<void>(starter_files("", "gpv")),
                         "there is no 'gpv' to start from (did you mean 'gpu'?); there "
                         "is gpu",
                         Error);
  }
}
