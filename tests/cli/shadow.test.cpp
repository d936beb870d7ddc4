// `berth shadow` with programs in place of Slurm's.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/cli.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/environment.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

namespace fs = std::filesystem;

constexpr auto kSqueue =
    R"({"jobs":[{"job_id":1,"job_state":"PENDING","state_reason":"Resources","cpus":2,)"
    R"("partition":"p","user_name":"ann","submit_time":1700000000,"time_limit":5,)"
    R"("name":"secret","comment":"secret","command":"/home/ann/secret.sh"}]})";
constexpr auto kSshare =
    R"({"shares":{"shares":[{"name":"ann","type":["USER"],"usage":7}]}})";
constexpr auto kSinfo =
    R"({"nodes":[{"name":"n1","cpus":4,"state":"idle","partitions":["p"]}]})";

struct Ran {
  int code;
  std::string out;
  std::string err;
};

Ran shadow(std::vector<std::string> words) {
  words.insert(words.begin(), "shadow");
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(words, out, err);
  return {code, out.str(), err.str()};
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A folder of programs that write down how they were called.
class Programs {
 public:
  Programs() : path_("PATH", scratch_.path().string() + ":/usr/bin:/bin") {
    program("squeue", answer(kSqueue));
    program("sinfo", answer(kSinfo));
    program("sshare", answer(kSshare));
  }

  [[nodiscard]] fs::path path() const { return scratch_.path(); }
  [[nodiscard]] std::string calls() const { return text_of_file(path() / "calls"); }
  static std::string answer(const std::string& text) {
    return fmt::format("cat <<'JSON'\n{}\nJSON\n", text);
  }
  void program(const std::string& name, const std::string& does) const {
    const auto file = scratch_.file(
        name,
        fmt::format("#!/bin/sh\necho \"{} $*${{SLURM_TIME_FORMAT}}\" >>{}/calls\n{}",
                    name, path().string(), does));
    fs::permissions(file, fs::perms::owner_all);
  }

 private:
  test::ScratchFolder scratch_;
  test::Variable path_;
};

}  // namespace

TEST_SUITE("cli/shadow") {
  TEST_CASE("squeue, sinfo and sshare are asked, and nothing else") {
    const Programs programs;
    const test::Variable format("SLURM_TIME_FORMAT", "relative");
    for (const auto* name : {"scontrol", "sbatch", "scancel", "sacct"}) {
      programs.program(name, "exit 1\n");
    }
    const auto ran = shadow({"--policy", "easy", "--looks", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out.find("easy would start now: 1 on n1 (2)") != std::string::npos);
    CHECK(programs.calls() == "sinfo --json\nsqueue --json\nsshare --all --json\n");
  }

  TEST_CASE("a Slurm that tells no usage is asked once, and it is said") {
    const Programs programs;
    programs.program("sshare", "echo 'sshare: fatal: no accounting' >&2; exit 1\n");
    const auto ran =
        shadow({"--policy", "fairshare_easy", "--looks", "2", "--every", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.err ==
          "sshare failed with status 1: sshare: fatal: no accounting; without it users "
          "have used what this session sees\n");
    CHECK(programs.calls() ==
          "sinfo --json\nsqueue --json\nsshare --all --json\n"
          "sinfo --json\nsqueue --json\n");
    CHECK(ran.out.find("the use by users") != std::string::npos);
  }

  TEST_CASE("usage is kept with the look, and read again") {
    const Programs programs;
    const auto kept = (programs.path() / "kept").string();
    const auto live =
        shadow({"--policy", "fairshare_easy", "--looks", "1", "--save", kept});
    CHECK(live.err.empty());
    CHECK(live.out.find("the use by users") == std::string::npos);
    CHECK(text_of_file(programs.path() / "kept/000001.sshare.json")
              .find(R"({"name":"ann","type":"USER","usage":7})") != std::string::npos);
    CHECK(shadow({"--policy", "fairshare_easy", "--from", kept}).out == live.out);
  }

  // An old controller, or one whose answer has no user in it.
  TEST_CASE("an answer of sshare that is none is no reason to decide nothing") {
    const Programs programs;
    programs.program("sshare", Programs::answer(R"({"shares":{"shares":[]}})"));
    const auto ran = shadow({"--policy", "easy", "--looks", "1"});
    CHECK(ran.code == 0);
    CHECK(
        ran.err.starts_with("sshare: there is no user in it; sshare --all --json "
                            "prints \"shares\"; without it"));
    CHECK(ran.out.find("1 look from") != std::string::npos);
  }

  TEST_CASE("a recording gives the same output, without names and without a Slurm") {
    const auto folder = std::make_unique<Programs>();
    const auto kept = folder->path() / "kept";
    const auto live = shadow({"--policy", "easy", "--policy", "sjf", "--looks", "1",
                              "--save", kept.string()});
    CHECK(live.code == 0);
    folder->program("squeue", "exit 1\n");
    const auto again =
        shadow({"--policy", "easy", "--policy", "sjf", "--from", kept.string()});
    CHECK(again.code == 0);
    CHECK(again.out == live.out);
    CHECK(text_of_file(kept / "000001.squeue.json").find("secret") ==
          std::string::npos);
    CHECK(shadow({"--policy", "easy", "--looks", "1", "--save", kept.string()}).code ==
          2);
    const auto json = shadow({"--policy", "easy", "--from", kept.string(), "--json"});
    CHECK(json.out.find(R"x("starts":[{"job":"1","nodes":"n1 (2)")x") !=
          std::string::npos);
  }

  TEST_CASE("a recording is converted into a trace") {
    const Programs programs;
    programs.program(
        "squeue", Programs::answer(
                      R"({"jobs":[{"job_id":1,"job_state":"COMPLETED","cpus":2,)"
                      R"("partition":"p","user_name":"ann","submit_time":1700000000,)"
                      R"("start_time":1700000010,"end_time":1700000070,)"
                      R"("time_limit":5,"nodes":"n1"}]})"));
    const auto kept = (programs.path() / "kept").string();
    REQUIRE(shadow({"--policy", "easy", "--looks", "1", "--save", kept}).code == 0);
    const auto trace = (programs.path() / "week.csv").string();
    std::ostringstream out;
    std::ostringstream err;
    const std::vector<std::string> words{"convert", kept, trace};
    REQUIRE(cli::run(words, out, err) == 0);
    // It waited 10 s and ran 60 s on two processors.
    CHECK(text_of_file(trace).find("\n1,0,2,60,300,") != std::string::npos);
  }

  // The second look says that all nodes are down, the third is as the first.
  TEST_CASE("a look that cannot be is left out, and the session goes on") {
    const test::ScratchFolder scratch;
    for (const auto* number : {"1", "2", "3"}) {
      (void)scratch.file(fmt::format("{}.squeue.json", number),
                         fmt::format(R"({{"time":170000000{},"jobs":[]}})", number));
      const auto* state = *number == '2' ? "down" : "idle";
      (void)scratch.file(
          fmt::format("{}.sinfo.json", number),
          fmt::format(R"({{"nodes":[{{"name":"n1","cpus":4,"state":"{}",)"
                      R"("partitions":["p"]}}]}})",
                      state));
    }
    const auto ran = shadow({"--policy", "easy", "--from", scratch.path().string()});
    CHECK(ran.code == 0);
    CHECK(ran.err == "no node of partition p is up; this look is left out\n");
    CHECK(ran.out.find("2 looks from") != std::string::npos);
  }

  TEST_CASE("without Slurm's commands the message says what to do") {
    const test::ScratchFolder scratch;
    const test::Variable path("PATH", scratch.path().string());
    const auto ran = shadow({"--policy", "easy", "--looks", "1"});
    CHECK(ran.code == 3);
    CHECK(ran.err ==
          "there is no program sinfo: run berth where Slurm's commands are, or look at "
          "a recording with --from\n");
  }

  TEST_CASE("a controller that does not answer is asked again, after a longer pause") {
    const Programs programs;
    programs.program("squeue",
                     fmt::format("if [ ! -f {0}/again ]; then touch {0}/again\n"
                                 "echo 'slurm_load_jobs error: Unable to contact slurm "
                                 "controller' >&2; exit 1; fi\n{1}",
                                 programs.path().string(), Programs::answer(kSqueue)));
    const auto ran = shadow({"--policy", "easy", "--looks", "1", "--every", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.err ==
          "squeue failed with status 1: slurm_load_jobs error: Unable to contact slurm "
          "controller; asking again in 2 s\n");
    CHECK(ran.out.find("1 look from") != std::string::npos);
  }

  TEST_CASE("an answer that is no JSON ends no session") {
    const Programs programs;
    programs.program("sinfo",
                     fmt::format("if [ ! -f {0}/again ]; then touch {0}/again\n"
                                 "echo '{{\"nodes\":[{{'; exit 0; fi\n{1}",
                                 programs.path().string(), Programs::answer(kSinfo)));
    const auto ran = shadow({"--policy", "easy", "--looks", "1", "--every", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.err.find("sinfo:2:1: the JSON is broken off here; asking again in 2 s") !=
          std::string::npos);
  }

  TEST_CASE("wrong usage is told before anything is asked") {
    const Programs programs;
    CHECK(shadow({"--looks", "1"})
              .err.starts_with("berth shadow: name a policy: --policy easy\n"));
    CHECK(shadow({"--policy", "easy", "--every", "0"}).code == 2);
    CHECK(shadow({"--policy", "easy", "--unit", "sockets"}).code == 2);
    CHECK(shadow({"--policy", "esy"}).code == 2);
    CHECK(shadow({"--policy", "easy", "--partition", "q", "--looks", "1"})
              .err.find("there is no partition q; there is p") != std::string::npos);
    CHECK(shadow({"--policy", "easy", "--from", "/nowhere"}).code == 3);
  }
}
