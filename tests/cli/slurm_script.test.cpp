#include "cli/slurm_script.hpp"

#include <doctest/doctest.h>

using namespace berth::cli;

namespace {

std::string script(std::size_t points, double seconds) {
  return slurm_script({"/home/me",
                       "/usr/bin/berth",
                       {"--set=title=$HOME", "--", "it's.toml"},
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
    CHECK(has(script(50, 0.1), "\nminutes=5\n"));
    CHECK(has(script(50, 60), "\nminutes=30\n"));
    CHECK(has(script(50, 6000), "\nminutes=300\n"));
  }

  // tests/cli/words.test.cpp runs such scripts.
  TEST_CASE("what Slurm takes for a mark of its own is not in the name of its files") {
    const auto made =
        slurm_script({"/home/me", "/usr/bin/berth", {}, "100%j\\x", 1, 1});
    CHECK(has(made, "\nlogs=100_j_x.slurm\n"));
    CHECK(has(made, "berth merge -- "));
  }
}
