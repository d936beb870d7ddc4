// `berth check`: what it finds in a policy, and that the examples of the documents
// pass.

#include "study/tests/check_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "bindings/guide.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

namespace fs = std::filesystem;
using study::CheckReport;

const fs::path kSource(test::source_root());

CheckReport check(const fs::path& file) {
  return study::check_file(file.string(), study::PolicyLibrary(kSource / "policies"),
                           {});
}

std::string messages(const CheckReport& report) {
  std::string text;
  for (const auto& failure : report.failures) text += failure.text + '\n';
  for (const auto& note : report.notes) text += note + '\n';
  return text;
}

// What is said of a policy with these fields.
std::pair<int, std::string> said_of(const std::string& fields) {
  const test::ScratchFolder scratch;
  const auto report = check(scratch.file("mine.lua", "return { " + fields + " }"));
  return {report.code(), messages(report)};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

const std::string kFirstFit =
    "schedule = function(queue, cluster) cluster:start_all(queue:fitting()) end";

}  // namespace

TEST_SUITE("study/check_file") {
  TEST_CASE("every example of docs/api.md is a policy that passes") {
    for (const auto& topic : bindings::policy_topics()) {
      CAPTURE(topic.name);
      const test::ScratchFolder scratch;
      const auto report = check(scratch.file("mine.lua", std::string(topic.example)));
      CAPTURE(messages(report));
      CHECK(has(messages(report),
                fmt::format("a trial of 200 jobs on {} processors went well",
                            topic.name == "embedding" ? 432 : 32)));
      CHECK(has(messages(report), ", 0 left over"));
      CHECK(report.code() == 0);
    }
  }

  TEST_CASE("every idiom is a file of docs/examples that passes with its cases") {
    for (const auto& idiom : bindings::idioms()) {
      CAPTURE(idiom.name);
      const auto file = kSource / "docs/examples" / (std::string(idiom.name) + ".lua");
      CHECK(test::text_of_file(file) == idiom.example);
      CHECK(std::count(idiom.example.begin(), idiom.example.end(), '\n') < 25);
      const auto report = check(file);
      CAPTURE(messages(report));
      CHECK(report.code() == 0);
      REQUIRE(report.notes.size() >= 2);
      CHECK(has(report.notes.back(), "cases come out as wanted"));
    }
    const auto files = fs::directory_iterator(kSource / "docs/examples");
    CHECK(static_cast<std::size_t>(std::distance(fs::begin(files), fs::end(files))) ==
          2 * bindings::idioms().size());
  }

  TEST_CASE("a key that ages without a refresh fails, with both values") {
    const auto [code, text] = said_of(
        "order = 'score', orders = { score = function(job, cluster) "
        "return job.submit - cluster:now() end }, " +
        kFirstFit);
    CHECK(code == 1);
    CHECK(has(text, "constant key broken (P2, docs/model.md#p2)"));
    CHECK(has(text, ": give it refresh = \"every_pass\""));
    CHECK(said_of("order = 'score', orders = { score = { refresh = 'every_pass', key = "
                  "function(job, cluster) return job.submit - cluster:now() end } }, " +
                  kFirstFit)
              .first == 0);
  }

  TEST_CASE("a weight of servers is tried on a network") {
    const auto [code, text] = said_of(
        "embedding = { server_weight = function() return nil end }, " + kFirstFit);
    CHECK(code == 4);
    CHECK(has(text, "a weight must be a finite number"));
  }

  TEST_CASE("a policy that never starts a job fails") {
    const auto [code, text] = said_of("schedule = function() end");
    CHECK(code == 4);
    CHECK(has(text,
              "mine: it never started a job: 200 of 200 jobs fit the machine and "
              "waited to the end"));
    const auto rejecting = said_of(
        "on_submit = function(job, cluster) cluster:reject(job) end, " + kFirstFit);
    CHECK(rejecting.first == 4);
    CHECK(has(rejecting.second, "mine: it never started a job\n"));
  }

  TEST_CASE("a policy that leaves jobs waiting when no job runs any more fails") {
    const auto [code, text] = said_of(
        "schedule = function(queue, cluster) for job in queue:fitting() do "
        "if job.size > 1 then cluster:start(job) end end end");
    CHECK(code == 4);
    CHECK(has(text, "jobs waiting to the end, when no job ran any more"));
  }

  TEST_CASE("what a policy prints in its trial is shown, the first lines of it") {
    const auto [code, text] = said_of(
        "schedule = function(queue, cluster) print('pass') "
        "cluster:start_all(queue:fitting()) end");
    CHECK(code == 0);
    CHECK(has(text, "print: t="));
    CHECK(has(text, " pass\n"));
    CHECK(has(text, " more lines\n"));
  }

  TEST_CASE("the jobs of the trial have users, groups and classes") {
    CHECK(said_of("on_submit = function(job) assert(job.user >= 1 and job.group >= 1 "
                  "and job.class >= 1) end, " +
                  kFirstFit)
              .first == 0);
    // Several of each: a policy that looks at them meets more than one value.
    for (const auto* field : {"user", "group", "class"}) {
      CAPTURE(field);
      const auto said = said_of(fmt::format(
          "on_submit = function(job) _G.first = _G.first or job.{0} if job.{0} ~= "
          "_G.first then error('another {0}') end end, {1}",
          field, kFirstFit));
      CHECK(has(said.second, "another"));
    }
  }
}
