#include "engine/machines/fractional/pack/linear_program.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "engine/machines/fractional/pack/compact_form.hpp"
#include "engine/machines/fractional/pack/generator.hpp"
#include "tests/machines/fractional/pack/instances.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

namespace {

// Most x + y with x + 2 y <= 4 and 3 x + y <= 6.
LinearProgram two_columns(bool is_integer) {
  return {{{-1, 0, 10, is_integer}, {-1, 0, 10, is_integer}},
          {{-1e30, 4}, {-1e30, 6}},
          {{{0, 1}, {1, 3}}, {{0, 2}, {1, 1}}}};
}

// Bytes that reach stdout and stderr meanwhile.
long printed(const std::function<void()>& run) {
  std::fflush(nullptr);
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  const int out = dup(STDOUT_FILENO);
  const int err = dup(STDERR_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  run();
  std::fflush(nullptr);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close(out);
  close(err);
  const auto bytes = lseek(fileno(file), 0, SEEK_END);
  std::fclose(file);
  return bytes;
}

}  // namespace

TEST_SUITE("machines/fractional/pack/linear_program") {
  TEST_CASE("without a solver a program says so" * doctest::skip(has_solver())) {
    CHECK(solve(two_columns(false), budget).outcome == LinearOutcome::kNoSolver);
    const auto problem = random_instance({}, budget, 1, 1);
    CHECK(exact_by_program(problem, budget).packing.outcome == Outcome::kNoSolver);
    CHECK_FALSE(relaxed_parts(problem, budget, RelaxedSource::kSimplex));
    CHECK(relaxed_parts(problem, budget, RelaxedSource::kUniform));
  }

  TEST_CASE("columns that may be divided: a vertex" * doctest::skip(!has_solver())) {
    const auto solution = solve(two_columns(false), budget);
    REQUIRE(solution.outcome == LinearOutcome::kOptimal);
    CHECK(solution.values[0] == doctest::Approx(1.6));
    CHECK(solution.values[1] == doctest::Approx(1.2));
    CHECK(solution.bound == doctest::Approx(-2.8));
  }

  TEST_CASE("integer columns" * doctest::skip(!has_solver())) {
    const auto solution = solve(two_columns(true), budget);
    REQUIRE(solution.outcome == LinearOutcome::kOptimal);
    CHECK(solution.values[0] + solution.values[1] == doctest::Approx(2));
    CHECK(solution.bound == doctest::Approx(-2));
  }

  TEST_CASE("no solution" * doctest::skip(!has_solver())) {
    for (const bool is_integer : {false, true}) {
      auto program = two_columns(is_integer);
      program.rows[0] = {30, 40};
      program.columns[0].upper = 1;
      CHECK(solve(program, budget).outcome == LinearOutcome::kInfeasible);
    }
  }

  TEST_CASE("a limit of nodes leaves a bound that holds" *
            doctest::skip(!has_solver())) {
    InstanceSettings settings{.hosts = 4, .jobs = 12, .slack = 0.2};
    settings.cv_cpu = settings.cv_memory = 0.75;
    for (int instance = 1; instance <= 3; ++instance) {
      const auto problem = random_instance(settings, budget, 1, instance);
      const auto cut = exact_by_program(problem, budget, 1);
      const auto best = exact(problem, budget);
      CHECK(cut.bound >= best.packing.yield - 1e-7);
      CHECK(cut.packing.yield <= best.packing.yield + 1e-7);
    }
  }

  TEST_CASE("the solver prints nothing" * doctest::skip(!has_solver())) {
    const auto problem = random_instance({}, budget, 1, 1);
    CHECK(printed([&] { (void)exact_by_program(problem, budget); }) == 0);
    CHECK(printed([&] {
            (void)relaxed_parts(problem, budget, RelaxedSource::kSimplex);
          }) == 0);
    auto infeasible = two_columns(true);
    infeasible.rows[0] = {300, 400};
    CHECK(printed([&] { (void)solve(infeasible, budget); }) == 0);
  }
}
