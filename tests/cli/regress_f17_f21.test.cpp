// F5 and F17 to F21: what a name that is typed, a link or a FIFO did to the program.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
    "2 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n";
constexpr auto kFcfs = "return { schedule = function(q, c) c:start_all(q) end }\n";
constexpr auto kRequires =
    "local x = require \"x\"\n"
    "return { schedule = function(q, c) c:start_all(q) end }\n";
constexpr std::string_view kEscape = "\x1b]0;OWNED\x07\n\r";

struct Said : test::Said {
  [[nodiscard]] bool has(std::string_view part) const {
    return err.find(part) != std::string::npos;
  }
};

Said berth_says(const std::vector<std::string>& args) {
  const Said said{test::berth_says(args)};
  CAPTURE(said.err);
  CHECK(said.err.size() <= 17 * 1024);
  for (const auto& text : {said.out, said.err}) {
    CHECK(std::all_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t';
    }));
  }
  return said;
}

struct Setup {
  Said run(const std::string& policy) const {
    return berth_says({"run", "--trace", trace, "--policy", policy});
  }
  std::string fifo(const std::string& name) const {
    const auto path = folder.path() / name;
    fs::create_directories(path.parent_path());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    return path.string();
  }
  std::string link(const std::string& to, const std::string& name) const {
    const auto path = folder.path() / name;
    fs::create_directories(path.parent_path());
    fs::create_symlink(to, path);
    return path.string();
  }

  test::ScratchFolder folder;
  std::string trace = folder.file("t.swf", kTrace);
};

}  // namespace

TEST_SUITE("cli/regress_f17_f21") {
  TEST_CASE("F5: what is typed is shown escaped, on one line") {
    const Setup setup;
    const std::string escape(kEscape);
    const std::string shown = "\\x1b]0;OWNED\\x07\\x0a\\x0d";
    const auto policy = setup.folder.file("p.lua", kFcfs);
    const std::vector<std::vector<std::string>> wrong{
        {"run", "--trace", setup.trace, "--policy", "easy:" + escape + "=1"},
        {"run", "--trace", setup.trace, "--policy", "easy:" + escape},
        {"run", "--trace", setup.trace, "--policy", escape},
        {"run", "--trace", setup.trace, "--policy", ":" + escape},
        {"run", "--trace", setup.trace, "--policy", "./" + escape + ".lua"},
        {"run", "--trace", setup.trace, "--policy", policy + ":" + escape + "=1"},
        {"run", "--trace", setup.trace, "--policy", "easy:backfill_depth=" + escape},
        {"run", "--trace", setup.trace, "--policy", "easy", "--audit", escape},
        {"run", "--trace", setup.trace, "--policy", "easy", "-j", escape},
        {"run", "--trace", setup.trace, "--policy", "easy", "--set", escape + "=1"},
        {"run", "--trace", escape, "--policy", "easy"},
        {"run", escape},
        {"check", escape},
        {"check", escape + ".lua"},
        {"api", escape},
        {"trace", escape},
        {"verify", escape},
        {escape},
        {"run", "--" + escape},
    };
    for (const auto& args : wrong) {
      CAPTURE(args.back());
      const auto said = berth_says(args);
      CHECK((said.code == 2 || said.code == 3));
      CHECK(said.has(shown));
    }
  }

  TEST_CASE("F5: a policy file with a strange name is shown escaped everywhere") {
    const Setup setup;
    const auto good = setup.folder.file("g\x07ood.lua", kFcfs);
    const auto said = setup.run(good);
    CHECK(said.code == 0);
    CHECK(said.out.find("g\\x07ood") != std::string::npos);
    const auto wrong = setup.folder.file(
        "b\x1b"
        "ad.lua",
        "error('no')");
    CHECK(setup.run(wrong).has("b\\x1bad.lua:1: no"));
    CHECK(berth_says({"check", wrong}).has("b\\x1bad.lua:1: no"));
  }

  TEST_CASE("F18: a FIFO is no policy, library, list of cases, scenario or trace") {
    const Setup setup;
    const auto no_file = [](const Said& said) {
      CAPTURE(said.err);
      CHECK(said.code == 3);
      CHECK(said.has("is no regular file; give a file, or - for standard input"));
    };
    no_file(setup.run(setup.fifo("p.lua")));
    (void)setup.fifo("lib/x.lua");
    no_file(setup.run(setup.folder.file("r.lua", kRequires)));
    (void)setup.fifo("c.test.lua");
    no_file(berth_says({"check", setup.folder.file("c.lua", kFcfs)}));
    no_file(berth_says({"check", setup.fifo("f.lua")}));
    no_file(berth_says({"run", setup.fifo("s.toml")}));
    no_file(berth_says({"trace", setup.fifo("t2.swf")}));
    no_file(berth_says({"trace", "/dev/null"}));
  }

  TEST_CASE("F21: a library or a list of cases is no link to a file elsewhere") {
    const Setup setup;
    const auto secret = setup.folder.file("home/secret", "root:x:0:0: password\n");
    const auto policy = setup.folder.file("try/p.lua", kRequires);
    (void)setup.link(secret, "try/lib/x.lua");
    const auto library = setup.run(policy);
    CHECK(library.code == 3);
    CHECK(library.has("try/lib/x.lua: is a link to a file outside"));
    CHECK_FALSE(library.has("password"));

    (void)setup.link(secret, "try/q.test.lua");
    const auto cases = berth_says({"check", setup.folder.file("try/q.lua", kFcfs)});
    CHECK(cases.code == 3);
    CHECK(cases.has("try/q.test.lua: is a link to a file outside"));
    CHECK_FALSE(cases.has("password"));

    const auto gone = setup.folder.file("gone/p.lua", kRequires);
    (void)setup.link("nothing.lua", "gone/lib/x.lua");
    CHECK(setup.run(gone).has("gone/lib/x.lua: is a link to nothing"));
  }

  TEST_CASE("F21: a link within the folder of the policy is a library") {
    const Setup setup;
    const auto policy = setup.folder.file("p.lua", kRequires);
    static_cast<void>(setup.folder.file("lib/real.lua", "return {}"));
    (void)setup.link("real.lua", "lib/x.lua");
    CHECK(setup.run(policy).code == 0);
    // The policy, which the user names, may be a link itself.
    const auto elsewhere = setup.link(policy, "other/p.lua");
    CHECK(setup.run(elsewhere).has("'require' finds no file 'x.lua'"));
  }

  TEST_CASE("numbers that are typed are checked in the width that keeps them") {
    const Setup setup;
    const auto run = [&](const std::string& option, const std::string& value) {
      return berth_says(
          {"run", "--trace", setup.trace, "--policy", "fcfs", option, value});
    };
    CHECK(berth_says({"trace", setup.trace, "--processors", "4294967297"})
              .has("--processors: '4294967297' is above 2147483647"));
    CHECK(run("-j", "4294967297").has("-j: '4294967297' is above 4096"));
    CHECK(run("--memory-limit", "17592186044416").code == 0);
  }
}
