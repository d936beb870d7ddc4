#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/steps.hpp"
#include "engine/base/error.hpp"
#include "engine/output/output_file.hpp"
#include "study/claims/claims_run.hpp"
#include "study/claims/conversion.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/file_source.hpp"
#include "study/results/own_files.hpp"

namespace berth::cli {

namespace {

struct ClaimsOptions {
  std::string folder;
  std::string convert;
  std::string out;
  std::string workers;
  std::vector<std::string> claims;
  bool no_audit = false;
  bool dry_run = false;
  bool json = false;
};

// Columns of a table that is no terminal's.
constexpr std::size_t kWidest = 160;

void print(const bindings::ClaimsAnswer& answer, const ClaimsOptions& options,
           Console& console) {
  console.out << (options.json ? answer.json.file_text()
                               : bindings::as_markdown(
                                     answer.page, std::max(kWidest, console.columns)));
}

void write_json(const bindings::ClaimsAnswer& answer, const ClaimsOptions& options) {
  if (options.out.empty()) return;
  OutputFile file(std::filesystem::path(options.out) / "claims.json",
                  Existing::kReplace);
  file.write(answer.json.file_text());
  file.commit();
}

// The exit status: that of a run that failed, else 1 if a claim got another verdict
// than it expects.
int judge(const study::ClaimsOutcome& outcome, Console& console) {
  std::vector<int> codes;
  for (const auto& warning : outcome.warnings) console.say("warning: " + warning);
  for (const auto& failure : outcome.failures) {
    console.say("failed: " + failure.text);
    codes.push_back(failure.code);
  }
  for (const auto& row : outcome.answer.unexpected) console.say(row);
  const bool is_as_expected = outcome.answer.unexpected.empty() || !codes.empty();
  if (!is_as_expected) codes.push_back(static_cast<int>(ErrorCode::kAudit));
  return study::worst_code(codes);
}

int convert(const std::string& file, Console& console) {
  console.out << study::converted_claims(file, study::read_text(file));
  return study::kDone;
}

int claims(const ClaimsOptions& options, Console& console) {
  if (!options.convert.empty()) return convert(options.convert, console);
  if (options.folder.empty()) {
    wrong_usage("name a folder: berth claims scenarios/papers/two-tier");
  }
  if (options.dry_run && options.json) wrong_usage("--dry-run and --json: use one");
  study::StudyOptions how;
  how.audit = options.no_audit ? study::Audit::kOff : study::Audit::kOn;
  how.workers = options.workers.empty()
                    ? std::max(1U, std::thread::hardware_concurrency())
                    : workers_option(options.workers);
  how.interrupted = console.interrupted;
  if (!options.out.empty()) how.out = options.out;
  Progress progress(console.err, console.live);
  how.progress = [&progress](std::string_view sweep, std::size_t runs, std::size_t of) {
    progress.show(sweep, runs, of);
  };
  const auto library = study::PolicyLibrary::standard();
  study::ClaimsStudy study(options.folder, library, options.claims, how);
  if (options.dry_run) {
    console.out << study.dry_run();
    return study::kDone;
  }
  if (!options.out.empty()) study::check_claims_ours(options.out);
  progress.expect("points", study.sweeps());
  const auto outcome = study.run();
  return Steps(judge(outcome, console), console)
      .then([&] { write_json(outcome.answer, options); })
      .then([&] { print(outcome.answer, options, console); })
      .code();
}

}  // namespace

Action declare_claims(Syntax& syntax) {
  auto options = std::make_shared<ClaimsOptions>();
  syntax.option("FOLDER", options->folder,
                "with claims.lua and the scenarios that it names (docs/claims.md)");
  syntax.option("--out", options->out,
                "folder for claims.json and the results of each sweep; points that "
                "are finished there are not run again");
  syntax.option("-j", options->workers, "runs side by side (all cores)");
  syntax.repeated("--claim", options->claims, "judge only the claim with this id");
  syntax.option("--convert", options->convert,
                "print this claims.toml of an earlier version as Lua, and run nothing");
  syntax.flag("--dry-run", options->dry_run,
              "check the claims and say what would run and about how long");
  syntax.flag("--json", options->json, "print JSON, not a table");
  syntax.flag("--no-audit", options->no_audit,
              "do not check the laws of the model in each run");
  syntax.footer(
      "Exit status 1 if a claim gets another verdict than its `expect`.\n\n"
      "Example:\n  berth claims scenarios/papers/virtual-clusters --claim V1");
  return [options](Console& console) { return claims(*options, console); };
}

}  // namespace berth::cli
