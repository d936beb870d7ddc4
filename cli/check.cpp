#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "engine/base/json.hpp"
#include "engine/base/printable.hpp"
#include "study/tests/check_file.hpp"

namespace berth::cli {

namespace {

int show_json(const std::string& file, const study::CheckReport& report,
              Console& console) {
  auto failures = Json::array();
  for (const auto& failure : report.failures) {
    failures.append({{"code", failure.code}, {"message", failure.text}});
  }
  console.out << Json{
      {"format", 1},
      {"file", file},
      {"ok", report.failures.empty()},
      {"failures", failures},
      {"notes",
       report.notes}}.file_text();
  return report.code();
}

int check(const std::string& file, bool json, Console& console) {
  if (file.empty()) {
    wrong_usage("name a file: berth check mine.lua, run.toml or trace.swf.gz");
  }
  const auto report =
      study::check_file(file, study::PolicyLibrary::standard(), bindings::Limits{});
  if (json) return show_json(file, report, console);
  for (const auto& failure : report.failures) console.say(failure.text);
  for (const auto& note : report.notes) console.out << message_text(note) << '\n';
  if (report.failures.empty()) {
    console.out << fmt::format("{}: ok\n", printable_name(file));
  }
  return report.code();
}

}  // namespace

Action declare_check(Syntax& syntax) {
  auto file = std::make_shared<std::string>();
  syntax.option("FILE", *file, "a policy (.lua), a scenario (.toml) or a trace");
  auto json = std::make_shared<bool>(false);
  syntax.flag("--json", *json, "the report as JSON");
  return [file, json](Console& console) { return check(*file, *json, console); };
}

}  // namespace berth::cli
