// Workloads of Batsim 4 and 5: JSON with jobs and their profiles.

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/json_records.hpp"

namespace berth {

namespace {

bool is_batsim(std::string_view head) {
  if (has_top_name(head, "profiles") || has_top_name(head, "nb_res")) return true;
  return has_top_name(head, "jobs") && head.find("\"subtime\"") != head.npos;
}

// The text of a value as a source of bytes.
class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  std::size_t read(char* to, std::size_t capacity) override {
    const auto count = text_.copy(to, capacity);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

// The values of extra_data: those of an object, or of the text of one.
class ExtraData final : public JsonListener {
 public:
  void record(std::string_view, const JsonRecord&) override {}
  void value(std::string_view name, std::string_view text, const LogPlace&) override {
    values[std::string(name)] = text;
  }
  std::map<std::string, std::string, std::less<>> values;
};

struct BatsimProfile {
  bool is_delay = false;
  bool fails = false;
  std::string text;  // the delay, or the type of another profile
  LogPlace place{};
};

// A job waits for its profile, which may stand behind it.
class BatsimReader final : public JsonListener {
 public:
  BatsimReader(const LogOptions& options, Budget& budget)
      : options_(options),
        budget_(budget),
        builder_(options, LogBuilder::Clock::kOwn, budget) {
    builder_.refuse_repeated_ids();
  }

  void value(std::string_view name, std::string_view text,
             const LogPlace& place) override {
    if (name != "nb_res") return;
    processors_ = whole(text, "nb_res", place);
    if (processors_ < 1) wrong(place, "nb_res", text, "number of at least 1");
  }

  void record(std::string_view list, const JsonRecord& record) override {
    if (list == "profiles") add_profile(record);
    if (list == "jobs") add_job(record);
  }

  JobLog finish() {
    // Bounded: the jobs, for which reading charged.
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (const auto* profile = profile_of(jobs_[i])) add(jobs_[i], *profile);
    }
    std::string types;
    for (const auto& [type, count] : other_types_) {
      types += fmt::format("{}{} of type {}", types.empty() ? "" : ", ", count, type);
    }
    if (!types.empty()) builder_.say("profiles that are no delays: " + types);
    if (outlive_ > 0) {
      builder_.say(
          fmt::format("{} jobs run longer than their walltime, where Batsim "
                      "kills them; machine.overrun = \"kill\" does so here",
                      outlive_));
    }
    jobs_ = {};
    auto log = builder_.finish();
    if (processors_ > 0) {
      log.workload.processors = static_cast<std::int32_t>(processors_);
    }
    return log;
  }

 private:
  struct WaitingJob {
    std::int64_t id;
    Time submit;
    Duration walltime;  // kUnknown: none
    std::int32_t size;
    std::uint32_t profile;
    std::uint32_t extra;  // of the texts, from 1; 0: none
    std::uint32_t line;
    std::uint16_t column;
    bool is_text;  // the id is that of texts_[id]
  };

  [[noreturn]] void wrong(const LogPlace& place, std::string_view field,
                          std::string_view text, std::string_view kind) const {
    refuse_log(options_.name, place,
               fmt::format("{}: '{}' is no {}", field, printable(text), kind));
  }
  std::int64_t whole(std::string_view text, std::string_view field,
                     const LogPlace& place) const {
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
    const auto [value, fault] = parse_whole(text);
    if (fault != NumberFault::kNone || value < 0 || value > kMost) {
      wrong(place, field, text, "whole number from 0 to 2147483647");
    }
    return value;
  }
  Time time(std::string_view text, std::string_view field,
            const LogPlace& place) const {
    const auto [value, fault] = parse_seconds(text);
    if (fault != NumberFault::kNone) wrong(place, field, text, "time in seconds");
    return value;
  }

  std::uint32_t number_of_profile(std::string_view name) {
    const auto next = static_cast<std::uint32_t>(profiles_.size());
    const auto [at, is_new] = profile_numbers_.try_emplace(std::string(name), next);
    if (is_new) profiles_.emplace_back();
    return at->second;
  }

  void add_profile(const JsonRecord& record) {
    auto& profile = profiles_[number_of_profile(record.name)];
    if (profile.place.line > 0) {
      refuse_log(options_.name, record.place,
                 fmt::format("the profile {} is also at line {}",
                             printable(record.name), profile.place.line));
    }
    profile.place = record.place;
    const auto type = record.text("type");
    profile.is_delay = type == "delay" || type == "DelayProfile";
    const auto ret = record.text("ret");
    profile.fails = !ret.empty() && ret != "0";
    profile.text = profile.is_delay ? record.text("delay") : type;
    if (!profile.is_delay) return;
    if (time(profile.text, "delay", record.place) < 0) {
      wrong(record.place, "delay", profile.text, "time of at least 0");
    }
  }

  void add_job(const JsonRecord& record) {
    const auto& place = record.place;
    WaitingJob job{};
    job.line = static_cast<std::uint32_t>(place.line);
    job.column =
        static_cast<std::uint16_t>(std::min<std::size_t>(place.column, 65'535));
    auto id = record.text("id");
    if (id.empty()) refuse_log(options_.name, place, "the job has no id");
    id.remove_prefix(id.rfind('!') + 1);
    const auto [number, fault] = parse_whole(id);
    job.is_text = fault != NumberFault::kNone || number < 0 || id.front() == '-';
    if (fault == NumberFault::kOutOfRange || (!job.is_text && number > kLargestId)) {
      wrong(place, "id", id, "id of at most 2^53");
    }
    job.id = job.is_text ? static_cast<std::int64_t>(texts_.size()) : number;
    if (job.is_text) texts_.emplace_back(id);
    job.submit = time(record.text("subtime"), "subtime", place);
    job.size = static_cast<std::int32_t>(whole(record.text("res"), "res", place));
    const auto walltime = record.text("walltime");
    job.walltime = walltime.empty() ? kUnknown : time(walltime, "walltime", place);
    if (job.walltime <= 0) job.walltime = kUnknown;
    job.profile = number_of_profile(record.text("profile"));
    keep_extra(record, job);
    jobs_.push_back(job);
  }

  // For what the table has columns for: of each both lengths, then key and value.
  void keep_extra(const JsonRecord& record, WaitingJob& job) {
    std::string kept;
    const auto keep = [&](std::string_view key, std::string_view value) {
      if (value.empty()) return;
      kept += fmt::format("{}:{}:{}{}", key.size(), value.size(), key, value);
    };
    constexpr std::string_view kPrefix = "extra_data.";
    for (const auto& [path, text] : record.fields) {
      if (path.starts_with(kPrefix)) keep(path.substr(kPrefix.size()), text);
      if (path != "extra_data" || text.empty()) continue;
      ExtraData extra;
      TextSource source(text);
      try {
        read_json(source, options_.name, extra, budget_);
      } catch (const Error&) {
        wrong(record.place, "extra_data", text, "text of a JSON object");
      }
      for (const auto& [key, value] : extra.values) keep(key, value);
    }
    if (kept.empty()) return;
    extras_.push_back(std::move(kept));
    job.extra = static_cast<std::uint32_t>(extras_.size());
  }

  const BatsimProfile* profile_of(const WaitingJob& job) {
    const auto& profile = profiles_[job.profile];
    const LogPlace place{job.line, job.column};
    const auto id = job.is_text ? texts_[static_cast<std::size_t>(job.id)]
                                : fmt::format("{}", job.id);
    if (profile.place.line == 0) {
      refuse_log(options_.name, place,
                 fmt::format("job {}: its profile is not defined", printable(id)));
    }
    if (profile.is_delay) return &profile;
    builder_.note("unsupported_profile", place, id, profile.text);
    if (!job.is_text) builder_.keep_free(job.id);
    ++other_types_[profile.text];
    return nullptr;
  }

  void add(const WaitingJob& job, const BatsimProfile& profile) {
    LogRecord record;
    record.place = {job.line, job.column};
    std::string id;
    if (job.is_text) {
      id = texts_[static_cast<std::size_t>(job.id)];
    } else {
      id = fmt::format("{}", job.id);
      record.number = job.id;
    }
    record.id = id;
    record.submit = job.submit;
    record.length = parse_seconds(profile.text).value;
    if (job.walltime != kUnknown) record.walltime = job.walltime;
    if (record.walltime && *record.length > *record.walltime) ++outlive_;
    record.size = job.size;
    if (profile.fails) record.status = 0;
    if (job.extra > 0) read_extra(extras_[job.extra - 1], record);
    builder_.add(record);
  }

  void read_extra(std::string_view text, LogRecord& record) const {
    // Bounded: what a record holds.
    while (!text.empty()) {
      const auto key = static_cast<std::size_t>(parse_whole(cut_off(text, ':')).value);
      const auto value =
          static_cast<std::size_t>(parse_whole(cut_off(text, ':')).value);
      take_extra(text.substr(0, key), text.substr(key, value), record);
      text.remove_prefix(key + value);
    }
  }

  void take_extra(std::string_view key, std::string_view value,
                  LogRecord& record) const {
    for (std::size_t i = 0; i < kNameKinds.size(); ++i) {
      if (key == kNameKinds[i]) record.names[i] = value;
    }
    const auto number = [&] {
      const auto [parsed, fault] = parse_whole(value);
      const bool is_far = parsed < 0 || parsed > kMostOfKind;
      if (fault != NumberFault::kNone || is_far) {
        wrong(record.place, fmt::format("extra_data: {}", key), value, "whole number");
      }
      return parsed;
    };
    const auto whole_of_job = [&] {
      return static_cast<std::int32_t>(
          whole(value, fmt::format("extra_data: {}", key), record.place));
    };
    if (key == "memory") {
      record.memory =
          static_cast<double>(number()) * 1024 * static_cast<double>(record.size);
    }
    if (key == "status") record.status = whole_of_job();
    if (key == "nodes") record.nodes = whole_of_job();
    if (key == "source_id") record.id = value;
    constexpr std::string_view kPrefix = "resource.";
    if (key.starts_with(kPrefix)) {
      record.kinds.push_back({key.substr(kPrefix.size()), number()});
    }
    if (key == "wait") {
      record.start = *record.submit + time(value, "extra_data: wait", record.place);
    }
  }

  const LogOptions& options_;
  Budget& budget_;
  LogBuilder builder_;
  std::int64_t processors_ = 0;
  std::vector<WaitingJob> jobs_;
  std::vector<std::string> texts_;   // ids that are no numbers
  std::vector<std::string> extras_;  // of jobs that have any
  std::vector<BatsimProfile> profiles_;
  std::unordered_map<std::string, std::uint32_t> profile_numbers_;
  std::map<std::string, std::int64_t> other_types_;
  std::int64_t outlive_ = 0;
};

JobLog read_batsim(ByteSource& source, const LogOptions& options, Budget& budget) {
  BatsimReader reader(options, budget);
  read_json(source, options.name, reader, budget);
  return reader.finish();
}

}  // namespace

extern const FormatRecord kBatsimFormat{"batsim", "Batsim 4 and 5", is_batsim,
                                        read_batsim};

}  // namespace berth
