#pragma once
// A playground: one HTML file with jobs, policies and the engine, compiled for
// browsers, in which policies are changed and run.  It needs no network and no berth.

#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/output/sink.hpp"
#include "study/results/outcome.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::playground {

// What is embedded besides the jobs: the engine and the script that drives it.
struct Bundle {
  std::string engine;         // berth.wasm
  std::string worker;         // what loads it, and the script of the Worker
  std::string page;           // HTML with places for the rest
  std::string section;        // the part of it that the script needs
  std::string script, style;  // of the page
};

// From BERTH_PLAYGROUND alone if that is set; else from share/berth/playground beside
// the program, or from the folder that it was built in.  Throws Error{kUsage} naming
// the folders, and how the engine is made, if it is in none of them.
[[nodiscard]] Bundle load_bundle();

// A playground of a scenario: its parts, from which pages are made.
//
// The jobs are embedded as they are after reading and making: each time exactly, so
// that the page makes the same schedules.  Files that the scenario names besides are
// embedded under their base names.  What the runs gave natively is there to be compared
// with.
class Playground {
 public:
  // Throws Error{kUsage} for what a page cannot hold: jobs with dependencies or with
  // needs beyond processors, two files of one name.
  // REQUIRES: a scenario of one point with a queue; `native` is its result, with
  // summaries.  Cost: O(bytes); charged to the budget.
  Playground(const study::Scenario& scenario, const study::StudyOutcome& native,
             Budget& budget);

  // A whole page; what it has, as JSON: bytes, jobs, policies.
  Json write(Sink& sink) const;
  // What a report has of it: HTML, in which nothing happens before it is asked for, and
  // the script that belongs behind it.
  [[nodiscard]] std::string section() const;
  [[nodiscard]] const std::string& script() const { return bundle_.script; }

 private:
  [[nodiscard]] std::string blocks() const;

  Bundle bundle_;
  std::string title_;
  std::string about_;  // the machine and the jobs
  std::size_t jobs_ = 0;
  std::vector<std::string> policies_;
  std::vector<std::string> blocks_;  // data, trace, worker, engine
};

}  // namespace berth::playground
