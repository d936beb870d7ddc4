// sacct -P: lines of fields that nothing escapes.

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/slurm_record.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth {

namespace {

constexpr std::string_view kSacctLine =
    "sacct -a -D -P -S FROM -E now -o "
    "JobID,JobIDRaw,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,"
    "ElapsedRaw,TimelimitRaw,AllocCPUS,ReqCPUS,NNodes,ReqMem,AllocTRES,ReqTRES,"
    "NodeList";

constexpr std::string_view kParters = "|\x1f\t,;";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// The field with this name of a column; the number of fields: there is none.
std::size_t field_named(std::string_view name) {
  const auto* found =
      std::find_if(kSlurmFieldNames.begin(), kSlurmFieldNames.end(),
                   [&](std::string_view each) { return same_word(each, name); });
  return static_cast<std::size_t>(found - kSlurmFieldNames.begin());
}

bool is_sacct(std::string_view head) {
  auto line = first_line_of(head);
  const auto first = line.find_first_of(kParters);
  if (first == line.npos) return same_word(line, "JobID");
  const char parter = line[first];
  // Bounded: the first line of the head.
  while (!line.empty()) {
    const auto name = cut_off(line, parter);
    if (same_word(name, "JobID") || same_word(name, "JobIDRaw")) return true;
  }
  return false;
}

class SacctReader {
 public:
  SacctReader(ByteSource& source, const LogOptions& options, Budget& budget)
      : options_(options),
        lines_(source, options.name, budget),
        builder_(options, LogBuilder::Clock::kCalendar, budget),
        slurm_(options, builder_) {}

  JobLog read() {
    const auto header = lines_.next();
    header_ = header.value_or("");
    read_header();
    // Bounded: the lines, for which their reader charges.
    while (const auto line = lines_.next()) {
      if (!line->empty() && *line != header_) read_row(*line);
    }
    return slurm_.finish();
  }

 private:
  void read_header() {
    const auto first = header_.find_first_of(kParters);
    if (first != header_.npos) parter_ = header_[first];
    std::string_view rest = header_;
    ends_in_parter_ = rest.ends_with(parter_);
    if (ends_in_parter_) rest.remove_suffix(1);
    std::vector<std::string> unread;
    std::size_t column = 1;
    // Bounded: one line.
    while (!rest.empty()) {
      const auto name = cut_off(rest, parter_);
      const auto field = field_named(name);
      if (std::find(fields_.begin(), fields_.end(), field) != fields_.end() &&
          field < kSlurmFieldNames.size()) {
        refuse_log(options_.name, {1, column},
                   fmt::format("the column {} is there twice", printable(name)));
      }
      if (field == kSlurmFieldNames.size()) unread.push_back(printable(name));
      fields_.push_back(field);
      column += name.size() + 1;
    }
    require();
    builder_.say_unread(unread);
  }

  // Each of these lists has one that is there.
  void require() const {
    using enum SlurmField;
    const std::vector<std::vector<SlurmField>> needed{
        {kJobId, kJobIdRaw},
        {kState},
        {kSubmit},
        {kStart},
        {kElapsedRaw, kElapsed, kEnd},
        {kAllocCpus, kNCpus, kReqCpus, kAllocTres, kReqTres}};
    const auto has = [&](SlurmField field) {
      return std::find(fields_.begin(), fields_.end(),
                       static_cast<std::size_t>(field)) != fields_.end();
    };
    // Bounded: the six lists.
    for (const auto& one_of : needed) {
      if (std::any_of(one_of.begin(), one_of.end(), has)) continue;
      refuse_log(options_.name, {1, 1},
                 fmt::format("no column {}; all are in: {}",
                             kSlurmFieldNames[static_cast<std::size_t>(one_of.front())],
                             kSacctLine));
    }
  }

  void read_row(std::string_view line) {
    SlurmCells cells;
    cells.line = lines_.number();
    auto rest = line;
    if (ends_in_parter_ && rest.ends_with(parter_)) rest.remove_suffix(1);
    std::size_t column = 1;
    std::size_t count = 0;
    // Bounded: one line.
    for (bool has_more = true; has_more; ++count) {
      has_more = rest.find(parter_) != rest.npos;
      const auto text = cut_off(rest, parter_);
      if (count < fields_.size() && fields_[count] < kSlurmFieldNames.size()) {
        cells.set(static_cast<SlurmField>(fields_[count]), text, column);
      }
      column += text.size() + 1;
    }
    const bool ends_alike = line.ends_with(parter_) || !ends_in_parter_;
    if (count == fields_.size() && ends_alike) return slurm_.add(cells);
    refuse_log(options_.name, {cells.line, 1},
               fmt::format("{} fields where the first line has {}; free text is not "
                           "escaped: leave JobName, SubmitLine and Comment out or use "
                           "--delimiter=$'\\x1f'",
                           count, fields_.size()));
  }

  const LogOptions& options_;
  LineReader lines_;
  LogBuilder builder_;
  SlurmReader slurm_;
  std::string header_;
  std::vector<std::size_t> fields_;  // by column of the file
  char parter_ = '|';
  bool ends_in_parter_ = false;
};

JobLog read_sacct(ByteSource& source, const LogOptions& options, Budget& budget) {
  return SacctReader(source, options, budget).read();
}

}  // namespace

extern const FormatRecord kSacctFormat{"sacct", "Slurm: sacct -P", is_sacct,
                                       read_sacct};

}  // namespace berth
