#pragma once
// What `berth explain` is about: a run of one policy, from a folder of results or from
// the arguments of `berth run`.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/run_options.hpp"
#include "study/explain/replay.hpp"
#include "study/explain/run_folder.hpp"

namespace berth::cli {

struct ExplainOptions {
  RunOptions run;
  std::vector<std::string> words;  // RUN, the second policy of --between, jobs
  bool passes = false;
  bool json = false;
  bool markdown = false;
  bool anyway = false;
  std::vector<std::string> tries;
  std::vector<std::string> without;
  std::string between;
  std::string sample;
  std::string inputs;
  std::string tools;
};

class ExplainedRun {
 public:
  // `name` is RUN, "" for a run of options alone; `policy` chooses among several: a
  // folder below, or a policy as --policy takes it; "": there is one.  Throws Error,
  // WrongUsage.
  ExplainedRun(const std::string& name, const std::string& policy,
               const ExplainOptions& options, Console& console);

  [[nodiscard]] std::span<const Job> jobs() const { return prepared_->point.jobs; }
  [[nodiscard]] const study::PreparedPoint& prepared() const { return *prepared_; }
  // "berth explain r/easy", for a command line that is proposed.
  [[nodiscard]] const std::string& command() const { return command_; }
  // What differs from the run in the folder and was accepted by --anyway.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  // By the trace's own number.  Throws Error{kUsage} naming the nearest.
  [[nodiscard]] JobId job(const std::string& number) const;

  // The run again, with another policy if one is given.  Throws what the policy throws;
  // Error{kAudit} if a job does not start when the folder's jobs.csv
  // says.
  [[nodiscard]] study::Replay replay(
      const study::ReplayOptions& options,
      const std::optional<study::PolicyChoice>& other = {});

 private:
  void open(const std::string& name, const std::string& policy,
            const ExplainOptions& options);
  void choose(const std::string& policy);
  void check_same(const study::LoadedPolicy& policy);
  void compare(const study::Replay& replay) const;

  std::optional<study::RunFolder> folder_;
  std::optional<study::PolicyLibrary> library_;
  std::unique_ptr<study::PreparedPoint> prepared_;
  std::string command_;
  bool anyway_;
  bindings::Limits limits_;
  Console& console_;
  std::vector<std::string> notes_;
};

}  // namespace berth::cli
