#pragma once
// A file with a schedule, of berth or of any other simulator, as a table in CSV with
// the columns of schedule_columns.hpp.
//
// A file that is such a table passes through as it is.  Of any other form
// (schedule_forms.hpp) the table is made: job_id, submission_time, ...; its rows stand
// on the lines of their jobs.
//
// Numbers      an id that is a whole number, behind a "!" or not, is the number of the
//              job; other ids get those of the trace, or the numbers behind the largest
//              in the order (submit, natural order of the text)
// Zero         times that count from 1970 begin at the first submit

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/workload/formats/zone_rules.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/headed_source.hpp"
#include "study/inputs/schedule_reader.hpp"
#include "study/schedules/schedule_forms.hpp"

namespace berth::study {

struct ScheduleReading {
  ScheduleColumns columns{};  // given ones make any file a table
  bool has_columns = false;
  ZoneRules zone{};  // of local times
  // The number of the job of a trace by an id that is none; null: numbers are given.
  NumberOfId number_of{};
};

class ScheduleSource final : public ByteSource {
 public:
  // `stored` is plain or gzip; `name` the file as the user typed it.  Throws
  // Error{kInput}, also for what is no schedule of jobs.
  // REQUIRES: all but the name outlive this.
  ScheduleSource(ByteSource& stored, const std::string& name,
                 const ScheduleReading& reading, Budget& budget);

  std::size_t read(char* to, std::size_t capacity) override;

  [[nodiscard]] const std::string& form() const { return form_; }
  [[nodiscard]] Duration precision() const { return precision_; }
  [[nodiscard]] Duration submit_precision() const { return submit_precision_; }
  // Of the machine; 0: the file does not say.
  [[nodiscard]] std::int32_t processors() const { return foreign_.processors; }
  // How a reader of tables is to read it.
  [[nodiscard]] ScheduleLayout layout() const;

 private:
  void choose(std::string_view head);
  void translate();
  [[nodiscard]] std::optional<std::int64_t> known_number(const ForeignJob& job) const;
  void number_jobs();
  void number_users();
  void move_zero();
  void write_row(const ForeignJob& job);

  std::string name_;
  const ScheduleReading& reading_;
  Budget& budget_;
  GzipSource unpacked_;
  HeadedSource source_;
  std::string form_;
  Duration precision_ = 0;
  Duration submit_precision_ = 0;
  const ScheduleFormRecord* record_ = nullptr;
  bool is_log_ = false;
  ForeignSchedule foreign_;
  std::string text_;       // of rows that were not given yet
  std::size_t given_ = 0;  // bytes of the text
  std::size_t next_ = 0;   // row
  std::int64_t line_ = 0;  // lines that were written
  std::int64_t lines_ahead_ = 0;
};

}  // namespace berth::study
