#pragma once
// From the records of a log, in any order, to jobs: the one way for all formats in
// which a job may have several records.
//
// Joining      records of one id: those that repeat another are dropped, runs of a job
//              that was queued again are joined or kept (Requeue), then the parts of a
//              heterogeneous job (Heterogeneous)
// Numbers      an id that is a whole number is the number of the job; other ids get the
//              numbers behind the largest whole one in the order (submit, natural order
//              of the text); names get 1, 2, ... by first appearance in the table
// Determinism  the order of the records changes nothing
// Memory       96 bytes a record, the text of ids that are no numbers, an entry for
//              each distinct name, 16 bytes for each amount of a kind

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/workload/formats/log.hpp"
#include "engine/workload/formats/log_classes.hpp"
#include "engine/workload/formats/log_names.hpp"
#include "engine/workload/formats/log_text.hpp"

namespace berth {

struct LogPlace {
  std::int64_t line = 0;
  std::size_t column = 1;
};

// Throws Error{kInput}: "file:line:column: what", below 500 bytes.
[[noreturn]] void refuse_log(std::string_view file, const LogPlace& at,
                             std::string_view what);

// One record.  Texts need to be valid until add() returns.
struct LogRecord {
  LogPlace place{};
  std::string_view id{};  // as the source writes it; empty: the source has no ids
  std::optional<std::int64_t> number{};  // of it; none: the id is no whole number
  // The id of the heterogeneous job that it is a part of, and which part.
  std::optional<std::int64_t> whole{};
  std::int64_t part = 0;

  std::optional<Time> submit{};
  std::optional<Time> eligible{};
  std::optional<Time> start{};
  std::optional<Duration> length{};    // what it ran
  std::optional<Duration> walltime{};  // none was given
  std::int64_t size = 0;               // 0: unknown
  bool size_from_other = false;
  std::int32_t nodes = kUnknown;
  double memory = 0;  // bytes of the whole job; 0: unknown
  std::array<std::string_view, kNameKinds.size()> names{};
  std::vector<KindAmount> kinds{};
  std::int32_t status = kUnknown;
  bool unknown_state = false;
  bool started = true;
  bool ended = true;          // it will not run on
  bool queued_again = false;  // this run ended, and the job waits for another
  bool is_timeout = false;

  // Takes the processors that the job was given, or those that it asked for, as the
  // options choose, as usual the given ones; the other number where it is 0.
  void choose_size(std::int64_t given, std::int64_t asked, const LogOptions& options);
};

class LogBuilder {
 public:
  // What the times of the log count from: zero moves to the first submit of calendars.
  enum class Clock : std::uint8_t { kOwn, kCalendar };

  // REQUIRES: the options and the budget outlive this.
  LogBuilder(const LogOptions& options, Clock clock, Budget& budget)
      : options_(options), clock_(clock), budget_(budget), findings_(options) {}

  // Returns its number: 0, 1, ... in the order of the calls.
  std::uint32_t add(const LogRecord& record);
  // What is known of a record only when all are read: its length, and its status where
  // it has none.  Returns whether it is longer than its walltime.
  bool complete(std::uint32_t record, Duration length, std::int32_t status);
  // The record is of no job, for a reason of this class.
  void leave_out(std::uint32_t record, std::string_view of_class,
                 std::string_view text);
  // Throws Error{kInput} "file:line:column: job ID: what".
  [[noreturn]] void refuse(std::uint32_t record, std::string_view what) const;
  // A line that is no record of a job, or a repair of one; `count` of the class at
  // once. Throws Error{kInput} where reading is strict and the class is one that
  // matters.
  void note(std::string_view of_class, const LogPlace& at, std::string_view id,
            std::string_view text, std::int64_t count = 1) {
    findings_.note(of_class, at, id, text, count);
  }
  // What is said before the classes.
  void say(std::string line) { said_.push_back(std::move(line)); }
  // That these columns are not read; nothing where there are none.
  void say_unread(const std::vector<std::string>& columns);
  // As time_from_log().  A local time that no clock or that two showed is noted, and
  // finish() says that local times were read as UTC where no zone is named.
  [[nodiscard]] TextTime time(std::string_view text, const ZoneRules& zone,
                              const LogPlace& at, std::string_view id);
  // An id that no job may get though it has none here.
  void keep_free(std::int64_t number) { largest_ = std::max(largest_, number); }

  // Two records of one id are an error: each is a job of its own.
  void refuse_repeated_ids() { has_runs_ = false; }

  // The jobs, in the order (submit, number).  Throws Error{kInput} for two records of
  // one id, submit and start that differ.
  [[nodiscard]] JobLog finish();

 private:
  static constexpr Time kNoTime = std::numeric_limits<Time>::min();

  enum RecordFlag : std::uint8_t {
    kStarted = 1,
    kEnded = 2,
    kQueuedAgain = 4,
    kTimeout = 8,
    kFromOther = 16,
    kStateUnknown = 32,
    kLeftOut = 64,
  };

  // What a Job does not hold of a record.  While records are read, the job's length is
  // kUnknown where nothing was measured, and its memory is in bytes of the whole job.
  struct RecordSide {
    Time start = kNoTime;
    Time eligible = kNoTime;
    // Three fields in one word, so that two records fill a cache line.
    std::int64_t line : 41 = 0;
    std::uint64_t column : 16 = 1;
    std::uint64_t flags : 7 = 0;
    std::int32_t nodes = kUnknown;
    std::int16_t status = kUnknown;

    void set_place(const LogPlace& place) {
      constexpr auto kLines = (std::int64_t{1} << 40U) - 1;  // the compiler sees it fit
      constexpr auto kColumns = std::size_t{65'535};
      line = place.line & kLines;
      column = std::min(place.column, kColumns) & kColumns;
    }
  };
  static_assert(sizeof(RecordSide) == 32, "a log holds millions of records");

  struct RecordKind {
    std::uint32_t record;
    std::uint32_t kind;
    std::int64_t amount;
  };

  struct RecordPart {
    std::uint32_t record;
    std::int64_t whole;
    std::int64_t part;
  };

  using Records = std::vector<std::uint32_t>;

  static std::uint8_t flags_of(const LogRecord& record, bool counts_nodes);
  void add_kinds(const LogRecord& record);
  void add_text(const LogRecord& record);
  void join_runs();
  void join_group(const std::uint32_t* first, const std::uint32_t* last);
  Records without_repeated(const std::uint32_t* first, const std::uint32_t* last);
  bool repeats(std::uint32_t a, std::uint32_t b) const;
  void keep_each(const Records& runs);
  void keep_last(const Records& runs);
  void join_parts();
  void join_whole(const RecordPart* first, const RecordPart* last);
  void keep_jobs();
  bool is_job(std::uint32_t at);
  void settle(std::uint32_t at);
  void number_texts();
  void compact(JobLog& log);
  void order(JobLog& log, std::size_t records);
  void fill_names(JobLog& log);
  void fill_kinds(JobLog& log, const std::vector<std::uint32_t>& place_of);

  bool has(std::uint32_t at, RecordFlag flag) const {
    return (sides_[at].flags & flag) != 0;
  }
  LogPlace place(std::uint32_t at) const {
    return {sides_[at].line, static_cast<std::size_t>(sides_[at].column)};
  }
  std::string id_of(std::uint32_t at) const {
    const auto found = texts_.find(at);
    return found != texts_.end() ? found->second : std::to_string(jobs_[at].id);
  }
  void note(std::string_view of_class, std::uint32_t at, std::string_view text = {}) {
    findings_.note(of_class, place(at), id_of(at), text);
  }

  const LogOptions& options_;
  Clock clock_;
  Budget& budget_;
  LogFindings findings_;
  std::vector<std::string> said_;
  std::vector<Job> jobs_;
  std::vector<RecordSide> sides_;
  std::vector<RecordKind> kinds_;
  std::vector<RecordPart> parts_;
  std::unordered_map<std::uint32_t, std::string> texts_;  // ids that are no numbers
  std::unordered_map<std::string, std::int64_t> codes_;   // of the texts, below -1
  LogNames names_;
  std::vector<std::string> kind_names_;
  Records kept_;
  std::int64_t largest_ = 0;
  bool has_ids_ = false;
  bool has_runs_ = true;
  bool has_local_times_ = false;
};

}  // namespace berth
