#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bindings/sandbox_driver.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth::test;
using berth::bindings::Limits;

namespace {

struct Row {
  std::string file;
  std::vector<std::string> outcomes;  // the expected one first
  bool names_line = false;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Row> expectations(const std::filesystem::path& table) {
  std::vector<Row> rows;
  for (const std::string& line : split(read(table), '\n')) {
    const auto cells = split(line, '\t');
    if (cells.size() < 4 || cells[0] == "file") continue;
    Row row{cells[0], {cells[1]}, cells[3] == "file:line"};
    for (const std::string& also : split(cells[2], ',')) row.outcomes.push_back(also);
    rows.push_back(row);
  }
  return rows;
}

std::string class_of(int exit) {
  switch (exit) {
    case 0: return "harmless";
    case 4: return "refused";
    case 5: return "time";
    case 6: return "memory";
    default: return fmt::format("exit {}", exit);
  }
}

void check_script(const std::filesystem::path& folder, const Row& row,
                  const Limits& limits) {
  INFO(row.file);
  const auto begin = std::chrono::steady_clock::now();
  const ScriptOutcome outcome =
      run_policy_text(row.file, read(folder / row.file), limits);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  INFO(outcome.message);
  CHECK(std::count(row.outcomes.begin(), row.outcomes.end(), class_of(outcome.exit)) ==
        1);
  CHECK(took.count() < 5.0);
  CHECK(outcome.usage.peak_memory_bytes < (std::size_t{300} << 20U));
  CHECK(outcome.message.size() <= 16 * 1024);
  CHECK(outcome.printed.size() < (std::size_t{2} << 20U));
  CHECK_FALSE(outcome.says("ESCAPED"));
  CHECK(outcome.printed.find("ESCAPED") == std::string::npos);
  if (outcome.exit != 0) CHECK(outcome.message.starts_with(row.file + ":"));
  if (row.names_line) CHECK(outcome.message[row.file.size() + 1] >= '1');
}

constexpr std::string_view kGood = R"(
  local total, keep = 0, {}
  for i = 1, 100 do keep["k" .. i] = math.random(1000) end
  for k, v in pairs(keep) do total = total * 31 % 1000003 + v + #k end
  return { schedule = function() print(total, math.random()) end }
)";

}  // namespace

TEST_SUITE("bindings/hostile") {
  TEST_CASE("every hostile script ends in its class under a time limit") {
    const auto table = shared_data("hostile/expect.tsv");
    if (!table) return;
    const auto rows = expectations(*table);
    REQUIRE(rows.size() == 31);
    Limits limits = quick_limits();
    limits.time_seconds = 0.5;
    for (const Row& row : rows) check_script(table->parent_path(), row, limits);
  }

  TEST_CASE("every hostile script ends in its class under a work limit alone") {
    const auto table = shared_data("hostile/expect.tsv");
    if (!table) return;
    for (const Row& row : expectations(*table)) {
      check_script(table->parent_path(), row, counted_limits(8'000'000));
    }
  }

  TEST_CASE("scripts that end without a clock print and say the same every time") {
    const auto table = shared_data("hostile/expect.tsv");
    if (!table) return;
    for (const Row& row : expectations(*table)) {
      INFO(row.file);
      const std::string text = read(table->parent_path() / row.file);
      const ScriptOutcome first =
          run_policy_text(row.file, text, counted_limits(1'000'000));
      const ScriptOutcome again =
          run_policy_text(row.file, text, counted_limits(1'000'000));
      CHECK(first.printed == again.printed);
      CHECK(first.message == again.message);
    }
  }

  TEST_CASE(
      "a good script after every hostile one gives what it gives in a fresh state") {
    const auto table = shared_data("hostile/expect.tsv");
    if (!table) return;
    const std::string fresh =
        run_policy_text("good.lua", kGood, quick_limits()).printed;
    REQUIRE(std::count(fresh.begin(), fresh.end(), '\n') == 3);
    for (const Row& row : expectations(*table)) {
      INFO(row.file);
      const std::string text = read(table->parent_path() / row.file);
      static_cast<void>(run_policy_text(row.file, text, counted_limits(300'000)));
      CHECK(run_policy_text("good.lua", kGood, quick_limits()).printed == fresh);
    }
  }
}
