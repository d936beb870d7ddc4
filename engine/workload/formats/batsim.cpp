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
  // Of profiles that are no delays the jobs are counted by type; null: it is one.
  std::pair<const std::string, std::int64_t>* type = nullptr;
  Duration delay = 0;
  std::int64_t line = 0;  // 0: it is not defined
  bool fails = false;
};

// The profile of a job may stand behind it: its length is told when all is read.
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
    // Gives the memory back, as {} does not.
    profile_numbers_ = decltype(profile_numbers_)();
    std::int64_t outlive = 0;
    // Bounded: the jobs, for which reading charged.
    for (std::uint32_t job = 0; job < profile_of_.size(); ++job) {
      outlive += complete(job, profiles_[profile_of_[job]]) ? 1 : 0;
    }
    profile_of_ = decltype(profile_of_)();
    profiles_ = decltype(profiles_)();
    say(outlive);
    auto log = builder_.finish();
    if (processors_ > 0) {
      log.workload.processors = static_cast<std::int32_t>(processors_);
    }
    return log;
  }

 private:
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
    if (profile.line > 0) {
      refuse_log(options_.name, record.place,
                 fmt::format("the profile {} is also at line {}",
                             printable(record.name), profile.line));
    }
    profile.line = record.place.line;
    const auto type = record.text("type");
    const auto ret = record.text("ret");
    profile.fails = !ret.empty() && ret != "0";
    if (type != "delay" && type != "DelayProfile") {
      profile.type = &*other_types_.try_emplace(std::string(type)).first;
      return;
    }
    const auto delay = record.text("delay");
    profile.delay = time(delay, "delay", record.place);
    if (profile.delay < 0) wrong(record.place, "delay", delay, "time of at least 0");
  }

  void add_job(const JsonRecord& record) {
    LogRecord job;
    job.place = record.place;
    set_id(job, record.text("id"));
    job.submit = time(record.text("subtime"), "subtime", job.place);
    job.size = whole(record.text("res"), "res", job.place);
    const auto walltime = record.text("walltime");
    if (!walltime.empty()) job.walltime = time(walltime, "walltime", job.place);
    read_extra(record, job);
    profile_of_.push_back(number_of_profile(record.text("profile")));
    builder_.add(job);
  }

  void set_id(LogRecord& job, std::string_view id) const {
    if (id.empty()) refuse_log(options_.name, job.place, "the job has no id");
    id.remove_prefix(id.rfind('!') + 1);
    job.id = id;
    const auto [number, fault] = parse_whole(id);
    const bool is_text = fault != NumberFault::kNone || number < 0 || id.front() == '-';
    if (fault == NumberFault::kOutOfRange || (!is_text && number > kLargestId)) {
      wrong(job.place, "id", id, "id of at most 2^53");
    }
    if (!is_text) job.number = number;
  }

  // The columns of the table that Batsim has no key for.
  void read_extra(const JsonRecord& record, LogRecord& job) {
    constexpr std::string_view kPrefix = "extra_data.";
    extra_.values.clear();
    for (const auto& [path, text] : record.fields) {
      if (path.starts_with(kPrefix)) extra_.values[path.substr(kPrefix.size())] = text;
      if (path != "extra_data" || text.empty()) continue;
      TextSource source(text);
      try {
        read_json(source, options_.name, extra_, budget_);
      } catch (const Error&) {
        wrong(job.place, "extra_data", text, "text of a JSON object");
      }
    }
    for (const auto& [key, value] : extra_.values) {
      if (!value.empty()) take_extra(key, value, job);
    }
  }

  // Returns whether the job is longer than its walltime.
  bool complete(std::uint32_t job, const BatsimProfile& profile) {
    if (profile.line == 0) builder_.refuse(job, "its profile is not defined");
    if (profile.type == nullptr) {
      return builder_.complete(job, profile.delay, profile.fails ? 0 : kUnknown);
    }
    ++profile.type->second;
    builder_.leave_out(job, "unsupported_profile", profile.type->first);
    return false;
  }

  void say(std::int64_t outlive) {
    std::string types;
    for (const auto& [type, count] : other_types_) {
      if (count == 0) continue;
      types += fmt::format("{}{} of type {}", types.empty() ? "" : ", ", count, type);
    }
    if (!types.empty()) builder_.say("profiles that are no delays: " + types);
    if (outlive == 0) return;
    builder_.say(
        fmt::format("{} jobs run longer than their walltime, where Batsim "
                    "kills them; machine.overrun = \"kill\" does so here",
                    outlive));
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
  std::vector<std::uint32_t> profile_of_;  // by record
  std::vector<BatsimProfile> profiles_;
  std::unordered_map<std::string, std::uint32_t> profile_numbers_;
  std::map<std::string, std::int64_t> other_types_;
  ExtraData extra_;  // of one job
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
