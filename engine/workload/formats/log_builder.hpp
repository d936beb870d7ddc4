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

#include <memory>

#include "engine/workload/formats/log.hpp"
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
};

class LogBuilder {
 public:
  // What the times of the log count from: zero moves to the first submit of calendars.
  enum class Clock : std::uint8_t { kOwn, kCalendar };

  // REQUIRES: the options and the budget outlive this.
  LogBuilder(const LogOptions& options, Clock clock, Budget& budget);
  ~LogBuilder();
  LogBuilder(const LogBuilder&) = delete;
  LogBuilder& operator=(const LogBuilder&) = delete;

  void add(const LogRecord& record);
  // A line that is no record of a job, or a repair of one; `count` of the class at
  // once. Throws Error{kInput} where reading is strict and the class is one that
  // matters.
  void note(std::string_view of_class, const LogPlace& at, std::string_view id,
            std::string_view text, std::int64_t count = 1);
  // What is said before the classes.
  void say(std::string line);
  // An id that no job may get though it has none here.
  void keep_free(std::int64_t number);

  // Two records of one id are an error: each is a job of its own.
  void refuse_repeated_ids();

  // The jobs, in the order (submit, number).  Throws Error{kInput} for two records of
  // one id, submit and start that differ.
  [[nodiscard]] JobLog finish();

 private:
  class Joining;
  std::unique_ptr<Joining> joining_;
};

}  // namespace berth
