#include "engine/output/atomic_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "engine/base/error.hpp"

namespace berth {

namespace {

namespace fs = std::filesystem;

// An empty folder that goes with the test.
class Folder {
 public:
  Folder() {
    auto pattern = (fs::temp_directory_path() / "berth-test-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }
  [[nodiscard]] auto entries() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ErrorCode code_of(const std::function<void()>& action, std::string& message) {
  try {
    action();
  } catch (const Error& error) {
    message = error.what();
    return error.code();
  }
  FAIL("nothing was thrown");
  return ErrorCode::kDefect;
}

}  // namespace

TEST_SUITE("output/atomic_file") {
  TEST_CASE("a file appears when it is committed, not before") {
    const Folder folder;
    AtomicFile file(folder / "out.csv");
    file.write("a,b\n");
    file.write("1,2\n");
    CHECK_FALSE(fs::exists(folder / "out.csv"));
    file.commit();
    CHECK(text_of(folder / "out.csv") == "a,b\n1,2\n");
    CHECK(folder.entries() == 1);
  }

  TEST_CASE("a writer that throws half-way leaves nothing") {
    const Folder folder;
    const auto half = [&] {
      AtomicFile file(folder / "out.csv");
      file.write("half a f");
      throw std::runtime_error("no more");
    };
    CHECK_THROWS_AS(half(), std::runtime_error);
    CHECK(folder.entries() == 0);
  }

  TEST_CASE("an older file stays as it is until the new one is complete") {
    const Folder folder;
    write_file(folder / "out.csv", "old");
    {
      AtomicFile file(folder / "out.csv");
      file.write("new");
    }
    CHECK(text_of(folder / "out.csv") == "old");
    write_file(folder / "out.csv", "new");
    CHECK(text_of(folder / "out.csv") == "new");
    CHECK(folder.entries() == 1);
  }

  TEST_CASE("E 23: a name as long as the file system takes is written") {
    const Folder folder;
    const auto name = std::string(251, 'n') + ".lua";
    write_file(folder / name.c_str(), "whole");
    CHECK(text_of(folder / name.c_str()) == "whole");
    CHECK(folder.entries() == 1);
    std::string message;
    CHECK(code_of([&] { write_file(folder / (name + "x").c_str(), "text"); },
                  message) == ErrorCode::kOutput);
    CHECK(folder.entries() == 1);
  }

  TEST_CASE("what a killed process left behind is no obstacle") {
    const Folder folder;
    std::ofstream(folder / ".out.csv.partial-0") << "half";
    write_file(folder / "out.csv", "whole");
    CHECK(text_of(folder / "out.csv") == "whole");
    CHECK(text_of(folder / ".out.csv.partial-0") == "half");
  }

  TEST_CASE("a full disk is an error with path and reason") {
    if (!fs::is_character_file("/dev/full")) {
      MESSAGE("skipped: there is no /dev/full");
      return;
    }
    std::string message;
    CHECK(code_of([] { write_file("/dev/full", "text"); }, message) ==
          ErrorCode::kOutput);
    CHECK(message == "/dev/full: cannot write: No space left on device");
    CHECK(fs::is_character_file("/dev/full"));
  }

  TEST_CASE("a missing folder is an error with path and reason") {
    const Folder folder;
    const auto target = folder / "none" / "out.csv";
    std::string message;
    CHECK(code_of([&] { write_file(target, "text"); }, message) == ErrorCode::kOutput);
    CHECK(message == target.string() + ": cannot create: No such file or directory");
  }

  TEST_CASE("a folder in the way is an error") {
    const Folder folder;
    fs::create_directory(folder / "out.csv");
    std::string message;
    CHECK(code_of([&] { write_file(folder / "out.csv", "text"); }, message) ==
          ErrorCode::kOutput);
    CHECK(folder.entries() == 1);
  }

  TEST_CASE("a device is written directly") {
    AtomicFile file("/dev/null");
    file.write("text");
    file.commit();
    CHECK(fs::is_character_file("/dev/null"));
  }
}

}  // namespace berth
