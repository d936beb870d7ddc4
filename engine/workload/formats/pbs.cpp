// Accounting records of Torque, PBS Pro and OpenPBS: date;kind;id;key=value ...

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth {

namespace {

// MM/DD/YYYY HH:MM:SS;X;
bool is_pbs_line(std::string_view line) {
  constexpr std::string_view kForm = "00/00/0000 00:00:00;A;";
  if (line.size() < kForm.size()) return false;
  // Bounded: the form.
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char c = line[i];
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (kForm[i] == '0' ? !is_digit : kForm[i] == 'A' ? !is_letter : c != kForm[i]) {
      return false;
    }
  }
  return true;
}

bool is_pbs(std::string_view head) { return is_pbs_line(first_line_of(head)); }

// More than a job may have, and few enough to be multiplied and added.
constexpr std::int64_t kMostCount = (std::int64_t{1} << 31U) - 1;
constexpr std::int64_t kMostProcessors = std::int64_t{1} << 40U;

// The sum over "a+b+c" of what a part gives.
template <class Of>
std::int64_t sum_of_parts(std::string_view text, Of of) {
  std::int64_t sum = 0;
  // Bounded: the parts of a value.
  while (!text.empty()) sum = std::min(sum + of(cut_off(text, '+')), kMostProcessors);
  return sum;
}

std::int64_t count_from(std::string_view text) {
  const auto [value, fault] = parse_whole(text);
  return fault == NumberFault::kNone && value >= 0 ? std::min(value, kMostCount) : 0;
}

// Of "N:key=a:other=b" the value of a key; 0: it is not there.
std::int64_t part_of_chunk(std::string_view chunk, std::string_view key) {
  // Bounded: the parts of a value.
  while (!chunk.empty()) {
    auto entry = cut_off(chunk, ':');
    if (cut_off(entry, '=') == key) return count_from(entry);
  }
  return 0;
}

// How many chunks, hosts or the like "4:ppn=2" and "name:ppn=2" begin with.
std::int64_t chunks_of(std::string_view part) {
  const auto first = cut_off(part, ':');
  const bool is_count =
      !first.empty() && first.find_first_not_of("0123456789") == first.npos;
  return is_count ? count_from(first) : 1;
}

// Processors of "host/0", "host/0*4", "host/0-3" and "host/0,2-5".
std::int64_t processors_of_entry(std::string_view entry) {
  entry.remove_prefix(std::min(entry.find('/') + 1, entry.size()));
  const auto star = entry.find('*');
  if (star != entry.npos) return count_from(entry.substr(star + 1));
  return std::max<std::int64_t>(1, count_of_list(entry));
}

struct PbsFields {
  std::unordered_map<std::string_view, std::string_view> values;

  [[nodiscard]] std::string_view operator[](std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::string_view() : found->second;
  }
  [[nodiscard]] std::string_view first(
      std::initializer_list<std::string_view> keys) const {
    // Bounded: the keys that the source text lists.
    for (const auto key : keys) {
      if (const auto value = (*this)[key]; !value.empty()) return value;
    }
    return {};
  }
};

// What is known of a job that no E or R has told of yet.
struct OpenJob {
  LogPlace place{};
  std::optional<Time> queued{};   // the stamp of Q
  std::optional<Time> started{};  // of S
  std::optional<Time> submit{};   // of a run that R ended, or ctime
  bool runs_again = false;
  bool was_deleted = false;
};

class PbsReader {
 public:
  PbsReader(ByteSource& source, const LogOptions& options, Budget& budget)
      : options_(options),
        lines_(source, options.name, budget),
        builder_(options, LogBuilder::Clock::kCalendar, budget) {}

  JobLog read() {
    // Bounded: the lines, for which their reader charges.
    while (const auto line = lines_.next()) {
      if (!line->empty()) read_line(*line);
    }
    // Bounded: the jobs that the lines told of.
    for (const auto& [id, open] : open_) add_open(id, open);
    say();
    return builder_.finish();
  }

 private:
  [[noreturn]] void refuse(std::size_t column, std::string_view what) const {
    refuse_log(options_.name, {lines_.number(), column}, what);
  }

  void read_line(std::string_view line) {
    if (!is_pbs_line(line)) refuse(1, "the line has no MM/DD/YYYY HH:MM:SS;X;ID;");
    constexpr std::size_t kIdAt = 22;
    const char kind = line[20];
    constexpr std::string_view kRead = "QSERDA";
    if (kRead.find(kind) == kRead.npos) {
      ++ignored_[kind];
      return;
    }
    auto rest = line.substr(kIdAt);
    const auto text = cut_off(rest, ';');
    const auto id = id_of(text);
    if (id.empty()) refuse(kIdAt + 1, "the record has no id");
    if (id.ends_with("[]")) {
      if (kind == 'E') {
        builder_.note("array_parent", {lines_.number(), kIdAt + 1}, id, {});
      }
      return;
    }
    keep_stamp(line);
    read_record(kind, id, fields_of(rest));
  }

  // Without the server, of which one is usual, and with brackets for a part of an
  // array.
  std::string id_of(std::string_view text) {
    auto server = text;
    auto id = std::string(cut_off(server, '.'));
    if (server_.empty()) server_ = server;
    if (server != server_) return std::string(text);
    const auto dash = id.find('-');
    if (dash != id.npos)
      id = fmt::format("{}[{}]", id.substr(0, dash), id.substr(dash + 1));
    return id;
  }

  // Keeps the time that the line begins with; stamp() reads it where it counts.
  void keep_stamp(std::string_view line) {
    stamp_ = fmt::format("{}-{}-{}T{}", line.substr(6, 4), line.substr(0, 2),
                         line.substr(3, 2), line.substr(11, 8));
    if (time_from_log(stamp_, options_.zone).has_value()) return;
    refuse(1, fmt::format("'{}' is no time", printable(line.substr(0, 19))));
  }

  Time stamp(std::string_view id) {
    return builder_.time(stamp_, options_.zone, {lines_.number(), 1}, id).time;
  }

  // key=value with blanks between; a value with blanks is in double quotes.
  PbsFields fields_of(std::string_view text) {
    PbsFields fields;
    // Bounded: one line.
    while (true) {
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
      if (text.empty()) return fields;
      const auto equals = std::min(text.find('='), text.size());
      const auto key = text.substr(0, equals);
      text.remove_prefix(std::min(equals + 1, text.size()));
      std::string_view value;
      if (text.starts_with('"')) {
        text.remove_prefix(1);
        value = cut_off(text, '"');
      } else {
        value = cut_off(text, ' ');
      }
      fields.values.insert_or_assign(key, value);
    }
  }

  std::optional<Time> time(const PbsFields& fields, std::string_view key) const {
    const auto text = fields[key];
    const auto found = time_from_log(text, options_.zone);
    if (found.is_wrong()) {
      refuse(1, fmt::format("{}: '{}' is no time", key, printable(text)));
    }
    return found.has_value() ? std::optional(found.time) : std::nullopt;
  }

  Time time_or_stamp(const PbsFields& fields, std::string_view key,
                     std::string_view id) {
    const auto told = time(fields, key);
    return told ? *told : stamp(id);
  }

  void read_record(char kind, const std::string& id, const PbsFields& fields) {
    auto& open = open_.try_emplace(id).first->second;
    if (open.place.line == 0) open.place = {lines_.number(), 23};
    if (kind == 'Q' && !open.queued) open.queued = stamp(id);
    if (kind == 'S') open.started = time_or_stamp(fields, "start", id);
    if (kind == 'D' || kind == 'A') open.was_deleted = true;
    if (kind == 'E' || kind == 'R') return add_run(kind, id, fields, open);
  }

  void add_run(char kind, const std::string& id, const PbsFields& fields,
               OpenJob& open) {
    LogRecord record;
    record.place = {lines_.number(), 23};
    set_id(record, id);
    const auto created = time(fields, "ctime");
    const auto queued = created ? created : time(fields, "qtime");
    record.submit = open.runs_again ? open.submit : queued ? queued : open.queued;
    record.eligible = time(fields, "etime");
    record.start = time(fields, "start");
    if (!record.start) record.start = open.started;
    record.started = record.start.has_value();
    const auto end = time_or_stamp(fields, "end", id);
    if (record.start) record.length = end - *record.start;
    if (open.runs_again) record.eligible.reset();
    set_status(kind, fields, record, open.was_deleted);
    set_amounts(fields, record);
    const auto limit = duration_from_log(fields["Resource_List.walltime"]);
    if (limit.is_wrong()) {
      refuse(1, fmt::format("Resource_List.walltime: '{}' is no duration",
                            printable(fields["Resource_List.walltime"])));
    }
    if (limit.has_value()) record.walltime = limit.time;
    record.names = {fields["user"],
                    fields.first({"account", "group"}),
                    fields["jobname"],
                    fields["queue"],
                    {}};
    builder_.add(record);
    if (kind == 'E') {
      open_.erase(id);
      return;
    }
    open = {record.place, {}, {}, end, true, false};
  }

  void set_id(LogRecord& record, std::string_view id) {
    record.id = id;
    const bool is_number = id.find_first_not_of("0123456789") == id.npos;
    if (!is_number) return;
    const auto [number, fault] = parse_whole(id);
    if (fault != NumberFault::kNone || number > kLargestId) {
      refuse(23, fmt::format("the id {} is beyond 2^53", printable(id)));
    }
    record.number = number;
  }

  static void set_status(char kind, const PbsFields& fields, LogRecord& record,
                         bool was_deleted) {
    constexpr std::string_view kKilled = "271";  // 256 and SIGTERM
    const auto status = fields["Exit_status"];
    record.queued_again = kind == 'R';
    if (status == "0") record.status = 1;
    if (!status.empty() && status != "0") record.status = status == kKilled ? 5 : 0;
    if (was_deleted && status != "0") record.status = 5;
    if (kind == 'R') record.status = 0;
  }

  void set_amounts(const PbsFields& fields, LogRecord& record) {
    record.choose_size(allocated_size(fields), requested_size(fields), options_);
    record.nodes = static_cast<std::int32_t>(std::min<std::int64_t>(
        nodes_of(fields), std::numeric_limits<std::int32_t>::max()));
    const auto of_job = memory(fields, "Resource_List.mem");
    record.memory = of_job > 0 ? of_job
                               : memory(fields, "Resource_List.pmem") *
                                     static_cast<double>(record.size);
    record.kinds.push_back({"gpu", gpus_of(fields)});
  }

  double memory(const PbsFields& fields, std::string_view key) const {
    const auto found = memory_from_log(fields[key], 1);
    if (found.is_wrong) {
      refuse(1, fmt::format("{}: '{}' is no amount of memory", key,
                            printable(fields[key])));
    }
    return found.bytes;
  }

  static std::int64_t allocated_size(const PbsFields& fields) {
    std::string plain(fields["exec_vnode"]);
    std::erase_if(plain, [](char c) { return c == '(' || c == ')'; });
    const auto of_vnodes = sum_of_parts(
        plain, [](std::string_view part) { return part_of_chunk(part, "ncpus"); });
    if (of_vnodes > 0) return of_vnodes;
    if (const auto count = count_from(fields["total_execution_slots"]); count > 0) {
      return count;
    }
    return sum_of_parts(fields["exec_host"], processors_of_entry);
  }

  static std::int64_t requested_size(const PbsFields& fields) {
    const auto chunks = [](std::string_view key) {
      return [key](std::string_view part) {
        return chunks_of(part) * std::max<std::int64_t>(1, part_of_chunk(part, key));
      };
    };
    const auto select = sum_of_parts(fields["Resource_List.select"], chunks("ncpus"));
    if (select > 0) return select;
    const auto nodes = sum_of_parts(fields["Resource_List.nodes"], chunks("ppn"));
    if (nodes > 0) return nodes;
    return count_from(fields.first({"Resource_List.ncpus", "Resource_List.procs"}));
  }

  static std::int64_t gpus_of(const PbsFields& fields) {
    const auto whole = count_from(fields["Resource_List.ngpus"]);
    if (whole > 0) return whole;
    const auto of = [&](std::string_view list, std::string_view key) {
      return sum_of_parts(fields[list], [&](std::string_view part) {
        return chunks_of(part) * part_of_chunk(part, key);
      });
    };
    const auto select = of("Resource_List.select", "ngpus");
    return select > 0 ? select : of("Resource_List.nodes", "gpus");
  }

  static std::int64_t nodes_of(const PbsFields& fields) {
    std::unordered_set<std::string_view> hosts;
    auto list = fields["exec_host"];
    // Bounded: the parts of a value.
    while (!list.empty()) {
      auto entry = cut_off(list, '+');
      hosts.insert(cut_off(entry, '/'));
    }
    if (!hosts.empty()) return std::ssize(hosts);
    const auto count =
        count_from(fields.first({"unique_node_count", "Resource_List.nodect"}));
    return count > 0 ? count : kUnknown;
  }

  // A job that no E ended.
  void add_open(const std::string& id, const OpenJob& open) {
    if (open.runs_again && !open.started && !open.was_deleted) return;
    LogRecord record;
    record.place = open.place;
    set_id(record, id);
    record.submit = open.runs_again ? open.submit : open.queued;
    record.start = open.started;
    record.started = open.started.has_value();
    record.ended = open.was_deleted && !record.started;
    builder_.add(record);
  }

  void say() {
    std::string text;
    // Bounded: the letters.
    for (const auto& [kind, count] : ignored_) {
      text += fmt::format("{}{} of kind {}", text.empty() ? "" : ", ", count, kind);
    }
    if (!text.empty()) builder_.say("records that are not read: " + text);
  }

  const LogOptions& options_;
  LineReader lines_;
  LogBuilder builder_;
  std::map<std::string, OpenJob> open_;  // by id
  std::map<char, std::int64_t> ignored_;
  std::string server_;
  std::string stamp_;  // of the present line
};

JobLog read_pbs(ByteSource& source, const LogOptions& options, Budget& budget) {
  return PbsReader(source, options, budget).read();
}

}  // namespace

extern const FormatRecord kPbsFormat{"pbs", "Torque, PBS Pro, OpenPBS", is_pbs,
                                     read_pbs};

}  // namespace berth
