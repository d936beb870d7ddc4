#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/steps.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/output_file.hpp"
#include "study/claims/claims_table.hpp"
#include "study/common/exit_code.hpp"
#include "study/results/own_files.hpp"

namespace berth::cli {

namespace {

struct ClaimsOptions {
  std::string folder;
  std::string out;
  std::string workers;
  std::vector<std::string> claims;
  bool no_audit = false;
  bool dry_run = false;
  bool json = false;
};

void print(const study::ClaimsOutcome& outcome, const ClaimsOptions& options,
           Console& console) {
  if (options.json) {
    console.out << study::claims_json(outcome).file_text();
    return;
  }
  if (!outcome.file.title.empty()) console.out << "# " << outcome.file.title << "\n\n";
  if (!outcome.file.paper.empty()) console.out << outcome.file.paper << ".\n\n";
  console.out << study::claims_table(outcome);
}

void write_json(const study::ClaimsOutcome& outcome, const ClaimsOptions& options) {
  if (options.out.empty()) return;
  OutputFile file(std::filesystem::path(options.out) / "claims.json",
                  Existing::kReplace);
  file.write(study::claims_json(outcome).file_text());
  file.commit();
}

// The exit status: 1 if a claim got another verdict than it expects.
int judge(const study::ClaimsOutcome& outcome, Console& console) {
  int code = study::kDone;
  for (const auto& judged : outcome.claims) {
    if (judged.is_as_expected()) continue;
    console.err << fmt::format(
        "berth: {}: claim {}: expected {}, found {}\n", judged.claim.place_of("expect"),
        printable(judged.claim.id), text_of(*judged.claim.expected),
        text_of(judged.verdict()));
    code = static_cast<int>(ErrorCode::kAudit);
  }
  return code;
}

int claims(const ClaimsOptions& options, Console& console) {
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
      .then([&] { write_json(outcome, options); })
      .then([&] { print(outcome, options, console); })
      .code();
}

}  // namespace

Action declare_claims(Syntax& syntax) {
  auto options = std::make_shared<ClaimsOptions>();
  syntax.option("FOLDER", options->folder,
                "with claims.toml and the scenarios that it names (docs/claims.md)");
  syntax.option("--out", options->out,
                "folder for claims.json and the results of each sweep; points that "
                "are finished there are not run again");
  syntax.option("-j", options->workers, "runs side by side (all cores)");
  syntax.repeated("--claim", options->claims, "judge only the claim with this id");
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
