#pragma once
// What is known of one sharing model: its one record.
//
// Readers of scenarios, runs, audits and lists find a model by its record alone, so a
// new model is new files and one more record (sharing_models.cpp).  A record may also
// be passed to these functions directly, without being in the list.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/audit/stays.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/base/places.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/pick.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/machines/case_set.hpp"
#include "engine/machines/drawn_places.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/sim/machine.hpp"
#include "engine/workload/fill.hpp"

namespace berth {

class SharingModel;

// What a model, its law and its measures are made from; each takes what concerns it.
struct ModelSpec {
  const sim::Machine& machine;
  std::span<const Job> jobs;
  std::shared_ptr<const JobAttributes> attributes;  // of these jobs
  std::uint64_t seed = 0;                           // of what is drawn for jobs
  bool departures = true;                           // whether jobs leave
  // By job of the run, the index that it had among `jobs` when this was made: a run in
  // which jobs wait for others numbers them as it goes.  Empty: they stay as they are.
  std::span<const std::uint32_t> order{};
};

// What reads and judges a schedule that is given as files (`berth verify`).
struct OfSchedules {
  // What a number in a column of places means.
  PlaceForm form = PlaceForm::kSet;
  // Makes a placement of what a row says.
  audit::PlaceReader (*places)(const ModelSpec& spec) = nullptr;
  // The law of the placements.  It is asked for no rates: files tell them, and the work
  // that they come to is judged (audit/stretch_check.hpp).  Null: no law judges such
  // schedules, and they are refused by the name of the model.
  std::unique_ptr<audit::Law> (*law)(const ModelSpec& spec) = nullptr;
  // Whether the columns of the machine tell all of a placement, so that no column of
  // places is needed.
  bool columns_tell_places = false;
};

struct NamedAlgorithm {
  std::string_view name;
  std::string_view help;
  std::string_view source;
};

struct ModelRecord {
  std::string_view name;
  std::string_view help;
  Pick default_pick = Pick::kLowest;
  Duration default_migration_cost = 0;
  bool preempts = false;  // running jobs may be suspended by default
  // Whether promises that rest on numbers of idle processors can be judged.
  bool promises_by_count = true;

  // Whether several processes of a job may be on one processor, so that a job may have
  // more of them than the machine has processors.
  bool shares_processors = false;

  // Whether a host is the unit of the machine: groups of hosts say how many they are,
  // and name no processors.
  bool counts_hosts = false;

  // Its scenario keys and their defaults; null: it has none.
  OwnSettings (*settings)() = nullptr;
  // Reads the files that the settings name, each given to `read` by its path; null:
  // they name none.
  using ReadFile = std::function<std::string(const std::string& path)>;
  void (*read)(std::any& settings, const ReadFile& read) = nullptr;
  // Gives the settings the file of hosts that the scenario names, whose form is the
  // model's own; null: it is a list of hosts of another program.
  void (*use_hosts_file)(std::any& settings, const std::string& path) = nullptr;
  // The number of processors that follows from the machine and its settings, whose
  // files have been read; null: it does not.
  std::int32_t (*processors)(const sim::Machine& machine,
                             const std::any& settings) = nullptr;
  // The setting that every policy may set for itself, as its parameter of this name,
  // and what it may be: algorithms by name; null: it is no name of one.
  std::string_view own_parameter{};
  std::vector<NamedAlgorithm> (*algorithms)() = nullptr;
  std::unique_ptr<SharingModel> (*make)(const ModelSpec& spec) = nullptr;
  // The law that an audit holds its placements and rates to.
  std::unique_ptr<audit::Law> (*law)(const ModelSpec& spec) = nullptr;
  OfSchedules schedules{};
  // What it measures of a run besides, in this window, and its metrics.  Null, or null
  // is made: nothing.
  std::unique_ptr<MachineMeasure> (*measure)(const ModelSpec& spec,
                                             const Window& window) = nullptr;
  MetricGroup (*metrics)() = nullptr;
  // Its own ones, beside those of the kernel.
  std::span<const Refusal> refusals{};
  // What its placements tell in stretches.csv besides resources and tier, and what a
  // schedule has to tell of them.
  std::span<const audit::PlaceColumn> place_columns{};
  // What workload.fill counts of these jobs; null: their processes.
  FillDemand (*filling)(const ModelSpec& spec) = nullptr;
  // Whether memory that a trace asks for counts; else the user is told that it does
  // not.
  bool counts_memory = false;
  // Files of values by job that only this machine reads; null: none.  A key that all
  // machines have gets this form on this machine.
  // `machine` is that of the scenario, with its settings, if it is of this model.
  std::vector<JobFile> (*job_files)(const sim::Machine& machine) = nullptr;
  // What is wrong with a scenario on this machine (`is_mine`), or with one on another
  // machine that has settings of this one; empty: nothing.  `given`: the settings of
  // this machine; null: it gives none.  Null: nothing ever is.
  std::string (*wrong)(const sim::Machine& machine, const std::any* given,
                       bool is_mine) = nullptr;
  // The parts of its hosts, for a picture of them; null: they have none.
  DrawnHosts (*drawn)(const ModelSpec& spec) = nullptr;
  // Sentences for the user about the workload on this machine; null: none.
  std::vector<std::string> (*remarks)(const ModelSpec& spec) = nullptr;
  // A study of what it does without jobs over time; null: there is none.
  const CaseStudy& (*cases)() = nullptr;
};

// The settings of a model in force on this machine.  REQUIRES: Settings is their type.
template <class Settings>
[[nodiscard]] Settings settings_of(const sim::Machine& machine) {
  const auto* given = std::any_cast<Settings>(&machine.model_settings);
  return given != nullptr ? *given : Settings{};
}

}  // namespace berth
