#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

using test::berth_says;
using test::text_of_file;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr auto* kScenario =
    "title = \"<Two> policies\"\n[machine]\nprocessors = 16\n[workload]\nmodel = "
    "\"lublin\"\njobs = 60\n[run]\npolicies = [\"fcfs\", \"sjf\"]\n";

// A folder with the page's own files, and any bytes for an engine.
class Made {
 public:
  Made() {
    const fs::path web = fs::path(test::source_root()) / "playground/web";
    for (const auto& entry : fs::directory_iterator(web)) {
      fs::copy(entry.path(), scratch.path());
    }
    (void)scratch.file("berth.wasm", "\x01\x02");
    (void)scratch.file("berth.js", "// none\n");
    page = (scratch.path() / "play.html").string();
  }

  test::ScratchFolder scratch;
  std::string page;
};

}  // namespace

TEST_SUITE("playground/page") {
  TEST_CASE("a page has the jobs, the policies and the engine") {
    const Made made;
    const test::Variable there("BERTH_PLAYGROUND", made.scratch.path().string());
    const auto file = made.scratch.file("s.toml", kScenario);
    const auto said = berth_says({"playground", file, "-o", made.page, "--json"});
    REQUIRE(said.code == 0);
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json["jobs"] == 60);
    CHECK(json["policies"] == nlohmann::json({"fcfs", "sjf"}));
    const auto text = text_of_file(made.page);
    CHECK(json["bytes"] == text.size());
    CHECK(has(text, "<title>&lt;Two&gt; policies</title>"));
    CHECK(has(text, "16 processors, 60 jobs"));
    CHECK(has(text, "default-src 'none'"));
    CHECK_FALSE(has(text, "<!--"));
    CHECK_FALSE(has(text, "http://"));
    CHECK_FALSE(has(text, "https://"));

    const auto again = berth_says({"playground", file, "-o", made.page});
    CHECK(again.code == 2);
    CHECK(has(again.err, "--force"));
    CHECK(berth_says({"playground", file, "-o", made.page, "--force"}).code == 0);
    CHECK(text_of_file(made.page) == text);
  }

  TEST_CASE("a policy that fails is on the page") {
    const Made made;
    const test::Variable there("BERTH_PLAYGROUND", made.scratch.path().string());
    const auto file = made.scratch.file("s.toml", kScenario);
    const auto wrong = made.scratch.file("wrong.lua", "return 1\n");
    const auto said = berth_says({"playground", file, "--policy", wrong, "--policy",
                                  "easy", "-o", made.page, "--json"});
    CHECK(said.code == 0);
    CHECK(has(said.err, "wrong.lua"));
    CHECK(nlohmann::json::parse(said.out)["policies"] ==
          nlohmann::json({"wrong", "easy"}));
  }

  TEST_CASE("what a page cannot hold is refused, and nothing is written") {
    const Made made;
    const test::Variable there("BERTH_PLAYGROUND", made.scratch.path().string());
    const auto sweep = made.scratch.file(
        "sweep.toml", std::string(kScenario) + "[sweep]\nseed = [1, 2]\n");
    const auto of_sweep = berth_says({"playground", sweep, "-o", made.page});
    CHECK(of_sweep.code == 2);
    CHECK(has(of_sweep.err, "this is a sweep"));
    const auto trace =
        made.scratch.file("t.swf",
                          "; MaxProcs: 4\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 -1 -1 -1 -1\n"
                          "2 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 -1 -1 1 5\n");
    const auto linked =
        berth_says({"playground", "--trace", trace, "--policy", "fcfs", "--set",
                    "workload.dependencies=swf", "-o", made.page});
    CHECK(linked.code == 2);
    CHECK(has(linked.err, "jobs that wait for others"));
    CHECK_FALSE(fs::exists(made.page));
  }

  TEST_CASE("without an engine the page says how it is made") {
    const test::ScratchFolder empty;
    const test::Variable there("BERTH_PLAYGROUND", empty.path().string());
    const auto page = (empty.path() / "play.html").string();
    const auto said = berth_says({"playground", "-o", page});
    CHECK(said.code == 2);
    CHECK(has(said.err, "--target berth_playground"));
    CHECK_FALSE(fs::exists(page));
  }
}
