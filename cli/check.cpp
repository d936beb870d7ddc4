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

struct CheckOptions {
  std::string file;
  std::string scenario;
  bool json = false;
};

int check(const CheckOptions& options, Console& console) {
  const auto& file = options.file;
  if (file.empty()) {
    wrong_usage("name a file: berth check mine.lua, run.toml or trace.swf.gz");
  }
  const auto report = study::check_file(file, study::PolicyLibrary::standard(),
                                        bindings::Limits{}, options.scenario);
  if (options.json) return show_json(file, report, console);
  for (const auto& failure : report.failures) console.say(failure.text);
  for (const auto& note : report.notes) console.out << message_text(note) << '\n';
  if (report.failures.empty()) {
    console.out << fmt::format("{}: ok\n", printable_name(file));
  }
  return report.code();
}

}  // namespace

Action declare_check(Syntax& syntax) {
  auto options = std::make_shared<CheckOptions>();
  syntax.option("FILE", options->file,
                "a policy (.lua), a scenario (.toml) or a trace");
  syntax.option(
      "--scenario", options->scenario,
      "try the policy on the machine and the first 200 jobs of this scenario, "
      "with its users, overruns and needs; else on machines of 32 processors");
  syntax.flag("--json", options->json, "the report as JSON");
  syntax.footer(
      "Examples:\n  berth check mine.lua\n"
      "  berth check mine.lua --scenario scenarios/site.toml");
  return [options](Console& console) { return check(*options, console); };
}

}  // namespace berth::cli
