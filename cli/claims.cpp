#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "engine/base/error.hpp"
#include "study/claims/claims_run.hpp"
#include "study/common/exit_code.hpp"

namespace berth::cli {

namespace {

struct Options {
  std::string folder;
  std::string out;
  std::string workers = "1";
  bool audit = false;
};

int claims(const Options& options, Console& console) {
  if (options.folder.empty()) {
    wrong_usage("name a folder: berth claims scenarios/papers/two-tier");
  }
  study::StudyOptions how;
  how.audit = options.audit ? study::Audit::kOn : study::Audit::kOff;
  how.workers = workers_option(options.workers);
  how.interrupted = console.interrupted;
  if (!options.out.empty()) how.out = options.out;
  study::ClaimsOutcome outcome;
  {
    Progress progress(console.err, console.live);
    how.progress = [&progress](std::string_view sweep, std::size_t runs,
                               std::size_t of) { progress.show(sweep, runs, of); };
    outcome = study::run_claims(options.folder, study::PolicyLibrary::standard(), how);
  }
  if (!outcome.file.title.empty()) console.out << "# " << outcome.file.title << "\n\n";
  if (!outcome.file.paper.empty()) console.out << outcome.file.paper << ".\n\n";
  console.out << study::claims_table(outcome);
  return study::kDone;
}

}  // namespace

Action declare_claims(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.option("FOLDER", options->folder,
                "with claims.toml and the scenarios that it names");
  syntax.option("--out", options->out,
                "folder for the results of each sweep; points that are finished "
                "there are not run again");
  syntax.option("-j", options->workers, "points that run side by side (1)");
  syntax.flag("--audit", options->audit, "check the laws of the model in each run");
  syntax.footer(
      "Example:\n  berth claims scenarios/papers/two-tier --out results -j 2");
  return [options](Console& console) { return claims(*options, console); };
}

}  // namespace berth::cli
