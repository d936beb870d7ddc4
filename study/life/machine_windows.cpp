#include "study/life/machine_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/places.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/hosts/host_ranges.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"

namespace berth::study {

namespace {

constexpr Time kLatestWindow = seconds(100'000'000'000);
constexpr std::string_view kColumnsOfWindows =
    "a file of windows of a pool has name, from, to, processors, announced, users and "
    "at_start; one of windows of hosts has hosts in place of processors";

// The rows of a file of windows.
class WindowReader {
 public:
  WindowReader(const RoomOfWindows& room, TableReader& table, Budget& budget)
      : processors_(room.processors),
        hosts_(room.hosts),
        table_(table),
        budget_(budget) {}

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
    kRoom,  // processors, or hosts
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

  // The hosts of the row, sorted.
  [[nodiscard]] std::vector<std::int32_t> hosts() const {
    std::vector<Interval> parts;
    const auto wrong =
        read_places(table_.text(kRoom), PlaceForm::kSet, std::nullopt, parts);
    if (!wrong.empty()) table_.wrong(kRoom, wrong);
    if (parts.empty()) table_.wrong(kRoom, "it names none");
    const auto count = static_cast<std::int32_t>(hosts_.size());
    if (parts.back().last >= count) {
      table_.wrong(kRoom,
                   fmt::format("{} is not there: the machine has hosts from 0 to {}",
                               parts.back().last, count - 1));
    }
    std::vector<std::int32_t> all;
    for (const auto& part : parts) {
      budget_.charge_each(static_cast<std::size_t>(part.last - part.first) + 1);
      for (auto host = part.first; host <= part.last; ++host) all.push_back(host);
    }
    return all;
  }

  [[nodiscard]] std::int64_t processors_of(
      const std::vector<std::int32_t>& hosts) const {
    std::int64_t sum = 0;
    for (const auto number : hosts) {
      const auto host = hosts_[static_cast<std::size_t>(number)];
      sum += std::int64_t{host.last} - host.first + 1;
    }
    return sum;
  }

  void read_row() {
    budget_.charge_each(rows_.size() + 1);
    auto window_name = name();
    const auto from = time_in(kFrom);
    const auto to = time_in(kTo);
    if (to <= from) table_.wrong(kTo, "it is not later than from");
    auto on = hosts_.empty() ? std::vector<std::int32_t>() : hosts();
    const auto wanted =
        hosts_.empty() ? table_.whole(kRoom, 1, processors_) : processors_of(on);
    rows_.push_back({std::move(window_name), from, to,
                     static_cast<std::int32_t>(wanted), announced(from), users(),
                     hits(), std::move(on)});
    places_.push_back(table_.place(kFrom));
  }

  // Windows that overlap share no user and no host, and have no more than the machine
  // together.
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
      if (&other == &row) continue;
      const auto* shared = have_common(row.users, other.users)   ? "user"
                           : have_common(row.hosts, other.hosts) ? "host"
                                                                 : nullptr;
      if (shared == nullptr) continue;
      table_.wrong(places_[number],
                   fmt::format("it shares a {} with window '{}', which overlaps it",
                               shared, printable(other.name)));
    }
    return together;
  }

  // REQUIRES: both are sorted.
  [[nodiscard]] static bool have_common(const std::vector<std::int32_t>& a,
                                        const std::vector<std::int32_t>& b) {
    return std::any_of(a.begin(), a.end(), [&](std::int32_t each) {
      return std::binary_search(b.begin(), b.end(), each);
    });
  }

  std::int32_t processors_;
  const std::vector<Interval>& hosts_;
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
  const auto& resources = scenario.machine.resources;
  const std::array<std::pair<bool, std::string_view>, 3> others{{
      {!resources.empty() && resources.hosts.empty(),
       "further kinds of resource of a pool: a window is one of hosts, or of a pool of "
       "processors alone"},
      {scenario.run.expectations,
       "run.expectations, which needs a machine that is always whole"},
      {!scenario.workload.departures, "workload.departures = false"},
  }};
  for (const auto& [is_set, other] : others) {
    if (is_set) return fmt::format("machine.windows: it cannot stand beside {}", other);
  }
  return {};
}

std::vector<MachineWindow> read_machine_windows(ByteSource& source,
                                                const std::string& name,
                                                const RoomOfWindows& room,
                                                Budget& budget) {
  TableReader table(name, lines_of(source, name, budget),
                    {{"name"},
                     {"from"},
                     {"to"},
                     {room.hosts.empty() ? "processors" : "hosts"},
                     {"announced", false},
                     {"users", false},
                     {"at_start", false}},
                    kColumnsOfWindows);
  return WindowReader(room, table, budget).read();
}

std::shared_ptr<const std::vector<MachineWindow>> machine_windows(
    const Scenario& scenario, std::int32_t processors, Budget& budget) {
  if (scenario.machine_windows.empty()) return nullptr;
  const auto name = find_input(scenario.machine_windows);
  FileSource file(name);
  GzipSource unpacked(file, name, budget);
  RoomOfWindows room{processors, {}};
  const auto& resources = scenario.machine.resources;
  if (!resources.hosts.empty()) room.hosts = host_ranges(processors, resources);
  return std::make_shared<const std::vector<MachineWindow>>(
      read_machine_windows(unpacked, name, room, budget));
}

}  // namespace berth::study
