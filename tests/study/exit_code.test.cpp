#include "study/common/exit_code.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "engine/base/error.hpp"

using namespace berth;
using namespace berth::study;

namespace {

template <class Thrown>
Failure failure_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return failure_now();
  }
}

}  // namespace

TEST_SUITE("study/exit_code") {
  TEST_CASE("of several failures the gravest is the exit status") {
    // In the order of design section 6: each beats all that follow.
    const std::vector<int> order = {70, 130, 8, 1, 7, 6, 5, 4, 3, 2, 0};
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i; j < order.size(); ++j) {
        const std::vector<int> codes = {0, order[j], order[i], order[j]};
        CHECK(worst_code(codes) == order[i]);
      }
    }
    CHECK(worst_code({}) == 0);
  }

  TEST_CASE("an error keeps its code and text, others are interrupted or a defect") {
    CHECK(failure_of(Error(ErrorCode::kPolicy, "p.lua:1: no")).code == 4);
    CHECK(failure_of(Error(ErrorCode::kPolicy, "p.lua:1: no")).text == "p.lua:1: no");
    CHECK(failure_of(Interrupted{}).code == 130);
    CHECK(failure_of(std::runtime_error("oops")).code == 70);
    CHECK(failure_of(std::system_error(EIO, std::generic_category())).code == 70);
  }

  TEST_CASE("lack of memory is a limit, whatever was asked for") {
    for (const auto& failure :
         {failure_of(std::bad_alloc()),
          failure_of(std::system_error(EAGAIN, std::generic_category())),
          failure_of(std::system_error(ENOMEM, std::generic_category()))}) {
      CHECK(failure.code == 6);
      CHECK(failure.text.starts_with("memory limit: this computer, or ulimit"));
    }
  }

  TEST_CASE("E 23: what a file system refuses is a failure of output, no defect") {
    for (const int reason :
         {EMFILE, ENFILE, ENAMETOOLONG, ENOSPC, EACCES, EROFS, EIO}) {
      const std::filesystem::filesystem_error error(
          "open", "out/jobs.csv", std::error_code(reason, std::generic_category()));
      CHECK(failure_of(error).code == 8);
      CHECK(failure_of(error).text.starts_with("out/jobs.csv: "));
    }
  }

  TEST_CASE("the first step that goes wrong is the status of all") {
    ExitStatus status;
    for (const int code : {0, 0, 5, 0, 1, 70, 130}) status.add(code);
    CHECK(status.code() == 5);
  }

  TEST_CASE("the text of a failure is escaped and has at most 16 KiB") {
    CHECK(failure_of(Error(ErrorCode::kPolicy, "a\x1b[2J\nb")).text == "a\\x1b[2J\nb");
    CHECK(failure_of(std::runtime_error("\x07")).text == "a defect of berth: \\x07");
    const std::string huge(std::size_t{1} << 20U, 'x');
    CHECK(failure_of(Error(ErrorCode::kPolicy, huge)).text.size() == 16 * 1024);
  }
}
