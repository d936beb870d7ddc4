#include "study/schedules/schedule_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::study {

namespace {

constexpr Duration kTick = 1;

// Names of a first line, without blanks around them and in quotes or not.
std::vector<std::string> names_of_line(std::string_view line, char delimiter) {
  std::vector<std::string> names;
  // Bounded: one line.
  while (!line.empty()) {
    std::string name(cut_off(line, delimiter));
    std::erase_if(name, [](char c) { return c == ' ' || c == '"'; });
    names.push_back(std::move(name));
  }
  return names;
}

bool names_all(std::string_view line, char delimiter,
               std::initializer_list<std::string_view> wanted) {
  const auto names = names_of_line(line, delimiter);
  return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view each) {
    return std::find(names.begin(), names.end(), each) != names.end();
  });
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// What a cell of a form says, and complaints about it.
class CellReader {
 public:
  CellReader(const ForeignInput& input, const LogPlace& place)
      : input_(input), place_(place) {}

  [[noreturn]] void wrong(std::string_view field, std::string_view text,
                          std::string_view kind) const {
    refuse_log(input_.name, place_,
               fmt::format("{}: '{}' is no {}", field, printable(text), kind));
  }

  // Seconds, with a point or a comma in them; none for NA, -1 and the like.
  [[nodiscard]] std::optional<Time> seconds_of(std::string_view field,
                                               std::string_view text) const {
    if (is_nothing(text)) return std::nullopt;
    std::string plain(text);
    std::replace(plain.begin(), plain.end(), ',', '.');
    const auto [ticks, fault] = parse_seconds(plain);
    if (fault != NumberFault::kNone) wrong(field, text, "time in seconds");
    return ticks;
  }

  // A calendar time, or seconds.
  [[nodiscard]] std::optional<Time> instant_of(std::string_view field,
                                               std::string_view text) const {
    const bool is_date = text.size() > 10 && text[4] == '-' && text[7] == '-';
    if (!is_date) return seconds_of(field, text);
    const auto found = time_from_log(text, input_.zone);
    if (!found.has_value()) wrong(field, text, "time");
    return found.time;
  }

  [[nodiscard]] std::int64_t size_of(std::string_view field,
                                     std::string_view text) const {
    if (is_nothing(text)) return 0;
    const auto [value, fault] = parse_real(text);
    const auto whole = static_cast<std::int64_t>(
        fault == NumberFault::kNone && value >= 0 && value <= 0x1.0p31 ? value : -1);
    if (whole < 0 || static_cast<double>(whole) != value ||
        whole > std::numeric_limits<std::int32_t>::max()) {
      wrong(field, text, "number of processors");
    }
    return whole;
  }

 private:
  static bool is_nothing(std::string_view text) {
    return is_no_value(text) || text == "NA" || text == "-1" || text == "nan" ||
           text == "NaN" || text == "NaT";
  }

  const ForeignInput& input_;
  LogPlace place_;
};

void require_id(const CellReader& cells, const ForeignJob& job) {
  if (job.id.empty()) cells.wrong("id", "", "id of a job");
}

// accasim: id;user;submit__node;cores;memory#...#__start;end;nodes;cores;memory;limit;

bool is_accasim(std::string_view line) {
  const auto first = line.find("__");
  if (first == line.npos || line.find("__", first + 2) == line.npos) return false;
  return std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(first),
                    ';') >= 2;
}

// The part up to the next "__", which is taken off both.
std::string_view cut_part(std::string_view& text) {
  const auto at = std::min(text.find("__"), text.size());
  const auto part = text.substr(0, at);
  text.remove_prefix(std::min(at + 2, text.size()));
  return part;
}

ForeignJob accasim_job(std::string_view line, const CellReader& cells) {
  ForeignJob job;
  auto left = cut_part(line);
  job.id = cut_off(left, ';');
  job.user = cut_off(left, ';');
  job.submit = cells.instant_of("submit", left);
  auto nodes = cut_part(line);
  // Bounded: one line.
  while (!nodes.empty()) {
    auto node = cut_off(nodes, '#');
    (void)cut_off(node, ';');
    job.size += cells.size_of("cores", cut_off(node, ';'));
  }
  job.start = cells.instant_of("start", cut_off(line, ';'));
  job.end = cells.instant_of("end", cut_off(line, ';'));
  (void)cut_off(line, ';');
  const auto cores = cells.size_of("cores", cut_off(line, ';'));
  if (job.size == 0) job.size = cores;
  (void)cut_off(line, ';');
  job.walltime = cells.seconds_of("expected duration", cut_off(line, ';'));
  return job;
}

// cqsim: id;size;size;walltime;length;wait;submit;start;end

bool is_cqsim(std::string_view line) {
  if (std::count(line.begin(), line.end(), ';') != 8) return false;
  return line.find_first_not_of("0123456789.;-+eE") == line.npos;
}

ForeignJob cqsim_job(std::string_view line, const CellReader& cells) {
  std::array<std::string_view, 9> fields;
  for (auto& field : fields) field = cut_off(line, ';');
  ForeignJob job;
  job.id = fields[0];
  job.size = cells.size_of("size", fields[2]);
  if (job.size == 0) job.size = cells.size_of("size", fields[1]);
  job.walltime = cells.seconds_of("walltime", fields[3]);
  job.submit = cells.seconds_of("submit", fields[6]);
  job.start = cells.seconds_of("start", fields[7]);
  job.end = cells.seconds_of("end", fields[8]);
  return job;
}

// alea: columns between tabs, blanks around the names, a comma in decimals.

bool is_alea(std::string_view line) {
  return line.find('\t') != line.npos &&
         without_blanks(line.substr(0, line.find('\t'))) == "job_ID";
}

// A form whose every line is a job.
template <class JobOf>
ForeignSchedule read_lines(const ForeignInput& input, const JobOf& job_of,
                           bool (*matches)(std::string_view)) {
  ForeignSchedule schedule;
  LineReader lines(input.source, input.name, input.budget);
  // Bounded: the lines, for which their reader charges.
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    const CellReader cells(input, {lines.number()});
    if (!matches(*line)) cells.wrong("job", line->substr(0, 60), "line of this form");
    auto job = job_of(*line, cells);
    job.line = lines.number();
    require_id(cells, job);
    schedule.jobs.push_back(std::move(job));
  }
  return schedule;
}

ForeignSchedule read_accasim(const ForeignInput& input) {
  auto schedule = read_lines(input, accasim_job, is_accasim);
  schedule.is_calendar = true;
  return schedule;
}

ForeignSchedule read_cqsim(const ForeignInput& input) {
  return read_lines(input, cqsim_job, is_cqsim);
}

ForeignSchedule read_alea(const ForeignInput& input) {
  ForeignSchedule schedule;
  LineReader lines(input.source, input.name, input.budget);
  std::vector<std::string> names;
  // Bounded: the lines, for which their reader charges.
  while (const auto line = lines.next()) {
    if (names.empty()) {
      names = names_of_line(*line, '\t');
      continue;
    }
    if (line->empty()) continue;
    const CellReader cells(input, {lines.number()});
    std::unordered_map<std::string_view, std::string_view> row;
    auto rest = *line;
    // Bounded: the columns.
    for (const auto& name : names) row[name] = without_blanks(cut_off(rest, '\t'));
    ForeignJob job;
    job.line = lines.number();
    job.id = row["job_ID"];
    job.submit = cells.seconds_of("arrival", row["arrival"]);
    job.start = cells.seconds_of("start_time", row["start_time"]);
    job.end = cells.seconds_of("end_time", row["end_time"]);
    job.size = cells.size_of("CPUs", row["CPUs"]);
    job.walltime = cells.seconds_of("walltime_limit", row["walltime_limit"]);
    job.user = row["user"];
    require_id(cells, job);
    schedule.jobs.push_back(std::move(job));
  }
  return schedule;
}

// A CSV file by names of columns, of which some go by several.
class NamedColumns {
 public:
  NamedColumns(const ForeignInput& input, const std::vector<TableColumn>& columns)
      : input_(input),
        table_(input.name, lines_of(input.source, input.name, input.budget), columns) {}

  [[nodiscard]] std::string_view operator[](std::size_t column) const {
    return without_blanks(table_.text(column));
  }
  [[nodiscard]] std::optional<Time> seconds(std::size_t column) const {
    return cell(column).seconds_of(name(column), (*this)[column]);
  }
  [[nodiscard]] std::optional<Time> instant(std::size_t column) const {
    return cell(column).instant_of(name(column), (*this)[column]);
  }
  [[nodiscard]] std::int64_t size(std::size_t column) const {
    return cell(column).size_of(name(column), (*this)[column]);
  }

  // What `job_of` makes of each row, whose first column is the id.
  template <class JobOf>
  ForeignSchedule read(const JobOf& job_of) {
    ForeignSchedule schedule;
    // Bounded: the rows, for whose lines their reader charges.
    while (table_.next()) {
      ForeignJob job = job_of(*this);
      job.line = table_.line();
      job.id = (*this)[0];
      require_id(cell(0), job);
      schedule.jobs.push_back(std::move(job));
    }
    return schedule;
  }

 private:
  [[nodiscard]] std::string_view name(std::size_t column) const {
    return table_.has(column) ? table_.name(column) : std::string_view();
  }
  [[nodiscard]] CellReader cell(std::size_t column) const {
    const auto at = table_.has(column) ? table_.place(column) : TablePlace{};
    return {input_, {table_.line(), at.column}};
  }

  const ForeignInput& input_;
  TableReader table_;
};

// raps: places as "[0, 1]", the state as the last word behind a point.

bool is_raps(std::string_view line) {
  return names_all(line, ',',
                   {"id", "num_nodes", "scheduled_nodes", "start_time", "end_time"});
}

std::string_view state_of_word(std::string_view text) {
  const auto word = text.substr(text.rfind('.') + 1);
  if (word == "COMPLETED" || word == "succeeded" || word == "SUCCEEDED") {
    return "COMPLETED_SUCCESSFULLY";
  }
  if (word == "FAILED" || word == "failed") return "COMPLETED_FAILED";
  if (word == "TIMEOUT") return "COMPLETED_WALLTIME_REACHED";
  if (word == "CANCELLED" || word == "cancelled") return "COMPLETED_KILLED";
  return {};
}

ForeignSchedule read_raps(const ForeignInput& input) {
  NamedColumns table(input, {{"id"},
                             {"num_nodes"},
                             {"scheduled_nodes"},
                             {"start_time"},
                             {"end_time"},
                             {"submit_time", false, {"submission_time"}},
                             {"time_limit", false, {"wall_time", "walltime"}},
                             {"state", false, {"current_state"}},
                             {"account", false, {"user"}}});
  return table.read([](const NamedColumns& row) {
    ForeignJob job;
    job.size = row.size(1);
    job.places = row[2];
    std::erase_if(job.places, [](char c) { return c == '[' || c == ']' || c == ','; });
    job.start = row.instant(3);
    job.end = row.instant(4);
    job.submit = row.instant(5);
    job.walltime = row.seconds(6);
    job.state = state_of_word(row[7]);
    job.user = row[8];
    return job;
  });
}

// armada: a row for each run, of which the last of a job counts.

bool is_armada(std::string_view line) {
  return names_all(
      line, ',',
      {"job_id", "run_id", "submitted_time", "scheduled_time", "finished_time"});
}

// Keeps of the rows of one id that which started last.
std::vector<ForeignJob> last_runs(std::vector<ForeignJob> runs) {
  std::unordered_map<std::string, std::size_t> known;
  std::vector<ForeignJob> jobs;
  // Bounded: the rows, for whose lines their reader charges.
  for (auto& run : runs) {
    const auto [at, is_new] = known.try_emplace(run.id, jobs.size());
    if (is_new) {
      jobs.push_back(std::move(run));
    } else if (auto& before = jobs[at->second];
               run.start.value_or(-1) >= before.start.value_or(-1)) {
      before = std::move(run);
    }
  }
  return jobs;
}

ForeignSchedule read_armada(const ForeignInput& input) {
  NamedColumns table(input, {{"job_id"},
                             {"run_id"},
                             {"submitted_time"},
                             {"scheduled_time"},
                             {"finished_time"},
                             {"cpu"},
                             {"state", false},
                             {"walltime", false},
                             {"queue", false}});
  bool is_calendar = false;
  auto schedule = table.read([&](const NamedColumns& row) {
    ForeignJob job;
    job.submit = row.instant(2);
    job.start = row.instant(3);
    job.end = row.instant(4);
    job.size = row.size(5);
    job.state = state_of_word(row[6]);
    job.walltime = row.seconds(7);
    job.user = row[8];
    is_calendar = is_calendar || row[2].find(':') != row[2].npos;
    return job;
  });
  schedule.is_calendar = is_calendar;
  schedule.jobs = last_runs(std::move(schedule.jobs));
  return schedule;
}

// evalys: Batsim's columns, where a start or an end may be told by what passed before.

bool is_evalys(std::string_view line) {
  const auto names = names_of_line(line, ',');
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!has("job_id") && !has("jobID")) return false;
  if (has("jobID")) return true;
  const bool has_all = has("starting_time") && has("finish_time");
  return !has_all && has("submission_time") && has("waiting_time") &&
         (has("execution_time") || has("finish_time"));
}

ForeignSchedule read_evalys(const ForeignInput& input) {
  NamedColumns table(input, {{"jobID", true, {"job_id"}},
                             {"submission_time"},
                             {"waiting_time", false},
                             {"execution_time", false},
                             {"starting_time", false},
                             {"finish_time", false},
                             {"requested_number_of_resources", false},
                             {"requested_time", false},
                             {"allocated_resources", false},
                             {"success", false},
                             {"final_state", false},
                             {"user", false}});
  return table.read([](const NamedColumns& row) {
    ForeignJob job;
    job.submit = row.seconds(1);
    const auto wait = row.seconds(2);
    const auto length = row.seconds(3);
    job.start = row.seconds(4);
    if (!job.start && job.submit && wait) job.start = *job.submit + *wait;
    job.end = row.seconds(5);
    if (!job.end && job.start && length) job.end = *job.start + *length;
    job.size = row.size(6);
    job.walltime = row.seconds(7);
    job.places = row[8];
    if (row[9] == "0" && job.start) job.state = "COMPLETED_FAILED";
    if (row[10] == "REJECTED") job.state = "REJECTED";
    job.user = row[11];
    return job;
  });
}

constexpr std::array<ScheduleFormRecord, 6> kScheduleForms{{
    {"accasim", kSecond, kSecond, is_accasim, read_accasim},
    {"cqsim", kTick, kTick, is_cqsim, read_cqsim},
    {"alea", kSecond / 10, kSecond / 2, is_alea, read_alea},
    {"raps", kSecond, kSecond, is_raps, read_raps},
    {"armada", kSecond, kSecond, is_armada, read_armada},
    {"evalys", kTick, kTick, is_evalys, read_evalys},
}};

}  // namespace

std::span<const ScheduleFormRecord> schedule_forms() { return kScheduleForms; }

ForeignSchedule read_log_as_schedule(const ForeignInput& input) {
  LogOptions options;
  options.name = input.name;
  options.zone = input.zone;
  const auto log = read_log(input.source, "", options, input.budget);
  const auto& workload = log.workload;
  ForeignSchedule schedule;
  schedule.processors = workload.processors.value_or(0);
  schedule.jobs.reserve(workload.jobs.size());
  bool has_start = false;
  // Bounded: the jobs, for which reading charged.
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const auto& job = workload.jobs[i];
    ForeignJob row;
    row.line = workload.lines.empty() ? 0 : workload.lines[i];
    row.id = fmt::format("{}", job.id);
    row.submit = job.submit;
    if (job.walltime_given) row.walltime = job.walltime;
    row.size = job.size;
    if (job.user >= 0) row.user = fmt::format("{}", label_number(job.user));
    const auto wait = workload.recorded.empty() ? kUnknown : workload.recorded[i].wait;
    if (wait >= 0) {
      has_start = true;
      row.start = job.submit + wait;
      row.end = *row.start + job.length;
    }
    schedule.jobs.push_back(std::move(row));
  }
  if (!has_start) {
    refuse_log(input.name, {1, 1},
               "no job has a recorded start: this is no schedule but a workload");
  }
  return schedule;
}

}  // namespace berth::study
