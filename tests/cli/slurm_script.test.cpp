#include "cli/slurm_script.hpp"

#include <doctest/doctest.h>

using namespace berth::cli;

namespace {

std::string script(std::size_t points, double seconds) {
  return slurm_script({"/home/me",
                       "/usr/bin/berth",
                       {"it's.toml", "--set", "title=$HOME"},
                       "results",
                       points,
                       seconds});
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("cli/slurm_script") {
  TEST_CASE("parts hold as many points as fit into ten minutes") {
    CHECK(has(script(50, 1), "\nparts=1\n"));      // all 50 in 50 s
    CHECK(has(script(50, 60), "\nparts=5\n"));     // ten a part
    CHECK(has(script(50, 61), "\nparts=6\n"));     // nine a part, five in the last
    CHECK(has(script(50, 6000), "\nparts=50\n"));  // a point cannot be divided
  }

  TEST_CASE("a part asks for three times what was measured, at least five minutes") {
    CHECK(has(script(50, 0.1), "\nminutes=5 "));
    CHECK(has(script(50, 60), "\nminutes=30 "));
    CHECK(has(script(50, 6000), "\nminutes=300 "));
  }

  TEST_CASE("words reach the program as they were typed") {
    CHECK(shell_quoted("it's") == "'it'\\''s'");
    // The shell that writes the job's script takes one level of these away.
    CHECK(has(script(1, 1), "run 'it'\\\\''s.toml' '--set' 'title=\\$HOME' -j 1"));
    CHECK(has(script(1, 1), "\\$SLURM_ARRAY_TASK_ID/$parts"));
  }
}
