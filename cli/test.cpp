#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "cli/command.hpp"
#include "cli/steps.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/output_file.hpp"
#include "study/tests/test_files.hpp"

namespace berth::cli {

namespace {

struct TestCommand {
  study::TestOptions tests;
  std::vector<std::string> paths;
  std::string junit;
  std::string workers;
  bool force = false;
  bool tap = false;
};

int test(const TestCommand& options, Console& console) {
  auto made = options.tests;
  if (options.tap && made.coverage) wrong_usage("--tap and --coverage: use one");
  if (options.force && options.junit.empty()) wrong_usage("--force needs --junit FILE");
  made.workers = options.workers.empty()
                     ? std::max(1U, std::thread::hardware_concurrency())
                     : workers_option(options.workers);
  if (console.hard_stop) made.limits.hard_stop_seconds = 2;
  std::optional<OutputFile> junit;
  if (!options.junit.empty()) {
    junit.emplace(options.junit,
                  options.force ? Existing::kReplace : Existing::kRefuse);
  }
  const auto library = study::PolicyLibrary::standard();
  const auto report = study::run_tests(study::test_files(options.paths), library, made);
  if (report.tests.empty()) {
    wrong_usage("no case has --filter in its name: " + printable(made.filter));
  }
  const auto write_junit = [&] {
    if (!junit) return;
    junit->write(study::test_junit(report));
    junit->commit();
  };
  const auto print = [&] {
    console.out << (options.tap ? study::test_tap(report) : study::test_text(report));
  };
  return Steps(report.code(), console).then(write_junit).then(print).code();
}

}  // namespace

Action declare_test(Syntax& syntax) {
  auto options = std::make_shared<TestCommand>();
  syntax.words("FILE", options->paths,
               "NAME.test.lua, its policy NAME.lua, or a folder; none: this folder");
  syntax.option("--filter", options->tests.filter,
                "only cases with this text in their name");
  syntax.option("--junit", options->junit, "write JUnit XML, too");
  syntax.flag("--force", options->force, "replace the file of --junit");
  syntax.flag("--tap", options->tap, "print TAP instead");
  syntax.flag("--coverage", options->tests.coverage, "show the lines that never ran");
  syntax.option("-j", options->workers, "cores to use; all by default");
  syntax.footer(
      "A case that fails ends with exit status 1.  docs/testing.md describes cases.\n\n"
      "Examples:\n"
      "  berth test mine.lua\n"
      "  berth test policies --filter backfill --junit results.xml");
  return [options](Console& console) { return test(*options, console); };
}

}  // namespace berth::cli
