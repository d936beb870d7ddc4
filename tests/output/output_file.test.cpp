#include "engine/output/output_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/base/error.hpp"

namespace berth {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, const char* text) { std::ofstream(file) << text; }

template <class Action>
ErrorCode code_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("nothing was thrown");
  return ErrorCode::kDefect;
}

struct Folder {
  Folder() : path(fs::temp_directory_path() / "berth-output-file") {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

}  // namespace

TEST_SUITE("output/output_file") {
  TEST_CASE("a file that is there is refused before any work, and stays") {
    const Folder folder;
    const auto file = folder.path / "victim";
    put(file, "precious");
    CHECK(code_of([&] { const OutputFile out(file, Existing::kRefuse); }) ==
          ErrorCode::kUsage);
    CHECK(text_of(file) == "precious");
    OutputFile out(file, Existing::kReplace);
    out.write("new");
    CHECK(text_of(file) == "precious");
    out.commit();
    CHECK(text_of(file) == "new");
  }

  TEST_CASE("a file that appears during the work is not replaced") {
    const Folder folder;
    const auto file = folder.path / "victim";
    OutputFile out(file, Existing::kRefuse);
    out.write("new");
    put(file, "precious");
    CHECK(code_of([&] { out.commit(); }) == ErrorCode::kOutput);
    CHECK(text_of(file) == "precious");
    CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
  }

  TEST_CASE("a link is something that is there, wherever it points to") {
    const Folder folder;
    fs::create_symlink("nowhere", folder.path / "dangling");
    CHECK(code_of([&] {
            const OutputFile out(folder.path / "dangling", Existing::kRefuse);
          }) == ErrorCode::kUsage);
  }

  TEST_CASE("a folder is no file, a device is written to") {
    const Folder folder;
    CHECK(code_of([&] { const OutputFile out(folder.path, Existing::kReplace); }) ==
          ErrorCode::kOutput);
    OutputFile none("/dev/null", Existing::kRefuse);
    none.write("gone");
    none.commit();
    OutputFile full("/dev/full", Existing::kRefuse);
    CHECK(code_of([&] { full.write("no room"); }) == ErrorCode::kOutput);
  }

  TEST_CASE("nothing is left of a file that was not committed") {
    const Folder folder;
    { OutputFile(folder.path / "out", Existing::kRefuse).write("half"); }
    CHECK(fs::is_empty(folder.path));
  }
}

}  // namespace berth
