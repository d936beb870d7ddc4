#pragma once
// From the [workload] keys of a scenario to the jobs of its runs.

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/sandbox/guard.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/jobs/job_links.hpp"
#include "engine/jobs/limits.hpp"
#include "engine/workload/formats/log.hpp"
#include "engine/workload/workload.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// What workload.needs may say of a job on this machine.
[[nodiscard]] JobFileForm needs_form_of(const Scenario& scenario);

struct ReadingOptions {
  bool strict = false;      // what would be left out or rejected is an error
  bool keep_lines = false;  // every line of every finding
  bool keep_recorded = false;
  bool keep_left_out = false;   // the numbers of lines that are no job
  bindings::Limits limits{};    // of a condition of [classes]
  bool keep_preceding = false;  // what lines say of preceding jobs
  bool needs_size = false;      // of the machine, which records tell if nothing else
};

// Reads a log, plain or gzip, from where find_input() finds it, as the keys say; "-" is
// standard input.  Throws Error{kInput}, and Error{kUsage} for an unknown format.
// `sha256`, if not null, gets the checksum of the bytes as they are stored.
[[nodiscard]] JobLog read_trace(const std::string& given, const WorkloadKeys& keys,
                                const ReadingOptions& options, Budget& budget,
                                std::string* sha256 = nullptr);

// The trace that the scenario names, SWF or CSV, with nothing left out.
// REQUIRES: it names one.
[[nodiscard]] Workload read_trace_of(const Scenario& scenario, Budget& budget);

struct SizedWorkload {
  Workload workload;
  JobCensus census{};                 // of its jobs
  std::int32_t processors = 0;        // of the machine that the jobs run on
  std::int32_t widest = 0;            // processes of a job; wider ones are rejected
  std::optional<std::string> sha256;  // of the trace's bytes; nullopt: a model
  std::shared_ptr<const JobAttributes> attributes{};  // of the workload's jobs
  std::shared_ptr<const JobLinks> links{};  // likewise; null: no job waits for another
  std::shared_ptr<const LimitedArrays> arrays{};  // likewise; null: none has a limit
  std::string links_told{};  // how they were made; empty: nothing to say
  std::string legend{};  // of the names and ids of a log (log_writer.hpp); empty: none
};

// The trace or the model, then: from and to, first, repeat, resample,
// estimates, load, shake.
// Throws Error{kInput} for a file that is wrong, for a machine without a size, for a
// workload in which no job is left, and, when strict, for a job wider than the machine.
// A scenario with neither trace nor model is Error{kInput}, too.
[[nodiscard]] SizedWorkload load_workload(const Scenario& scenario,
                                          const ReadingOptions& options,
                                          Budget& budget);

}  // namespace berth::study
