#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.hpp"
#include "study/tests/test_files.hpp"

namespace berth::study {

namespace {

std::string title(const TestOutcome& test) {
  return test.name.empty() ? test.file : test.file + ": " + test.name;
}

template <class Add>
void for_each_line(const std::string& text, const Add& add) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    add(text.substr(at, end - at));
    at = end + 1;
  }
}

std::string coverage_text(const CoveredFile& file) {
  std::vector<int> missed;
  std::set_difference(file.code.begin(), file.code.end(), file.ran.begin(),
                      file.ran.end(), std::back_inserter(missed));
  auto text = fmt::format("{}: {} of {} lines ran\n", file.file,
                          file.code.size() - missed.size(), file.code.size());
  int number = 0;
  for_each_line(file.text, [&](const std::string& line) {
    ++number;
    if (!std::binary_search(missed.begin(), missed.end(), number)) return;
    text += fmt::format("  never {:>4}  {}\n", number, printable(line));
  });
  return text;
}

// Control bytes have no form in XML.  In an attribute a reader takes ends of lines and
// tabs for blanks, unless they are numbers.
enum class XmlPlace : std::uint8_t { kAttribute, kContent };
std::string xml(const std::string& text, XmlPlace place = XmlPlace::kAttribute) {
  const bool is_content = place == XmlPlace::kContent;
  std::string made;
  for (const char c : plain_text(text, Newlines::kKeep)) {
    switch (c) {
      case '\n': made += is_content ? "\n" : "&#10;"; break;
      case '\t': made += is_content ? "\t" : "&#9;"; break;
      case '&': made += "&amp;"; break;
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '"': made += "&quot;"; break;
      default: made += c;
    }
  }
  return made;
}

std::size_t failed(const TestReport& report) {
  return static_cast<std::size_t>(
      std::count_if(report.tests.begin(), report.tests.end(),
                    [](const auto& test) { return test.code != 0; }));
}

}  // namespace

std::string test_text(const TestReport& report) {
  std::string text;
  for (const auto& test : report.tests) {
    const auto runs = test.runs > 1 ? fmt::format(" ({} runs)", test.runs) : "";
    text += fmt::format("{:<5}{}{}\n", test.code == 0 ? "ok" : "FAIL", title(test),
                        test.code == 0 ? runs : "");
    for_each_line(test.says, [&](const std::string& line) {
      text += fmt::format("     {}\n", line);
    });
    if (test.paste.empty()) continue;
    text += fmt::format("     as a case of {}:\n{}", test.file, test.paste);
  }
  for (const auto& file : report.covered) text += coverage_text(file);
  const auto bad = failed(report);
  return text +
         fmt::format("{} test{}: {}\n", report.tests.size(),
                     report.tests.size() == 1 ? "" : "s",
                     bad == 0 ? "all as expected" : fmt::format("{} failed", bad));
}

std::string test_tap(const TestReport& report) {
  auto text = fmt::format("TAP version 13\n1..{}\n", report.tests.size());
  std::size_t number = 0;
  for (const auto& test : report.tests) {
    std::string plain;
    for (const char c : plain_text(title(test), Newlines::kEscape)) {
      if (c == '#' || c == '\\') plain += '\\';
      plain += c;
    }
    text +=
        fmt::format("{}ok {} - {}\n", test.code == 0 ? "" : "not ", ++number, plain);
    const auto add = [&](const std::string& line) { text += "# " + line + "\n"; };
    for_each_line(test.says, add);
    for_each_line(test.paste, add);
  }
  return text;
}

std::string test_junit(const TestReport& report) {
  auto text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"berth test\" tests=\"{}\" failures=\"{}\">\n",
      report.tests.size(), failed(report));
  for (const auto& test : report.tests) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                        xml(test.file), xml(test.name), test.seconds);
    if (test.code == 0) {
      text += "/>\n";
      continue;
    }
    const auto first = test.says.substr(0, test.says.find('\n'));
    text += fmt::format(">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n",
                        xml(first), xml(test.says + test.paste, XmlPlace::kContent));
  }
  return text + "</testsuite>\n";
}

}  // namespace berth::study
