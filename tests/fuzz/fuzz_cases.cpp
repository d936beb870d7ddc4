// Text as a cases file; or bytes as a list of cases with numbers at the ends of their
// ranges, whose jobs then run under FCFS.
//
// Promises: what is wrong is told on one line, or as a limit, in plain text that names
// the file; the same text reads the same; a case that is read runs, and gives the same
// verdict again.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bindings/policy_cases.hpp"
#include "engine/base/error.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/support/cases.hpp"

using namespace berth;
using fuzz::Bytes;
using fuzz::expect;

namespace {

constexpr auto kFcfs = "return { schedule = function(q, c) c:start_all(q) end }";
constexpr std::size_t kMostCasesRun = 8;
constexpr std::size_t kMostJobsRun = 64;

constexpr std::array kNumbers{
    "0",   "1",    "2",          "8",          "0.5",        "-1",
    "1e9", "1e11", "10000000",   "2147483647", "2147483648", "4294967297",
    "1e6", "6e10", "2e11",       "1 << 62",    "1e300",      "0/0",
    "1/0", "nil",  "false",      "'7'",        "1e-6",       "1e-7",
    "3",   "100",  "1000000000", "{}",         "true",       "mininteger"};

const char* number(Bytes& bytes) { return kNumbers[bytes.byte() % kNumbers.size()]; }

std::string job(Bytes& bytes) {
  const auto* submit = number(bytes);
  const auto* size = number(bytes);
  const auto* length = number(bytes);
  return fmt::format("{{ {}, {}, {}, {} }}", submit, size, length, number(bytes));
}

std::string field(Bytes& bytes) {
  switch (bytes.below(8)) {
    case 0: return "pass = 'event'";
    case 1: return "ties = 'submits_first'";
    case 2: return "sharing = 'two_tier'";
    case 3: return fmt::format("cpu_use = {}", number(bytes));
    case 4: return fmt::format("params = {{ x = {} }}", number(bytes));
    case 5: return fmt::format("[('x'):rep({})] = 1", number(bytes));
    case 6: return "['a\\27'] = 1";
    default: return "params = {}";
  }
}

std::string cases_from(Bytes& bytes) {
  std::string text = "local mininteger = math.mininteger\nreturn {\n";
  for (int i = 0; i < 4 && !bytes.empty(); ++i) {
    std::string jobs;
    std::string starts;
    for (int count = bytes.below(6); count > 0; --count) {
      jobs += job(bytes) + ", ";
      starts += fmt::format("{}, ", number(bytes));
    }
    text += fmt::format("{{ 'c{}', processors = {}, jobs = {{ {} }}, starts = {{ {} }}",
                        i, number(bytes), jobs, starts);
    for (int count = bytes.below(3); count > 0; --count) text += ", " + field(bytes);
    text += " },\n";
  }
  return text + "}";
}

// No clock: what a text gives depends on the text alone.
bindings::Limits limits() {
  bindings::Limits limits;
  limits.time_seconds = 0;
  limits.work_units = 200'000;
  limits.memory_mib = 16;
  return limits;
}

struct Reading {
  std::vector<bindings::PolicyCase> cases;
  std::string error;
};

void check_error(const Error& error) {
  const std::string_view text = error.what();
  const auto code = error.code();
  expect(code == ErrorCode::kPolicy || code == ErrorCode::kTime ||
             code == ErrorCode::kMemory,
         "a wrong file is an error of the file, or a limit", text);
  expect(text.starts_with("x.test.lua:"), "each error names the file", text);
  expect(text.size() <= std::size_t{16} * 1024, "an error is told in short");
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') ||
           c == 0x7f;
  });
  expect(is_plain, "control bytes are escaped", text);
}

Reading read(const std::string& text) {
  Reading reading;
  try {
    reading.cases = bindings::read_policy_cases({"x", "x.test.lua", text}, limits(),
                                                study::fields_of_cases());
  } catch (const Error& error) {
    check_error(error);
    reading.error = error.what();
  }
  return reading;
}

// What the case gives, or the error that ended it.
std::string verdict(const std::string& text, std::size_t number) {
  auto most = limits();
  most.work_units = 10'000'000;
  try {
    return test::case_verdict({"x", "x.test.lua", text}, number,
                              {"fcfs", "fcfs.lua", kFcfs}, most);
  } catch (const Error& error) {
    expect(error.code() != ErrorCode::kDefect && error.code() != ErrorCode::kAudit,
           "a case that is read is no defect", error.what());
    return error.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const bool is_text = bytes.below(2) == 0;
  const auto text = is_text ? std::string(bytes.rest()) : cases_from(bytes);
  const auto once = read(text);
  const auto again = read(text);
  expect(once.error == again.error, "the same text is told the same", once.error);
  expect(once.cases.size() == again.cases.size(), "the same text reads the same");
  const auto count = std::min(once.cases.size(), kMostCasesRun);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& wanted = once.cases[i];
    const bool is_given = wanted.scenario.empty() && wanted.trace.empty() &&
                          wanted.versus.empty() && !wanted.random;
    if (!is_given || wanted.jobs.size() > kMostJobsRun) continue;
    expect(verdict(text, i) == verdict(text, i), "a case gives the same again");
  }
  return 0;
}
