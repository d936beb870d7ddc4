#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "engine/base/printable.hpp"
#include "study/runs/check_file.hpp"

namespace berth::cli {

namespace {

int check(const std::string& file, Console& console) {
  if (file.empty()) {
    wrong_usage("name a file: berth check mine.lua, run.toml or trace.swf.gz");
  }
  const auto report =
      study::check_file(file, study::PolicyLibrary::standard(), bindings::Limits{});
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
  return [file](Console& console) { return check(*file, console); };
}

}  // namespace berth::cli
