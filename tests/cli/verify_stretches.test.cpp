// `berth verify` where jobs are suspended, moved or slowed down: what berth wrote
// passes on every machine, what was cut out of it is found, and what cannot be judged
// is refused in words.

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "tests/support/played.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)
namespace fs = std::filesystem;

namespace {

const fs::path kScenarios = fs::path(source_root()) / "scenarios";

Said verify(const std::string& scenario, const std::string& schedule,
            const std::vector<std::string>& more = {}) {
  std::vector<std::string> args{"verify", scenario, "--schedule", schedule};
  args.insert(args.end(), more.begin(), more.end());
  return berth_says(args);
}

// Lines of stretches.csv of scenarios/star.toml under bgmbf, without the first.
std::vector<std::string> star_stretches(const ScratchFolder& scratch) {
  const auto out = (scratch.path() / "out").string();
  REQUIRE(berth_says({"run", (kScenarios / "star.toml").string(), "--policy", "bgmbf",
                      "--out", out})
              .code == 0);
  std::istringstream text(text_of_file(fs::path(out) / "stretches.csv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  REQUIRE(lines.size() == 12);
  lines.erase(lines.begin());
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text = "job_id,from,to,kind,tier,yield,resources,switch,reserved\n";
  for (const auto& line : lines) text += line + "\n";
  return text;
}

// Three jobs on one processor: job 1 is suspended while job 2 runs.
constexpr const char* kSuspends = R"(local first
return { schedule = function(queue, cluster)
  if not first then first = queue:head(); cluster:start(first) return end
  if first.state == 'running' and queue:head() then cluster:suspend(first) end
  for job in queue:all() do if job ~= first then cluster:start(job) end end
  if first.state == 'suspended' and cluster:idle() > 0 then cluster:start(first) end
end })";

}  // namespace

TEST_SUITE("cli/verify_stretches") {
  TEST_CASE("the schedules of every scenario pass the laws of its machine") {
    for (const auto& entry : fs::directory_iterator(kScenarios)) {
      if (entry.path().extension() != ".toml") continue;
      CAPTURE(entry.path().filename().string());
      const ScratchFolder scratch;
      auto text = text_of_file(entry.path());
      const bool packs = text.find("study = \"packing\"") != std::string::npos;
      // One point of a sweep; a study of packings has no schedules.
      text = text.substr(0, text.find("[sweep]"));
      if (packs) {
        CHECK(verify(entry.path().string(), "none.csv").code != 1);
        continue;
      }
      for (const auto& file : fs::directory_iterator(kScenarios)) {
        if (file.path().extension() == ".toml" || file.is_directory()) continue;
        fs::copy_file(file, scratch.path() / file.path().filename());
      }
      const auto scenario = scratch.file("s.toml", text);
      const auto out = scratch.path() / "out";
      const auto ran = berth_says({"run", scenario, "--out", out.string()});
      CHECK_MESSAGE(ran.code == 0, ran.err);
      int judged = 0;
      for (const auto& policy : fs::recursive_directory_iterator(out)) {
        if (policy.path().filename() != "jobs.csv") continue;
        const auto said = verify(scenario, policy.path().string());
        CAPTURE(policy.path().string());
        CHECK_MESSAGE(said.code == 0, (said.out + said.err));
        ++judged;
      }
      CHECK(judged > 0);
    }
  }

  TEST_CASE(
      "F29: a star without any stretch lacks all its jobs, and rows are not jobs") {
    const ScratchFolder scratch;
    const auto star = (kScenarios / "star.toml").string();
    const auto right = star_stretches(scratch);
    const auto whole = verify(star, scratch.file("s.csv", text_of(right)));
    CHECK(whole.code == 0);
    CHECK(whole.out.find("5 jobs, 11 stretches: every rule holds") !=
          std::string::npos);
    const auto none = verify(star, scratch.file("s.csv", text_of({})));
    CHECK(none.code == 1);
    CHECK(none.out.find("missing    checked          5, broken 5") !=
          std::string::npos);
  }

  TEST_CASE("F29: whatever is cut out of a star is found") {
    const ScratchFolder scratch;
    const auto star = (kScenarios / "star.toml").string();
    const auto right = star_stretches(scratch);
    for (std::size_t cut = 0; cut < right.size(); ++cut) {
      CAPTURE(right[cut]);
      auto lines = right;
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(cut));
      CHECK(verify(star, scratch.file("s.csv", text_of(lines))).code == 1);
    }
    // Job 5 is gone, jobs 2 and 3 end early.
    auto lines = right;
    std::erase_if(lines, [](const auto& line) { return line.starts_with("5,"); });
    for (auto& line : lines) {
      if (line.starts_with("2,10,15,")) line.replace(5, 2, "10.5");
      if (line.starts_with("3,17,")) line.replace(5, 2, "18");
    }
    const auto said = verify(star, scratch.file("s.csv", text_of(lines)));
    CHECK(said.code == 1);
    CHECK(said.out.find("job 5: it is not in the schedule") != std::string::npos);
    CHECK(said.out.find("job 2: its work is that of 0.5 instead of 5") !=
          std::string::npos);
    CHECK(said.out.find("job 3: its work is that of") != std::string::npos);
  }

  TEST_CASE("F36: two tasks of a job on one host can be reported and verified") {
    PlayedScenario played(
        {{0, 2, 10}, {0, 2, 10}, {0, 2, 10}, {0, 2, 10}},
        "[machine]\nprocessors = 2\nsharing = \"fractional\"\n[workload]\n"
        "trace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
        "job_id,cpu,memory\n1,0.2,0.2\n2,0.2,0.2\n3,0.2,0.2\n4,0.2,0.2\n");
    REQUIRE(played.run("mcb").code == 0);
    REQUIRE(played.text("jobs.csv").find(",0 0,") != std::string::npos);
    const auto page = (played.folder().path() / "page.html").string();
    const auto report = berth_says({"report", played.out(), "-o", page});
    CHECK_MESSAGE(report.code == 0, report.err);
    const auto said = verify(played.scenario(), played.out() + "/jobs.csv");
    CHECK_MESSAGE(said.code == 0, (said.out + said.err));
  }

  TEST_CASE("a job that was suspended is judged by its stretches, or refused") {
    PlayedScenario played({{0, 1, 10, 100}, {3, 1, 2}},
                          "[machine]\nprocessors = 1\npreemption = true\n[workload]\n"
                          "trace = \"jobs.swf\"\n");
    const auto policy = played.folder().file("p.lua", kSuspends);
    REQUIRE(played.run(policy).code == 0);
    CHECK(played.spans() == "0-12 3-5");
    const auto jobs = played.out() + "/jobs.csv";
    const auto trace = (played.folder().path() / "jobs.swf").string();
    const auto by_trace = [&](const std::string& schedule) {
      return berth_says(
          {"verify", "--trace", trace, "--processors", "1", "--schedule", schedule});
    };
    CHECK(verify(played.scenario(), jobs).code == 0);
    CHECK(by_trace(jobs).code == 0);
    CHECK(verify(played.scenario(), played.out() + "/stretches.csv").code == 0);
    // Elsewhere there are no stretches beside it.
    const auto alone = played.folder().file("alone.csv", text_of_file(jobs));
    const auto refused = by_trace(alone);
    CHECK(refused.code == 3);
    CHECK(refused.err.find("job 1 was suspended") != std::string::npos);
    const auto given = berth_says({"verify", played.scenario(), "--schedule", alone,
                                   "--stretches", played.out() + "/stretches.csv"});
    CHECK_MESSAGE(given.code == 0, (given.out + given.err));
  }

  TEST_CASE(
      "F29: a machine that slows jobs down is refused by name without stretches") {
    for (const auto* sharing : {"two_tier", "fractional"}) {
      CAPTURE(sharing);
      PlayedScenario played({{0, 1, 10}, {0, 1, 10}},
                            std::string("[machine]\nprocessors = 1\nsharing = \"") +
                                sharing + "\"\n[workload]\ntrace = \"jobs.swf\"\n");
      REQUIRE(played.run("fcfs").code == 0);
      const auto jobs = played.out() + "/jobs.csv";
      CHECK(verify(played.scenario(), jobs).code == 0);
      const auto alone = played.folder().file("alone.csv", text_of_file(jobs));
      const auto refused = verify(played.scenario(), alone);
      CHECK(refused.code == 2);
      CHECK(refused.err.find(sharing) != std::string::npos);
    }
  }
}
