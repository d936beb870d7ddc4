#include "bindings/tools/claims_script.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/bindings/made_sweep.hpp"
#include "tests/bindings/sandbox_driver.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)
using test::patient_limits;

namespace {

// Two policies at two loads and three seeds; "fast" waits a tenth less.
class MadeUpSweep final : public test::MadeSweep {
 public:
  MadeUpSweep() {
    constexpr std::size_t kSeeds = 3;
    set_shape({"slow", "fast"}, kSeeds);
    for (std::size_t i = 0; i < 2 * kSeeds; ++i) add_runs(i / kSeeds, i % kSeeds);
  }

 private:
  void add_runs(std::size_t point, std::size_t seed) {
    const double base = 100.0 * static_cast<double>(1 + point + seed);
    const double gain = 10.0 + static_cast<double>(seed);
    for (auto* run : {&add(point, seed, "slow", base),
                      &add(point, seed, "fast", base * (1.0 - gain / 100.0))}) {
      run->summary.submit_span = 10;
      run->summary.longest_queue_stretch = point == 1 ? 6 : 5;
    }
  }
};

const std::vector<ClaimedMetric> kMetrics{{"mean_wait", "s", false}};

constexpr auto kGood =
    "paper { title = \"T\", axis = \"workload.load\", axis_name = \"load\" }\n"
    "claim { \"1\", says = \"fast waits less\", sweep = \"s.toml\", of = \"fast\",\n"
    "        against = \"slow\", metric = \"mean_wait\", rule = \"always\", number = "
    "12,\n"
    "        figure = \"Fig. 1\", expect = \"opposite\" }\n";

ClaimsScript script(const std::string& text, const Limits& limits = patient_limits()) {
  return {{"folder/claims.lua", text}, nullptr, limits};
}

// The first line of what the file is refused with, and its status.
std::string refusal(const std::string& text, int status = 3,
                    const Limits& limits = patient_limits()) {
  const MadeUpSweep sweep;
  try {
    auto made = script(text, limits);
    static_cast<void>(made.declared({}));
    made.check({{"s.toml", &sweep}}, kMetrics);
  } catch (const Error& error) {
    CHECK(static_cast<int>(error.code()) == status);
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

}  // namespace

TEST_SUITE("bindings/claims_script") {
  TEST_CASE("the cases of the tool hold in the sandbox") {
    const auto text = test::text_of_file(std::filesystem::path(test::source_root()) /
                                         "tools/tests/claims.test.lua");
    CHECK_NOTHROW(static_cast<void>(script(text)));
    const std::string word = "\"no difference\"";
    auto wrong = text;
    wrong.replace(wrong.find(word), word.size(), "\"a difference\"");
    CHECK_THROWS_AS(static_cast<void>(script(wrong)), Error);
  }

  TEST_CASE("the tool knows every key of the reference") {
    for (const auto& family : claim_families()) {
      REQUIRE(family.primitives.size() > 5);
      for (const auto& key : family.primitives) {
        if (key.name == "[1]") continue;
        const auto text = fmt::format("{} {{ {} = print }}\n", family.reach, key.name);
        const auto said = refusal(text + kGood);
        INFO(text << said);
        CHECK(said.find("there is no key") == std::string::npos);
      }
    }
    CHECK(refusal(std::string("claim { keys = 1 }\n") + kGood)
              .find("there is no key 'keys'") != std::string::npos);
  }

  TEST_CASE("a file declares, is checked, and is judged by a sweep") {
    const MadeUpSweep sweep;
    auto made = script(kGood);
    CHECK(made.declared({"1"}).sweeps == std::vector<std::string>{"s.toml"});
    made.check({{"s.toml", &sweep}}, kMetrics);
    const auto answer = made.judge({{"s.toml", &sweep}});
    const auto text = as_markdown(answer.page);
    CAPTURE(text);
    CHECK(text.starts_with("# T\n\n"));
    CHECK(text.find("1 claim of the paper: 1 reproduced.") != std::string::npos);
    // Gains of 10, 11 and 12 %: 11 with t(2, 0.95) = 2.919986 times sqrt(1 / 3).
    CHECK(
        text.find(
            "| 1     | fast waits less | 12 %, Fig. 1 | +11.0 % ± 1.7 | 0.6 to 0.9 ") !=
        std::string::npos);
    CHECK(text.find("1. the queue is full for most of the time at 0.9") !=
          std::string::npos);
    const auto json = answer.json.compact();
    CHECK(json.starts_with("{\"format\":2,\"title\":\"T\""));
    CHECK(json.find("\"at\":\"0.9\"") != std::string::npos);
    CHECK(json.find("\"given\":null") != std::string::npos);
    CHECK(answer.unexpected ==
          std::vector<std::string>{
              "folder/claims.lua:2: claim 1: expected opposite, found reproduced"});
  }

  TEST_CASE("a run that failed leaves its rows without a result") {
    MadeUpSweep sweep;
    sweep.failing = "fast";
    auto made = script(kGood);
    static_cast<void>(made.declared({}));
    made.check({{"s.toml", &sweep}}, kMetrics);
    const auto text = as_markdown(made.judge({{"s.toml", &sweep}}).page);
    CHECK(text.find("| no result |") != std::string::npos);
    CHECK(text.find("1. 0.6, 0.9: fast failed: it broke") != std::string::npos);
  }

  TEST_CASE("what is wrong with a file is told with its place") {
    CHECK(refusal(kGood).empty());
    const auto with = [&](const std::string& from, const std::string& to) {
      std::string text = kGood;
      return refusal(text.replace(text.find(from), from.size(), to));
    };
    const std::string head = "folder/claims.lua:2: claim 1: ";
    CHECK(with("always", "allways").starts_with(head + "rule: 'allways' is none of"));
    CHECK(with("mean_wait", "mean_wayt") ==
          head + "metric: there is no mean_wayt, did you mean 'mean_wait'?");
    CHECK(with("\"fast\"", "\"fats\"") ==
          head + "of: there is no fats in s.toml, did you mean 'fast'?");
    CHECK(refusal("x = 1") == "folder/claims.lua:1: there is no claim in it");
    CHECK(refusal("claim(3)", 4) ==
          "folder/claims.lua:1: claim: expected a table, got number");
    CHECK(refusal("claim {", 4).starts_with("folder/claims.lua:1: unexpected symbol"));
    CHECK_THROWS_AS(static_cast<void>(script(kGood).declared({"2"})), Error);
  }

  TEST_CASE("hostile scripts as files of claims are ended, or declare nothing") {
    const auto table = test::shared_data("hostile/expect.tsv");
    if (!table) return;
    auto limits = test::quick_limits();
    limits.time_seconds = 0.5;
    std::size_t scripts = 0;
    for (const auto& file : std::filesystem::directory_iterator(table->parent_path())) {
      if (file.path().extension() != ".lua") continue;
      ++scripts;
      CAPTURE(file.path().string());
      try {
        auto made = script(test::text_of_file(file.path()), limits);
        static_cast<void>(made.declared({}));
        FAIL("it declares a claim");
      } catch (const Error& error) {
        const auto code = static_cast<int>(error.code());
        CHECK(code >= 3);
        CHECK(code <= 6);
        CHECK(std::string(error.what()).starts_with("folder/claims.lua:"));
      }
    }
    CHECK(scripts == 31);
  }

  TEST_CASE("a file of claims has the limits of a policy, and no more than it") {
    CHECK(refusal("while true do end", 5, test::quick_limits())
              .starts_with("folder/claims.lua:1: time limit"));
    CHECK(refusal("local t = {} for i = 1, 1e9 do t[i] = { i } end", 6,
                  {.time_seconds = 60, .memory_mib = 16})
              .starts_with("folder/claims.lua:1: memory limit"));
    CHECK(refusal("io.write('x')", 4).starts_with("folder/claims.lua:1: "));
    CHECK(refusal("os.exit(0)", 4).starts_with("folder/claims.lua:1: "));
    CHECK(refusal("require 'nothing'", 4)
              .starts_with("folder/claims.lua:1: 'require' finds no file"));
    CHECK(refusal("for i = 1, 10001 do claim { 'r' .. i, says = 'x', given = 'y' } end",
                  4)
              .find("more than 10000 rows") != std::string::npos);
    CHECK(refusal(std::string(70'000, ' '), 4).find("allowed are 64 KiB") !=
          std::string::npos);
    CHECK(refusal("tool.nearest('a', {})", 4)
              .starts_with("folder/claims.lua:1: attempt to index a nil value"));
  }
}
