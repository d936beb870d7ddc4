#include "study/common/exit_code.hpp"

#include <doctest/doctest.h>

#include <new>
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

  TEST_CASE("an error keeps its code and text, all else is interrupted or a defect") {
    CHECK(failure_of(Error(ErrorCode::kPolicy, "p.lua:1: no")).code == 4);
    CHECK(failure_of(Error(ErrorCode::kPolicy, "p.lua:1: no")).text == "p.lua:1: no");
    CHECK(failure_of(Interrupted{}).code == 130);
    CHECK(failure_of(std::bad_alloc()).code == 70);
    CHECK(failure_of(std::runtime_error("oops")).code == 70);
  }
}
