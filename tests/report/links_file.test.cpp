#include "report/links_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;

namespace {

report::JobsOfFile linked_jobs() {
  test::MemorySource source(
      "job_id,submission_time,requested_number_of_resources,starting_time,finish_time,"
      "allocated_resources\n7,0,2,0,20,0-1\n8,5,2,20,30,2-3\n9,6,1,30,40,0\n");
  return report::read_jobs(source, "jobs.csv", {PlaceForm::kSet, 4}, test::unlimited());
}

std::string refusal_of_link(const std::string& row) {
  test::ScratchFolder folder;
  const auto file = folder.file("links.csv", "job_id,kind,parent,delay\n" + row);
  try {
    static_cast<void>(report::read_links_of(file, linked_jobs(), test::unlimited()));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    const std::string what = error.what();
    return what.substr(what.find("links.csv:"));
  }
  return "no error";
}

}  // namespace

TEST_SUITE("report/links_file") {
  TEST_CASE("links are read by child, between places of jobs") {
    test::ScratchFolder folder;
    const auto file =
        folder.file("links.csv",
                    "job_id,kind,parent,delay\n9,with,8,0\n8,afterok,7,5\n"
                    "9,afterany,7,0\n");
    const auto links = report::read_links_of(file, linked_jobs(), test::unlimited());
    CHECK(links == std::vector<JobLink>{{0, 1, LinkKind::kAfterOk},
                                        {0, 2, LinkKind::kAfterAny},
                                        {1, 2, LinkKind::kWith}});
  }

  TEST_CASE("a link that is wrong is refused by line and column") {
    CHECK(refusal_of_link("8,before,7,0\n") ==
          "links.csv:2:3: kind: 'before' is no kind of dependency");
    CHECK(refusal_of_link("8,after,6,0\n") ==
          "links.csv:2:9: parent: job 6 is not in jobs.csv");
    CHECK(refusal_of_link("x,after,7,0\n").starts_with("links.csv:2:1: job_id: "));
  }
}
