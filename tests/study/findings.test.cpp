// The inputs of a red team that concern files, replayed from the shared data: each ends
// with its documented exit code and a short, escaped message, and a folder beside the
// results keeps what is in it.

#include <doctest/doctest.h>

#include <sstream>

#include "cli/cli.hpp"
#include "engine/workload/gzip_source.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

struct Said {
  int code;
  std::string text;
};

// A copy of the findings, packed files unpacked beside, and a canary in each folder
// around the results.
class Findings {
 public:
  explicit Findings(const fs::path& from) {
    fs::copy(from, root(), fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(root())) {
      fs::permissions(entry, fs::perms::owner_write, fs::perm_options::add);
    }
    unpack("F8_deep_key.toml");
    unpack("F19_merge_grid/w/sweep.json");
    static_cast<void>(folder_.file("canary", "alive"));
    static_cast<void>(folder_.file("in/canary", "alive"));
  }

  [[nodiscard]] Said run(std::vector<std::string> args) const {
    for (auto& arg : args) {
      if (fs::exists(root() / arg)) arg = (root() / arg).string();
    }
    std::ostringstream out;
    std::ostringstream err;
    const int code = cli::run(args, out, err);
    CHECK(test::text_of_file(folder_.path() / "canary") == "alive");
    CHECK(test::text_of_file(root() / "canary") == "alive");
    const auto text = err.str() + out.str();
    for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 32));
    return {code, text};
  }

  [[nodiscard]] fs::path root() const { return folder_.path() / "in"; }

 private:
  void unpack(const std::string& file) {
    test::FileSource packed(root() / (file + ".gz"));
    GzipSource source(packed, file, test::unlimited());
    static_cast<void>(folder_.file("in/" + file, test::read_all(source)));
  }

  test::ScratchFolder folder_;
};

struct Row {
  std::vector<std::string> args;
  int code;
  std::string_view says;
};

const std::vector<Row> kRows{
    {{"run", "--trace", "F6_two_long_jobs.swf", "--policy", "easy"}, 0, "mean_wait"},
    {{"run", "--trace", "F7_false_audit_failure.swf", "--policy", "conservative"},
     3,
     "which the clock cannot carry"},
    {{"run", "F8_deep_key.toml"}, 3, ":7:32: more than 16 levels"},
    {{"verify", "--trace", "F10_verify/v.swf", "--schedule",
      "F10_verify/rejected_but_ran.csv"},
     1,
     "state at t=1, job 2: it is rejected and starts"},
    {{"verify", "--trace", "F10_verify/v.swf", "--schedule",
      "F10_verify/too_big_ran.csv"},
     1,
     "capacity at t=3, job 4: it needs 16 processors"},
    {{"verify", "--trace", "F10_verify/v.swf", "--schedule",
      "F10_verify/killed_longer_than_length.csv"},
     1,
     "state at t=0, job 1: it was killed"},
    {{"verify", "--trace", "F10_verify/v.swf", "--promise", "easy", "--schedule",
      "F10_verify/easy_never.csv"},
     1,
     "and never starts"},
    {{"verify", "--trace", "F10_verify/v.swf", "--schedule",
      "F10_verify/nothing_runs.csv"},
     1,
     "unstarted at t="},
    {{"verify", "--trace", "F10_verify/v.swf", "--schedule",
      "F10_verify/all_rejected.csv"},
     0,
     "no job ran; 3 jobs are rejected"},
    {{"merge", "F11_deep_json/w"}, 3, "0001-seed=1"},
    {{"merge", "F19_merge_grid/w"}, 3, "more than 100000 points"},
    {{"merge", "F20_point_json/w"}, 3, "0001-seed=1"},
    {{"run", "--trace", "t.swf", "--policy", "easy", "--policy", "F9_stem_dots/...lua",
      "--out", "F9_stem_dots"},
     2,
     "already exists"},
};

}  // namespace

TEST_SUITE("study/findings") {
  TEST_CASE("each finding about files ends with its code and its message") {
    const auto from = test::shared_data("findings");
    if (!from) return;
    for (const auto& row : kRows) {
      const Findings findings(*from);
      const auto said = findings.run(row.args);
      CAPTURE(row.args[1]);
      CAPTURE(row.args.back());
      CAPTURE(said.text);
      CHECK(said.code == row.code);
      CHECK(said.text.find(row.says) != std::string::npos);
      CHECK(said.text.size() < 20'000);
    }
  }
}
