#include "report/machine_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;

namespace {

constexpr auto kMachineColumns = "event,from,to,name,users,processors,count\n";

std::string refusal_of_span(const std::string& row) {
  test::ScratchFolder folder;
  const auto file = folder.file("machine.csv", kMachineColumns + row);
  try {
    static_cast<void>(report::read_machine_spans(file, 4, test::unlimited()));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    const std::string what = error.what();
    return what.substr(what.find("machine.csv:"));
  }
  return "no error";
}

}  // namespace

TEST_SUITE("report/machine_file") {
  TEST_CASE("hosts that were down and windows are read as they are written") {
    test::ScratchFolder folder;
    const auto file =
        folder.file("machine.csv", std::string(kMachineColumns) +
                                       "down,6,8,,,2-3,2\nwindow,5,,\"a, b\",2 7,,3\n");
    const auto spans = report::read_machine_spans(file, 4, test::unlimited());
    REQUIRE(spans.size() == 2);
    CHECK_FALSE(spans[0].is_window);
    CHECK(spans[0].from == seconds(6));
    CHECK(spans[0].to == seconds(8));
    CHECK(spans[0].processors == std::vector<Interval>{{2, 3}});
    CHECK(spans[1].is_window);
    CHECK(spans[1].to == kNever);
    CHECK(spans[1].name == "a, b");
    CHECK(spans[1].users == "2 7");
    CHECK(spans[1].processors.empty());
    CHECK(spans[1].count == 3);
  }

  TEST_CASE("a file of the machine that is wrong is refused by line and column") {
    CHECK(refusal_of_span("up,6,8,,,2,1\n") ==
          "machine.csv:2:1: event: 'up' is neither down nor window");
    CHECK(refusal_of_span("down,6,5,,,2,1\n") ==
          "machine.csv:2:8: to: it ends before it begins");
    CHECK(refusal_of_span("down,6,8,,,4,1\n") ==
          "machine.csv:2:12: processors: the machine has processors from 0 to 3");
    CHECK(refusal_of_span("down,6,8,,,2,5\n").starts_with("machine.csv:2:14: count: "));
    CHECK(
        refusal_of_span("down,soon,8,,,2,1\n").starts_with("machine.csv:2:6: from: "));
  }
}
