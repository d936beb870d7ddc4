// Text as a scenario.
//
// Promises: what is wrong is told in lines "file:line:column: ..." without control
// bytes; what is right has every key within its range, and reading it again gives the
// same.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_table.hpp"
#include "tests/fuzz/expect.hpp"

using namespace berth;
using namespace berth::study;
using fuzz::expect;

namespace {

constexpr std::string_view kName = "x.toml";

// Behind the whole number and the colon at the beginning; empty: there is none.
std::string_view behind_number(std::string_view text) {
  const auto digits = text.find_first_not_of("0123456789");
  const bool right =
      digits != 0 && digits != std::string_view::npos && text[digits] == ':';
  return right ? text.substr(digits + 1) : std::string_view{};
}

void check_line(std::string_view line) {
  const bool is_named = line.starts_with(kName) && line.substr(kName.size(), 1) == ":";
  expect(is_named, "each problem names the file", line);
  const auto column = behind_number(line.substr(kName.size() + 1));
  expect(!column.empty(), "each problem has a line", line);
  expect(!behind_number(column).empty(), "each problem has a column", line);
  const bool is_plain = std::none_of(line.begin(), line.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  expect(is_plain, "control bytes are escaped", line);
  expect(line.size() < 2000, "a problem is told in short", line.substr(0, 2000));
}

void check_error(const Error& error) {
  std::string_view text = error.what();
  expect(error.code() == ErrorCode::kInput, "a wrong scenario is wrong input", text);
  expect(!text.empty(), "something is told");
  while (!text.empty()) {
    const auto end = text.find('\n');
    check_line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

struct Reading {
  std::optional<Scenario> scenario;
  std::string error;
};

Reading read(std::string_view text) {
  Reading reading;
  try {
    reading.scenario = read_scenario(std::string(kName), text);
  } catch (const Error& error) {
    check_error(error);
    reading.error = error.what();
  }
  return reading;
}

// Every value in force, as messages would show it.
std::vector<std::string> values_of(const Scenario& scenario) {
  std::vector<std::string> values;
  for (const Setting& setting : settings()) {
    if (setting.value == nullptr) continue;
    const auto value = setting.value(scenario);
    if (!value) continue;
    const auto wrong = wrong_with(setting, *value);
    expect(wrong.empty(), "each key is within its range",
           fmt::format("{}: {}", setting.key(), wrong));
    values.push_back(fmt::format("{} = {}", setting.key(), text_of(*value)));
  }
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto once = read(text);
  const auto again = read(text);
  expect(once.error == again.error, "the same text is told the same", once.error);
  if (!once.scenario) return 0;
  expect(values_of(*once.scenario) == values_of(*again.scenario),
         "the same text reads the same");
  expect(once.scenario->policies == again.scenario->policies,
         "the same text has the same policies");
  return 0;
}
