// Several traces merged by a scenario (docs/model.md#mix).

#include <doctest/doctest.h>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// jobs.swf offers 0.3 of ten processors, other.swf 0.15.
class TwoTraces : public PlayedScenario {
 public:
  explicit TwoTraces(const std::string& workload)
      : PlayedScenario({{50, 1, 100}, {100, 1, 100}, {150, 1, 100}},
                       "[machine]\nprocessors = 10\n[workload]\n" + workload) {
    (void)folder().file("other.swf",
                        swf_text({{0, 2, 100}, {100, 2, 100}, {400, 2, 100}}));
  }
};

constexpr const char* kMix =
    "mix = [{ trace = \"jobs.swf\", share = 0.5 }, { trace = \"other.swf\", share = "
    "0.5 }]\n";

}  // namespace

TEST_SUITE("cli/mix") {
  TEST_CASE("each trace has its share of the load, from 0 to where the shortest ends") {
    TwoTraces played(kMix + std::string("load = 0.3\n"));
    const auto said = played.run("fcfs");
    CHECK_MESSAGE(said.code == 0, said.err);
    auto jobs = columns_of(played.text("jobs.csv"));
    CHECK(jobs["submission_time"] ==
          std::vector<std::string>{"0", "0", "100", "100", "200"});
    CHECK(jobs["job_id"] == std::vector<std::string>{"1", "4", "2", "5", "3"});
    // What the manifest says can be run again: it names the traces once.
    CHECK(played.text("manifest.json").find("trace = ") == std::string::npos);
  }

  TEST_CASE("a mix without a load, or with a wrong share, is refused with its place") {
    TwoTraces played(kMix);
    auto said = played.run("fcfs");
    CHECK(said.code == 3);
    CHECK(said.err.find("workload.mix: the traces share workload.load") !=
          std::string::npos);
    TwoTraces wrong("mix = [{ trace = \"jobs.swf\", share = 2 }]\nload = 1\n");
    said = wrong.run("fcfs");
    CHECK(said.code == 3);
    CHECK(said.err.find("case.toml:4:7: workload.mix: each part") != std::string::npos);
    TwoTraces both(kMix + std::string("load = 0.3\ntrace = \"jobs.swf\"\n"));
    said = both.run("fcfs");
    CHECK(said.code == 3);
    CHECK(said.err.find("only one of them can count") != std::string::npos);
  }
}
