#include "study/life/machine_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"

namespace berth::study {

namespace {

constexpr Time kLatestWindow = seconds(100'000'000'000);
constexpr std::string_view kColumnsOfWindows =
    "a file of windows has name, from, to, processors, announced, users and at_start";

// The rows of a file of windows.
class WindowReader {
 public:
  WindowReader(std::int32_t processors, TableReader& table, Budget& budget)
      : processors_(processors), table_(table), budget_(budget) {}

  std::vector<MachineWindow> read() {
    while (table_.next()) read_row();
    check_together();
    return std::move(rows_);
  }

 private:
  enum WindowColumn : std::size_t {
    kName,
    kFrom,
    kTo,
    kProcessors,
    kAnnounced,
    kUsers,
    kAtStart
  };

  [[nodiscard]] Time time_in(WindowColumn column) const {
    const auto time = table_.time(column);
    if (time < 0 || time > kLatestWindow) {
      table_.wrong(column, "a time is from 0 to 100000000000 s");
    }
    return time;
  }

  [[nodiscard]] std::string name() const {
    std::string name(table_.text(kName));
    if (name.empty()) table_.wrong(kName, "a window needs a name");
    const bool is_twice =
        std::any_of(rows_.begin(), rows_.end(),
                    [&](const MachineWindow& row) { return row.name == name; });
    if (is_twice) {
      table_.wrong(kName, fmt::format("'{}' is a window already", printable(name)));
    }
    return name;
  }

  [[nodiscard]] Time announced(Time from) const {
    if (table_.text(kAnnounced).empty()) return -kNever;
    const auto announced = time_in(kAnnounced);
    if (announced > from) {
      table_.wrong(kAnnounced, "it is announced after it has begun");
    }
    return announced;
  }

  // Numbers with blanks between.
  [[nodiscard]] std::vector<std::int32_t> users() const {
    std::vector<std::int32_t> users;
    const auto text = table_.text(kUsers);
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      if (end > at) users.push_back(user_in(text.substr(at, end - at)));
      at = end + 1;
    }
    std::sort(users.begin(), users.end());
    return users;
  }

  [[nodiscard]] std::int32_t user_in(std::string_view word) const {
    const auto number = parse_whole(word);
    const bool is_number = number.fault == NumberFault::kNone && number.value >= 0 &&
                           number.value <= kLargestLabel;
    if (!is_number) {
      table_.wrong(kUsers, fmt::format("'{}' is no number of a user", printable(word)));
    }
    return label_code(number.value);
  }

  [[nodiscard]] bool hits() const {
    const auto word = table_.text(kAtStart);
    if (word.empty() || word == "wait") return false;
    if (word == "hit") return true;
    table_.wrong(kAtStart,
                 fmt::format("'{}' is neither wait nor hit", printable(word)));
  }

  void read_row() {
    budget_.charge_each(rows_.size() + 1);
    auto window_name = name();
    const auto from = time_in(kFrom);
    const auto to = time_in(kTo);
    if (to <= from) table_.wrong(kTo, "it is not later than from");
    const auto wanted = table_.whole(kProcessors, 1, processors_);
    rows_.push_back({std::move(window_name), from, to,
                     static_cast<std::int32_t>(wanted), announced(from), users(),
                     hits()});
    places_.push_back(table_.place(kFrom));
  }

  // Windows that overlap share no user, and have no more than the machine together.
  void check_together() const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      budget_.charge_each(rows_.size());
      const auto together = processors_at_begin(i);
      if (together <= processors_) continue;
      table_.wrong(places_[i], fmt::format("the windows at that time have {} "
                                           "processors together, the machine has {}",
                                           together, processors_));
    }
  }

  // Of this window and those that have begun by then and last on.
  [[nodiscard]] std::int64_t processors_at_begin(std::size_t number) const {
    const auto& row = rows_[number];
    std::int64_t together = 0;
    for (const auto& other : rows_) {
      if (other.from > row.from || row.from >= other.to) continue;
      together += other.processors;
      if (&other == &row || !have_common_user(row, other)) continue;
      table_.wrong(places_[number],
                   fmt::format("it shares a user with window '{}', which overlaps it",
                               printable(other.name)));
    }
    return together;
  }

  [[nodiscard]] static bool have_common_user(const MachineWindow& a,
                                             const MachineWindow& b) {
    return std::any_of(a.users.begin(), a.users.end(),
                       [&](std::int32_t user) { return b.lets_in(user); });
  }

  std::int32_t processors_;
  TableReader& table_;
  Budget& budget_;
  std::vector<MachineWindow> rows_;
  std::vector<TablePlace> places_;  // of each
};

}  // namespace

std::string wrong_windows(const Scenario& scenario) {
  if (scenario.machine_windows.empty()) return {};
  if (scenario.machine.sharing != "exclusive") {
    return fmt::format(
        "machine.windows: a machine with sharing = \"{}\" has no windows; "
        "\"exclusive\" has them",
        scenario.machine.sharing);
  }
  const std::array<std::pair<bool, std::string_view>, 3> others{{
      {!scenario.machine.resources.empty(),
       "hosts or further kinds of resource: a window is one of a pool of processors"},
      {scenario.run.expectations,
       "run.expectations, which needs a machine that is always whole"},
      {!scenario.workload.departures, "workload.departures = false"},
  }};
  for (const auto& [is_set, other] : others) {
    if (is_set) return fmt::format("machine.windows: it cannot stand beside {}", other);
  }
  return {};
}

std::shared_ptr<const std::vector<MachineWindow>> machine_windows(
    const Scenario& scenario, std::int32_t processors, Budget& budget) {
  if (scenario.machine_windows.empty()) return nullptr;
  const auto name = find_input(scenario.machine_windows);
  FileSource file(name);
  GzipSource unpacked(file, name, budget);
  TableReader table(name, lines_of(unpacked, name, budget),
                    {{"name"},
                     {"from"},
                     {"to"},
                     {"processors"},
                     {"announced", false},
                     {"users", false},
                     {"at_start", false}},
                    kColumnsOfWindows);
  WindowReader reader(processors, table, budget);
  return std::make_shared<const std::vector<MachineWindow>>(reader.read());
}

}  // namespace berth::study
