#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/output/sha256.hpp"
#include "report/page.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

using test::berth_says;
using test::text_of_file;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A run of two policies, and where its report goes.
class Run {
 public:
  Run() {
    const auto file = scratch.file(
        "s.toml",
        "title = \"Two policies\"\n[machine]\nprocessors = 16\n[workload]\nmodel = "
        "\"lublin\"\njobs = 60\nload = 0.8\n[run]\npolicies = [\"fcfs\", \"easy\"]\n");
    out = (scratch.path() / "out").string();
    page = (scratch.path() / "page.html").string();
    REQUIRE(berth_says({"run", file, "--out", out, "--report"}).code == 0);
  }

  test::ScratchFolder scratch;
  std::string out;
  std::string page;
};

// As report/web/build does.
std::string checksum_of_sources() {
  const fs::path folder = fs::path(test::source_root()) / "report/web";
  std::vector<std::string> modules;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".js") modules.push_back(entry.path().filename());
  }
  std::sort(modules.begin(), modules.end());
  std::vector<std::string> names{"build", "package.json", "package-lock.json",
                                 "report.css"};
  names.insert(names.end(), modules.begin(), modules.end());
  std::string text;
  for (const auto& name : names) text += text_of_file(folder / name);
  return sha256(text);
}

}  // namespace

TEST_SUITE("report/report") {
  TEST_CASE("the bundle is made of the sources that are in the tree") {
    const auto bundle =
        text_of_file(fs::path(test::source_root()) / "report/dist/report.js");
    const auto first = bundle.substr(0, bundle.find('\n'));
    CHECK(first == "// Made by report/web/build of sources with the SHA-256 " +
                       checksum_of_sources());
    CHECK_FALSE(has(bundle, "</script"));
    CHECK_FALSE(has(bundle, "<!--"));
  }

  TEST_CASE("the lock file names no registry") {
    const auto lock =
        text_of_file(fs::path(test::source_root()) / "report/web/package-lock.json");
    CHECK_FALSE(has(lock, "\"resolved\""));
    CHECK(has(lock, "\"integrity\""));
  }

  TEST_CASE("equal results give equal bytes, in another folder too") {
    const Run run;
    const auto moved = run.scratch.path() / "elsewhere" / "moved";
    fs::create_directories(moved.parent_path());
    fs::copy(run.out, moved, fs::copy_options::recursive);
    REQUIRE(berth_says({"report", run.out, "-o", run.page}).code == 0);
    const auto first = text_of_file(run.page);
    CHECK(first == text_of_file(fs::path(run.out) / "report.html"));
    REQUIRE(berth_says({"report", moved.string(), "-o", run.page, "--force"}).code ==
            0);
    CHECK(first == text_of_file(run.page));
    CHECK_FALSE(has(first, run.scratch.path().string()));
  }

  TEST_CASE("head and tables are plain HTML with the exact figures of summary.json") {
    const Run run;
    REQUIRE(berth_says({"report", run.out, "-o", run.page}).code == 0);
    const auto page = text_of_file(run.page);
    CHECK(has(page, "<title>Two policies</title>"));
    const auto summary = nlohmann::json::parse(
        text_of_file(fs::path(run.out) / "easy" / "summary.json"));
    const auto wait = summary["metrics"]["mean_wait"]["value"];
    CHECK(has(page, "data-value=\"" + wait.dump() + "\""));
  }

  TEST_CASE("the page may run its own script alone, and fetch its own data") {
    const Run run;
    const auto page = text_of_file(fs::path(run.out) / "report.html");
    CHECK(has(page, "default-src 'none'; script-src 'sha256-"));
    CHECK(has(page, "connect-src data:;"));
  }

  TEST_CASE("the page says what it does not show, and what would give it") {
    const Run run;
    const auto page = text_of_file(fs::path(run.out) / "report.html");
    CHECK(
        has(page, "<li>Why jobs waited needs waits.csv: berth explain RUN --out RUN"));
    CHECK_FALSE(has(page, "<li>Queue and use"));
    CHECK(berth_says({"report", run.out, "-o", run.page, "--gantt", "off"}).code == 0);
    CHECK(has(text_of_file(run.page), "<li>Schedule is left out by --gantt off"));
  }

  TEST_CASE("what is in the report is printed as JSON") {
    const Run run;
    const auto said = berth_says({"report", run.out, "-o", run.page, "--json"});
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json["bytes"] == fs::file_size(run.page));
    CHECK(json["runs"][0]["label"] == "fcfs");
    CHECK(json["runs"][1]["jobs"] == 60);
    CHECK(json["panels"][0] == "timelines");
  }

  TEST_CASE("a file that exists is not replaced unless asked") {
    const Run run;
    REQUIRE(berth_says({"report", run.out, "-o", run.page}).code == 0);
    const auto again = berth_says({"report", run.out, "-o", run.page});
    CHECK(again.code == 2);
    CHECK(
        has(again.err, "already exists; give another name, or --force to replace it"));
    CHECK(berth_says({"report", run.out, "-o", run.page, "--force"}).code == 0);
  }

  TEST_CASE("a run into a folder with its report may be replaced") {
    const Run run;
    CHECK(berth_says({"run", (run.scratch.path() / "s.toml").string(), "--out", run.out,
                      "--force"})
              .code == 0);
    CHECK_FALSE(fs::exists(fs::path(run.out) / "report.html"));
  }

  TEST_CASE("a folder without results is refused, and leaves no file") {
    const test::ScratchFolder scratch;
    const auto page = (scratch.path() / "page.html").string();
    const auto said = berth_says({"report", scratch.path().string(), "-o", page});
    CHECK(said.code == 3);
    CHECK(has(said.err, "holds no results: neither summary.json"));
    CHECK_FALSE(fs::exists(page));
  }

  TEST_CASE("results of another format are refused") {
    const test::ScratchFolder scratch;
    static_cast<void>(scratch.file("summary.json", "{\"format\": 2}"));
    const auto said = berth_says({"report", scratch.path().string(), "-o",
                                  (scratch.path() / "p.html").string()});
    CHECK(said.code == 3);
    CHECK(has(said.err, "is no summary of format 1"));
  }

  TEST_CASE("a page that cannot be written is exit 8") {
    const Run run;
    const auto said =
        berth_says({"report", run.out, "-o", run.out + "/no/such/page.html"});
    CHECK(said.code == 8);
  }

  TEST_CASE(
      "results of different workloads are not compared job by job, and it is said") {
    const Run run;
    const auto other = run.scratch.file("jobs.csv",
                                        "job_id,submission_time,requested_number_of_"
                                        "resources,starting_time,finish_time,"
                                        "allocated_resources\n1,0,1,0,5,0\n");
    REQUIRE(berth_says({"report", run.out, "--jobs", other, "-o", run.page}).code == 0);
    CHECK(has(text_of_file(run.page), "the results are of different workloads"));
  }

  TEST_CASE("wrong options are exit 2") {
    CHECK(berth_says({"report"}).code == 2);
    CHECK(berth_says({"report", "x", "--from", "5"}).code == 2);
    CHECK(berth_says({"report", "x", "--from", "5", "--to", "4"}).code == 2);
    CHECK(berth_says({"report", "x", "--gantt", "near"}).code == 2);
    CHECK(berth_says({"run", "x.toml", "--report"}).code == 2);
  }

  TEST_CASE("text from outside is text in HTML") {
    CHECK(report::html_text("<a href=\"x\">&'</a>") ==
          "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
    CHECK(report::html_text("\x1b[31m") == "\\x1b[31m");
  }
}
