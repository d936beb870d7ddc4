// What else a run leaves beside its jobs: timelines of replications, passes, loads.

#include <doctest/doctest.h>

#include <string>

#include "engine/base/error.hpp"
#include "report/loads_file.hpp"
#include "report/log_file.hpp"
#include "report/timelines.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;

namespace {

std::string refusal_of_load(const std::string& row) {
  test::ScratchFolder folder;
  const auto file = folder.file("loads.csv", "from,to,group,row,share\n" + row);
  try {
    static_cast<void>(report::read_loads(file, test::unlimited()));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    const std::string what = error.what();
    return what.substr(what.find("loads.csv:"));
  }
  return "no error";
}

const std::string kLevels = "from,to,queue_mean,queue_max,used_mean,used_max\n";

}  // namespace

TEST_SUITE("report/run_files") {
  TEST_CASE("a band has quantiles over replications, by the bins of the run") {
    test::ScratchFolder folder;
    // The second run is over at 4, and its bins are twice as wide.
    const auto one =
        folder.file("1.csv", kLevels + "0,2,4,4,1,1\n2,4,8,8,1,1\n4,6,2,2,1,1\n");
    const auto other = folder.file("2.csv", kLevels + "0,4,6,9,3,3\n");
    auto read = report::read_timeline(one, test::unlimited());
    report::add_bands(read, std::vector<std::filesystem::path>{one, other},
                      test::unlimited());
    REQUIRE(read.names == std::vector<std::string>{
                              "queue_mean", "queue_max", "used_mean", "used_max",
                              "queue_low", "queue_high", "used_low", "used_high"});
    CHECK(read.replications == 2);
    // Three bins, then all of them together twice: means 14/3 and 4.
    const auto& low = read.values[4];
    const auto& high = read.values[5];
    REQUIRE(low.size() == 5);
    REQUIRE(high.size() == 5);
    CHECK(low[0] == doctest::Approx(4 + 0.05 * 2));
    CHECK(high[0] == doctest::Approx(4 + 0.95 * 2));
    CHECK(low[1] == doctest::Approx(6 + 0.05 * 2));
    CHECK(low[2] == doctest::Approx(0.05 * 2));
    CHECK(high[2] == doctest::Approx(0.95 * 2));
    CHECK(low[3] == doctest::Approx(4 + 0.05 * 2 / 3));
    CHECK(high[4] == doctest::Approx(4 + 0.95 * 2 / 3));
  }

  TEST_CASE("a pass tells what it left in the queue; of one instant the last counts") {
    test::ScratchFolder folder;
    const auto file = folder.file("log.jsonl",
                                  R"({"at":0,"record":"submit","job":1,"size":1}
{"at":0,"record":"submit","job":2,"size":1}
{"at":0,"record":"start","job":1}
{"at":0,"record":"pass","number":1,"causes":["submit"],"actions":1}
{"at":5.5,"record":"submit","job":3,"size":9}
{"at":5.5,"record":"reject","job":3}
{"at":5.5,"record":"suspend","job":1}
{"at":5.5,"record":"pass","number":2,"causes":[],"actions":1}
{"at":5.5,"record":"resume","job":1}
{"at":5.5,"record":"pass","number":3,"causes":[],"actions":1}
)");
    const auto passes = report::read_passes(file, test::unlimited());
    REQUIRE(passes.size() == 2);
    CHECK(passes[0].at == 0);
    CHECK(passes[0].left == 1);
    CHECK(passes[1].at == 5 * kSecond + kSecond / 2);
    CHECK(passes[1].number == 3);
    CHECK(passes[1].left == 1);
  }

  TEST_CASE("a pass without a time is refused by its line") {
    test::ScratchFolder folder;
    const auto file =
        folder.file("log.jsonl", R"({"at":null,"record":"pass","number":1})"
                                 "\n");
    CHECK_THROWS_WITH_AS(
        static_cast<void>(report::read_passes(file, test::unlimited())),
        doctest::Contains("log.jsonl:1: at: "), Error);
  }

  TEST_CASE("loads are read by group and row") {
    test::ScratchFolder folder;
    const auto file = folder.file("loads.csv",
                                  "from,to,group,row,share\n0,2,slots,server 0,1\n"
                                  "0,2,slots,server 1,0\n1,2.5,links,server 0,0.125\n"
                                  "3,4,links,server 0,0.5\n");
    const auto loads = report::read_loads(file, test::unlimited());
    REQUIRE(loads.groups.size() == 2);
    CHECK(loads.groups[0].rows == std::vector<std::string>{"server 0", "server 1"});
    CHECK(loads.groups[1].rows == std::vector<std::string>{"server 0"});
    REQUIRE(loads.spans.size() == 4);
    CHECK(loads.spans[2].row == 2);
    CHECK(loads.spans[2].share == 125);
    CHECK(loads.spans[3].row == 2);
    CHECK(loads.spans[3].to == 4 * kSecond);
  }

  TEST_CASE("a load that is wrong is refused by line and column") {
    CHECK(refusal_of_load("0,2,slots,a,1.5\n").starts_with("loads.csv:2:13: share: "));
    CHECK(refusal_of_load("2,1,slots,a,1\n") ==
          "loads.csv:2:3: to: it ends before it begins");
    CHECK(refusal_of_load("x,1,slots,a,1\n").starts_with("loads.csv:2:1: from: "));
  }
}
