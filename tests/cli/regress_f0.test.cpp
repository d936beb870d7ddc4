// F0: the label of a policy file "...lua" is "..", and a folder of that name in --out
// was the folder beside it, whose contents went with the results of the failed policy.

#include <doctest/doctest.h>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
    "2 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n";
constexpr auto kFails = "return { schedule = function() error(\"it broke\") end }\n";

// Everything below the folder, files by their text.
std::string all_of(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    text += fs::relative(entry.path(), folder).string() + "\n";
  }
  return text;
}

struct Setup {
  Setup() {
    fs::create_directories(folder.path() / "parent/beside");
    static_cast<void>(folder.file("parent/canary", "alive"));
    static_cast<void>(folder.file("parent/beside/jobs.csv", "mine"));
    trace = folder.file("t.swf", kTrace);
    policy = folder.file("...lua", kFails);
  }

  int run(std::vector<std::string> args) const {
    args.insert(args.end(), {"--out", (folder.path() / "parent/out").string()});
    const auto said = test::berth_says(args);
    INFO(said.err);
    CHECK(said.err.find("it broke") != std::string::npos);
    return said.code;
  }

  void check_untouched() const {
    CHECK(test::text_of_file(folder.path() / "parent/canary") == "alive");
    CHECK(test::text_of_file(folder.path() / "parent/beside/jobs.csv") == "mine");
    CHECK(test::text_of_file(trace) == kTrace);
    CHECK(test::text_of_file(policy) == kFails);
  }

  test::ScratchFolder folder;
  std::string trace;
  std::string policy;
};

}  // namespace

TEST_SUITE("cli/regress_f0") {
  TEST_CASE("a failing policy ...lua in a run leaves files beside --out alone") {
    const Setup setup;
    CHECK(setup.run({"run", "--trace", setup.trace, "--policy", "easy", "--policy",
                     setup.policy}) == 4);
    setup.check_untouched();
    const auto out = setup.folder.path() / "parent/out";
    CHECK(fs::exists(out / "easy/jobs.csv"));
    INFO(all_of(out));
    CHECK(std::distance(fs::directory_iterator(out), {}) ==
          3);  // and comparison.csv, run.json
  }

  TEST_CASE("a failing policy ...lua in a sweep leaves files beside --out alone") {
    const Setup setup;
    const auto scenario = setup.folder.file(
        "s.toml",
        "workload.trace = \"t.swf\"\n"
        "run.policies = [\"easy\", \"./...lua\"]\n[sweep]\nseed = [1, 2]\n");
    // Twice: the second time the points with failures are run again.
    for (int i = 0; i < 2; ++i) {
      CHECK(setup.run({"sweep", scenario}) == 4);
      setup.check_untouched();
    }
    const auto point = setup.folder.path() / "parent/out/points/0001-seed=1";
    INFO(all_of(setup.folder.path()));
    CHECK(fs::exists(point / "easy/summary.json"));
    CHECK(fs::exists(point / "%2E./failed.json"));
  }
}
