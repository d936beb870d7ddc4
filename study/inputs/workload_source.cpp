#include "study/inputs/workload_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/workload/estimates.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "engine/workload/mix.hpp"
#include "engine/workload/transform.hpp"
#include "engine/workload/tsafrir.hpp"
#include "engine/workload/warnings.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/hosts/needs_of_log.hpp"
#include "study/inputs/csv_trace.hpp"
#include "study/inputs/hashing_source.hpp"
#include "study/inputs/job_file.hpp"
#include "study/inputs/machine_source.hpp"
#include "study/inputs/room_for_jobs.hpp"
#include "study/links/trace_links.hpp"
#include "study/logs/log_writer.hpp"
#include "study/logs/map_reader.hpp"
#include "study/logs/size_of_log.hpp"
#include "study/logs/time_zone.hpp"
#include "study/scenario/named_settings.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/workload_models.hpp"

namespace berth::study {

namespace {

// Of files with one key that of the scenario's machine counts.
void add_job_file(std::vector<JobFile>& all, JobFile file, bool is_mine) {
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const auto& each) { return each.key == file.key; });
  if (at == all.end()) {
    all.push_back(std::move(file));
  } else if (is_mine) {
    at->form = std::move(file.form);
  }
}

// Each file by job that a scenario may name, in the form of its machine.
std::vector<JobFile> job_files_of(const Scenario& scenario) {
  std::vector<JobFile> all{{"workload.needs", needs_form(scenario.machine.resources)}};
  for (const auto& model : sharing_models()) {
    if (model.job_files == nullptr) continue;
    const bool is_mine = model.name == scenario.machine.sharing;
    sim::Machine machine;
    if (is_mine) {
      machine = scenario.machine;
      machine.model_settings = model_settings(scenario);
    }
    for (auto& file : model.job_files(machine)) {
      add_job_file(all, std::move(file), is_mine);
    }
  }
  return all;
}

// The key of the first file by job that the scenario names; empty: it names none.
std::string_view named_job_file(const Scenario& scenario) {
  for (const auto& each : job_files_of(scenario)) {
    if (file_of(scenario, each.key)) return each.key;
  }
  return {};
}

struct NamedFile {
  std::string_view key;  // of the scenario
  std::string path;
};

// What the file that the key names says of these jobs.
JobValues read_file_of(const Scenario& scenario, NamedFile named,
                       const Workload& workload, const JobFileForm& form,
                       Budget& budget) {
  std::optional<FileSource> file;
  try {
    named.path = find_input(named.path);
    file.emplace(named.path);
  } catch (const Error& error) {
    const auto place = scenario.places.find(named.key);
    if (place == scenario.places.end()) throw;
    throw Error(ErrorCode::kInput,
                fmt::format("{}{}: {}", place->second, named.key, error.what()));
  }
  return read_job_file(*file, named.path, workload, form, budget);
}

// What is known of the jobs beside the workload.  Read before anything is left out,
// repeated or numbered anew; afterwards a job is found by its place, not its number.
class JobFiles {
 public:
  // `of_trace`: what the trace itself says of them.
  JobFiles(const Scenario& scenario, Workload& workload, JobValues of_trace,
           Budget& budget)
      : columns_(std::make_shared<JobColumns>(workload.jobs)) {
    if (!of_trace.columns.empty()) keep(std::move(of_trace));
    for (const auto& [key, form] : job_files_of(scenario)) {
      const auto path = file_of(scenario, key);
      if (!path) continue;
      keep(read_file_of(scenario, {key, *path}, workload, form, budget));
    }
    const bool is_fill = scenario.workload.arrivals == ArrivalTimes::kFill;
    const auto& links = scenario.workload.links;
    const bool has_links = links.moves() || !links.arrays.empty();
    if (!values_.empty() || is_fill || has_links) keep_places(workload, budget);
    workload.not_jobs.clear();
  }

  // Those that the jobs to be drawn are drawn from; they stay known.
  const JobSource& keep_source(const Workload& workload) {
    auto source =
        std::make_shared<const JobSource>(workload.jobs, workload.of_trace, *columns_);
    columns_->draw_from(source);
    return *source;
  }

  // The attributes of the jobs that are left, which outlive them.
  std::shared_ptr<const JobAttributes> of(const Workload& workload) {
    for (const auto& values : values_) check_has_lines(values, workload.of_trace);
    if (workload.of_trace.empty()) return std::make_shared<JobColumns>(workload.jobs);
    columns_->follow(workload.jobs, workload.of_trace);
    return columns_;
  }

 private:
  void keep(JobValues values) {
    add(*columns_, values);
    values.columns.clear();
    values_.push_back(std::move(values));
  }

  std::shared_ptr<JobColumns> columns_;
  std::vector<JobValues> values_;  // without their columns
};

std::int32_t model_processors(const Scenario& scenario) {
  if (const auto made = processors_of_machine(scenario)) return *made;
  if (scenario.processors) return *scenario.processors;
  refuse(scenario,
         "machine.processors: a model needs the size of the machine; add "
         "processors = 128 under [machine]");
}

std::int32_t trace_processors(const Scenario& scenario, const Workload& workload) {
  if (const auto made = processors_of_machine(scenario)) return *made;
  if (scenario.processors) return *scenario.processors;
  if (workload.processors) return *workload.processors;
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: no MaxProcs/MaxNodes header: say how large the machine is "
                  "(--processors N, or processors = N under [machine])",
                  printable_name(scenario.workload.trace)));
}

// nullptr for a trace.
const WorkloadModel* workload_model_of(const WorkloadKeys& keys) {
  return keys.trace.empty() ? find_workload_model(keys.model) : nullptr;
}

// See SharingModel::widest().
std::int32_t widest(const Scenario& scenario, std::int32_t processors) {
  return model_of(scenario.machine).shares_processors
             ? std::numeric_limits<std::int32_t>::max()
             : processors;
}

Workload generate(const Scenario& scenario, std::int32_t processors, Budget& budget) {
  const auto* model = workload_model_of(scenario.workload);
  BERTH_ASSERT(model != nullptr);
  const auto jobs = scenario.workload.jobs.value_or(model->jobs);
  check_room_for_jobs(jobs);
  return model->make(scenario, processors, jobs, budget);
}

// On the clock of the workload.
Time time_of(const Instant& instant, std::string_view key, const Scenario& scenario,
             const Workload& workload) {
  if (!instant.is_date) return instant.at;
  if (!workload.unix_start) {
    refuse(scenario,
           fmt::format("workload.{}: {} has no start time (UnixStartTime), so a date "
                       "says nothing about it; give seconds",
                       key, printable_name(workload.name)));
  }
  return instant.at - *workload.unix_start * kSecond;
}

void select(Workload& workload, const Scenario& scenario, Budget& budget) {
  const auto& keys = scenario.workload;
  if (keys.from || keys.to) {
    const auto from = keys.from ? time_of(*keys.from, "from", scenario, workload) : 0;
    const auto to = keys.to ? time_of(*keys.to, "to", scenario, workload) : kNever;
    keep_window(workload, from, to, budget);
  }
  if (keys.longest) keep_up_to(workload, *keys.longest, budget);
  if (keys.first) keep_first(workload, *keys.first);
}

void repeat_jobs(Workload& workload, const WorkloadKeys& keys, Budget& budget) {
  if (keys.repeat <= 1) return;
  check_room_for_jobs(keys.repeat * static_cast<std::int64_t>(workload.jobs.size()));
  repeat(workload, keys.repeat, budget);
}

// A mark is per cent of what the machine has.
void check_marks(const Scenario& scenario, double fill) {
  const auto given = find_setting("metrics.marks")->value(scenario);
  std::istringstream left(given ? text_of(*given) : std::string());
  // Bounded: the text of one setting.
  for (std::string mark; std::getline(left, mark, ',');) {
    if (std::stod(mark) <= 100 * fill) continue;
    refuse(scenario, fmt::format("metrics.marks: {} % is beyond workload.fill = {:g}; "
                                 "leave it out, or fill more",
                                 mark, fill));
  }
}

void check_fill(const Scenario& scenario) {
  const auto& keys = scenario.workload;
  if (keys.trace.empty() && !keys.columns.empty()) {
    refuse(scenario,
           "workload.columns: these are columns of a trace, and there is none");
  }
  const bool is_fill = keys.arrivals == ArrivalTimes::kFill;
  if (is_fill != keys.fill.has_value()) {
    refuse(scenario, is_fill ? "workload.arrivals: fill up to what? add fill = 1.3"
                             : "workload.fill: add arrivals = \"fill\"");
  }
  const bool is_timed = keys.load || keys.load_scale || keys.shake > 0;
  if (is_fill && is_timed) {
    refuse(scenario,
           "workload.arrivals: under fill job k arrives at second k, gaps times "
           "interarrival_factor; leave load, load_scale and shake out");
  }
  if (is_fill) check_marks(scenario, *keys.fill);
}

std::vector<std::string_view> names_of_jobs(const JobSource& source) {
  std::vector<std::string_view> names;
  const auto* column = source.attributes.column("name");
  if (column == nullptr) return names;
  names.reserve(source.jobs.size());
  for (std::uint32_t i = 0; i < source.jobs.size(); ++i) {
    const auto of = column->of(JobId{i});
    names.push_back(of.empty() ? std::string_view() : column->text(of.front()));
  }
  return names;
}

void fill(SizedWorkload& loaded, const JobSource& source, const Scenario& scenario,
          Budget& budget) {
  auto machine = scenario.machine;
  machine.processors = loaded.processors;
  machine.model_settings = model_settings(scenario);
  const FillSettings settings{*scenario.workload.fill, scenario.workload.fill_order,
                              static_cast<std::uint64_t>(scenario.seed)};
  const std::shared_ptr<const JobAttributes> attributes(
      std::shared_ptr<const JobAttributes>(), &source.attributes);
  const auto demand = fill_demand({machine, source.jobs, attributes, settings.seed});
  double asked = 0;
  for (const auto& each : demand.jobs) asked += static_cast<double>(each.all);
  if (asked <= 0 || demand.machine <= 0) {
    refuse(scenario,
           fmt::format("workload.fill: {} asks for nothing that fills the machine",
                       printable_name(loaded.workload.name)));
  }
  const auto goal = settings.fill * static_cast<double>(demand.machine);
  const auto jobs = static_cast<double>(source.jobs.size());
  check_room_for_jobs(static_cast<std::int64_t>(std::min(1e15, goal / asked * jobs)));
  fill_machine(loaded.workload, names_of_jobs(source), demand, settings, budget);
}

// Jobs that stay, however long a run is.
void keep_for_ever(Workload& workload, Budget& budget) {
  constexpr auto kForEver = seconds(static_cast<std::int64_t>(kMaxSeconds));
  budget.charge_each(workload.jobs.size());
  for (auto& job : workload.jobs) {
    job.length = kForEver;
    job.walltime = kForEver;
    job.walltime_given = true;
  }
}

constexpr Duration kLongestOfTraces = seconds(36'000);

void estimate(Workload& workload, const Scenario& scenario, Budget& budget) {
  const auto seed = static_cast<std::uint64_t>(scenario.seed);
  const auto& keys = scenario.workload;
  const auto* model = workload_model_of(keys);
  auto rule = keys.estimates;
  if (!rule && model != nullptr) rule = model->estimates;
  if (!rule) return;
  switch (*rule) {
    case Estimates::kExact: return estimate_exactly(workload, budget);
    case Estimates::kFactor: return estimate_by_factor(workload, seed, budget);
    case Estimates::kTsafrir:
      TsafrirSettings settings;
      const auto usual = model != nullptr ? model->longest_estimate : kLongestOfTraces;
      settings.longest = keys.longest_estimate.value_or(usual) / kSecond;
      return estimate_by_tsafrir(workload, settings, seed, budget);
  }
}

void stretch(SizedWorkload& loaded, const WorkloadKeys& keys, Budget& budget) {
  auto& workload = loaded.workload;
  if (keys.load && keys.mix.empty()) {
    reach_load(workload, loaded.processors, *keys.load, budget, loaded.widest);
  }
  if (keys.load_scale) scale_load(workload, 1.0 / *keys.load_scale, budget);
  if (keys.interarrival_factor) scale_load(workload, *keys.interarrival_factor, budget);
}

void check_not_empty(const Scenario& scenario, const Workload& workload) {
  if (!workload.jobs.empty()) return;
  if (scenario.workload.longest) refuse(scenario, "workload.longest: no job is left");
  if (scenario.workload.from || scenario.workload.to) {
    refuse(scenario, "workload.from, workload.to: no job is submitted in this window");
  }
  throw Error(ErrorCode::kInput,
              fmt::format("{}: there is no job in it to run; `berth trace` tells "
                          "what it holds",
                          printable_name(scenario.workload.trace)));
}

// Passes the bytes of a trace to `read`, unpacked, with its name for messages.
// `sha256`, if not null, gets the checksum of the bytes as they are stored.
template <class Read>
auto with_trace(const std::string& given, Budget& budget, std::string* sha256,
                const Read& read) {
  const auto path = find_input(given);
  const auto name = path == "-" ? std::string("standard input") : path;
  FileSource file(path);
  HashingSource hashed(file);
  GzipSource unpacked(hashed, name, budget);
  auto made = read(unpacked, name);
  if (sha256 != nullptr) *sha256 = hashed.digest();
  return made;
}

// Whether a CSV file begins as a table of the list of formats does.
bool is_table_of_log(const std::string& trace) {
  Budget budget;
  return with_trace(trace, budget, nullptr, [&](ByteSource& source, const auto& name) {
    LineReader lines(source, name, budget);
    const auto header = lines.next().value_or("");
    return header.starts_with(kJobTableColumns) || map_for_header(header) != nullptr;
  });
}

bool has_csv_trace(const WorkloadKeys& keys) {
  if (!keys.columns.empty()) return true;
  const bool names_reader = !keys.log.format.empty() || !keys.log.map.empty();
  return is_csv_trace(keys.trace) && !names_reader && !is_table_of_log(keys.trace);
}

// A trace with its chosen fields, and nothing left out yet.
JobLog read_whole(const Scenario& scenario, const std::string& path,
                  const ReadingOptions& options, Budget& budget, std::string* sha256) {
  auto reading = options;
  const auto& fields = scenario.workload.fields;
  const auto& links = scenario.workload.links;
  reading.keep_recorded =
      options.keep_recorded || fields.needs_recorded() || links.moves();
  reading.needs_size = !scenario.processors && !processors_of_machine(scenario);
  reading.keep_preceding = links.are_of_swf();
  reading.keep_left_out = !named_job_file(scenario).empty();
  auto log = read_trace(path, scenario.workload, reading, budget, sha256);
  auto& workload = log.workload;
  choose_fields(workload, fields, budget);
  const bool has_size =
      scenario.processors || workload.processors || processors_of_machine(scenario);
  if (!workload.notes.empty() && !has_size) {
    refuse_without_size(workload, budget);
  }
  if (!options.keep_recorded && !links.moves()) workload.drop_recorded();
  return log;
}

// What the log says of the needs of its jobs, where no file does; partitions get the
// numbers that they have among the hosts.
JobValues values_of_log(JobLog& log, const Scenario& scenario,
                        const ReadingOptions& options, Budget& budget) {
  JobValues values{log.workload.source};
  if (!scenario.hosts.partitions.empty()) {
    number_partitions(log, scenario.hosts.partitions, budget);
  }
  const bool is_told = file_of(scenario, "workload.needs").has_value();
  if (is_told || model_of(scenario.machine).counts_hosts) return values;
  LogOptions reading;
  reading.name = log.workload.source;
  reading.strict = options.strict;
  reading.keep_lines = options.keep_lines;
  values.columns = needs_of_log(log, scenario.machine.resources, reading, budget);
  return values;
}

// The trace as a log; answers what it says of the needs of its jobs.
JobValues take_log(SizedWorkload& loaded, const Scenario& scenario,
                   const ReadingOptions& options, Budget& budget) {
  auto log = read_whole(scenario, scenario.workload.trace, options, budget,
                        &loaded.sha256.emplace());
  auto values = values_of_log(log, scenario, options, budget);
  auto legend = legend_text(log);
  const bool has_names = std::count(legend.begin(), legend.end(), '\n') > 1;
  if (has_names) loaded.legend = std::move(legend);
  loaded.workload = std::move(log.workload);
  return values;
}

CsvTrace read_csv(const Scenario& scenario, Budget& budget, std::string* sha256) {
  const auto& keys = scenario.workload;
  if (keys.fields.needs_recorded()) {
    refuse(scenario,
           "workload.size, memory and missing_memory: a CSV trace has each field once; "
           "map size and memory in [workload.columns]");
  }
  const CsvTraceKeys of{{"workload.columns", keys.columns}, keys.departures};
  return with_trace(
      keys.trace, budget, sha256, [&](ByteSource& source, const std::string& name) {
        return read_csv_trace(source, name, of, needs_form_of(scenario), budget);
      });
}

// The traces of a mix; the sharing of the load is done.
Workload read_mix(const Scenario& scenario, const ReadingOptions& options,
                  Budget& budget, std::string& sha256) {
  const auto& keys = scenario.workload;
  if (const auto key = named_job_file(scenario); !key.empty()) {
    const auto place = scenario.places.find(key);
    const auto what = fmt::format(
        "{}: a file by job cannot stand beside workload.mix, whose traces have jobs of "
        "the same numbers; merge the traces into one file with numbers of its own",
        key);
    if (place == scenario.places.end()) refuse(scenario, what);
    throw Error(ErrorCode::kInput, place->second + what);
  }
  if (!keys.load) {
    refuse(scenario,
           "workload.mix: the traces share workload.load; add load = 0.7 under "
           "[workload]");
  }
  for (const auto& [trace, share] : keys.mix) {
    if (!is_csv_trace(trace) && keys.columns.empty()) continue;
    refuse(scenario, "workload.mix: its traces are SWF files; merge CSV traces first");
  }
  std::vector<Workload> traces;
  std::vector<double> loads;
  for (const auto& [trace, share] : keys.mix) {
    auto log = read_whole(scenario, trace, options, budget,
                          traces.empty() ? &sha256 : nullptr);
    traces.push_back(std::move(log.workload));
    leave_out(traces.back(), keys.fields, budget);
    check_not_empty(scenario, traces.back());
    loads.push_back(share * *keys.load);
  }
  const auto processors = trace_processors(scenario, traces.front());
  return mix(std::move(traces), loads, processors, budget,
             widest(scenario, processors));
}

void refuse_too_wide(const SizedWorkload& loaded, Budget& budget) {
  const auto wide = too_wide(loaded.workload, loaded.widest, budget);
  if (wide) throw Error(ErrorCode::kInput, wide->first_text);
}

}  // namespace

JobFileForm needs_form_of(const Scenario& scenario) {
  for (auto& [key, form] : job_files_of(scenario)) {
    if (key == "workload.needs") return std::move(form);
  }
  return needs_form(scenario.machine.resources);
}

JobLog read_trace(const std::string& given, const WorkloadKeys& keys,
                  const ReadingOptions& options, Budget& budget, std::string* sha256) {
  const auto& log = keys.log;
  const auto map = is_ready_map(log.format) ? log.format : log.map;
  return with_trace(
      given, budget, sha256, [&](ByteSource& source, const std::string& name) {
        LogOptions reading{name,
                           options.strict,
                           options.keep_lines,
                           options.keep_recorded,
                           options.keep_left_out,
                           log.rules,
                           keys.fields.size,
                           time_zone(log.time_zone),
                           !log.time_zone.empty()};
        reading.keep_preceding = options.keep_preceding;
        reading.needs_size = options.needs_size;
        reading.columns = [&](std::string_view header) {
          return map.empty() ? map_for_header(header) : column_map(map);
        };
        return read_log(source, map.empty() ? log.format : "columns", reading, budget);
      });
}

Workload read_trace_of(const Scenario& scenario, Budget& budget) {
  const auto& keys = scenario.workload;
  return has_csv_trace(keys) ? read_csv(scenario, budget, nullptr).workload
                             : read_trace(keys.trace, keys, {}, budget).workload;
}

SizedWorkload load_workload(const Scenario& scenario, const ReadingOptions& options,
                            Budget& budget) {
  const auto& keys = scenario.workload;
  if (keys.trace.empty() && keys.model.empty()) {
    refuse(scenario,
           "no jobs: give trace = \"FILE.swf\" or model = \"lublin\" under "
           "[workload]");
  }
  check_fill(scenario);
  if (const auto wrong = wrong_links(scenario, has_csv_trace(keys)); !wrong.empty())
    refuse(scenario, wrong);
  SizedWorkload loaded;
  auto& workload = loaded.workload;
  JobValues of_trace;
  if (keys.trace.empty()) {
    loaded.processors = model_processors(scenario);
    workload = generate(scenario, loaded.processors, budget);
  } else if (!keys.mix.empty()) {
    workload = read_mix(scenario, options, budget, loaded.sha256.emplace());
  } else if (has_csv_trace(keys)) {
    auto read = read_csv(scenario, budget, &loaded.sha256.emplace());
    workload = std::move(read.workload);
    of_trace = std::move(read.values);
  } else {
    of_trace = take_log(loaded, scenario, options, budget);
  }
  JobFiles files(scenario, workload, std::move(of_trace), budget);
  const auto lists = trace_arrays(keys.links, workload, budget);
  auto of_links = trace_links(keys.links, workload, lists ? &*lists : nullptr, budget);
  if (!keys.trace.empty()) {
    if (keys.mix.empty()) leave_out(workload, keys.fields, budget);
    loaded.processors = trace_processors(scenario, workload);
  }
  select(workload, scenario, budget);
  check_not_empty(scenario, workload);
  if (keys.links.feedback == Feedback::kSessions) {
    auto made = links_by_sessions(workload, keys.links, budget);
    of_links = std::move(made.links);
    loaded.links_told = std::move(made.told);
  }
  repeat_jobs(workload, keys, budget);
  const auto seed = static_cast<std::uint64_t>(scenario.seed);
  if (keys.resample == Resample::kUsers) resample_users(workload, seed, budget);
  if (keys.arrivals == ArrivalTimes::kFill) {
    fill(loaded, files.keep_source(workload), scenario, budget);
    check_not_empty(scenario, workload);
  }
  if (lists) loaded.arrays = arrays_of_jobs(*lists, workload, budget);
  if (of_links)
    loaded.links = links_of_jobs(std::move(*of_links), workload, keys.links, budget);
  if (!options.keep_recorded) workload.drop_recorded();
  if (keys.departures) estimate(workload, scenario, budget);
  if (!keys.departures) keep_for_ever(workload, budget);
  loaded.widest = widest(scenario, loaded.processors);
  stretch(loaded, keys, budget);
  shake(workload, keys.shake, seed, budget);
  loaded.attributes = files.of(workload);
  loaded.census = census_of(workload, budget);
  if (options.strict) refuse_too_wide(loaded, budget);
  return loaded;
}

}  // namespace berth::study
