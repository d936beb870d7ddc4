#include "study/life/host_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/places.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

namespace {

// What is later than that does not happen in a run.
constexpr Time kLatestEvent = seconds(100'000'000'000);

constexpr Duration kUsualRepair = 3'600 * kSecond;

struct EventOfRow {
  HostEvent event;
  TablePlace place;
};

// The rows of a file of events.
class EventReader {
 public:
  // `hosts`: how many there are, each a host or a processor.
  EventReader(const TableColumn& hosts_column, std::int32_t hosts,
              Duration expected_repair, TableReader& table, Budget& budget)
      : word_(hosts_column.name),
        hosts_(hosts),
        expected_repair_(expected_repair),
        table_(table),
        budget_(budget) {}

  std::vector<HostEvent> read() {
    while (table_.next()) read_row();
    budget_.charge_sort(rows_.size());
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const auto& a, const auto& b) { return a.event < b.event; });
    check_turns();
    std::vector<HostEvent> all;
    all.reserve(rows_.size());
    for (const auto& row : rows_) all.push_back(row.event);
    return all;
  }

 private:
  enum EventColumn : std::size_t { kTimeColumn, kEventColumn, kHosts, kUntil };

  [[nodiscard]] Time time_in(EventColumn column) const {
    const auto time = table_.time(column);
    if (time < 0 || time > kLatestEvent) {
      table_.wrong(column, "a time is from 0 to 100000000000 s");
    }
    return time;
  }

  [[nodiscard]] HostEvent::Kind kind() const {
    const auto word = table_.text(kEventColumn);
    if (word == "up") return HostEvent::Kind::kUp;
    if (word == "down") return HostEvent::Kind::kDown;
    if (word == "drain") return HostEvent::Kind::kDrain;
    table_.wrong(
        kEventColumn,
        fmt::format("'{}' is no event of a host: down, drain or up", printable(word)));
  }

  // REQUIRES: the host goes down or drains.
  [[nodiscard]] Time until(Time from) const {
    if (!table_.has(kUntil) || table_.text(kUntil).empty()) {
      return after(from, expected_repair_);
    }
    const auto until = time_in(kUntil);
    if (until <= from) table_.wrong(kUntil, "it is not later than the time of the row");
    return until;
  }

  void read_row() {
    const auto at = time_in(kTimeColumn);
    const auto what = kind();
    const auto back = what == HostEvent::Kind::kUp ? at : until(at);
    std::vector<Interval> parts;
    const auto wrong =
        read_places(table_.text(kHosts), PlaceForm::kSet, std::nullopt, parts);
    if (!wrong.empty()) table_.wrong(kHosts, wrong);
    if (parts.empty()) table_.wrong(kHosts, "it names none");
    if (parts.back().last >= hosts_) {
      table_.wrong(kHosts,
                   fmt::format("{} is not there: the machine has {} from 0 to {}",
                               parts.back().last, word_, hosts_ - 1));
    }
    const auto place = table_.place(kEventColumn);
    for (const auto& part : parts) {
      budget_.charge_each(static_cast<std::size_t>(part.last - part.first) + 1);
      for (auto host = part.first; host <= part.last; ++host) {
        rows_.push_back({{at, what, host, back}, place});
      }
    }
  }

  // A host that is up drains or goes down, one that drains may go down, and both come
  // back.
  void check_turns() const {
    using Kind = HostEvent::Kind;
    std::vector<Kind> states(static_cast<std::size_t>(hosts_));
    for (const auto& row : rows_) {
      const auto& event = row.event;
      auto& state = states[static_cast<std::size_t>(event.host)];
      const auto says = [&](std::string_view what) {
        table_.wrong(row.place, fmt::format("{} {} {} at {} s", word_of_one(),
                                            event.host, what, seconds_text(event.at)));
      };
      if (event.kind == Kind::kUp && state == Kind::kUp) says("is up already");
      if (event.kind == Kind::kDown && state == Kind::kDown) says("is down already");
      if (event.kind == Kind::kDrain && state != Kind::kUp) says("is not up to drain");
      state = event.kind;
    }
  }

  [[nodiscard]] std::string_view word_of_one() const {
    return word_.substr(0, word_.find_last_of('s'));
  }

  std::string_view word_;
  std::int32_t hosts_;
  Duration expected_repair_;
  TableReader& table_;
  Budget& budget_;
  std::vector<EventOfRow> rows_;
};

std::int32_t hosts_in(const sim::Machine& machine, std::int32_t processors) {
  const auto& groups = machine.resources.hosts;
  if (groups.empty()) return processors;
  std::int32_t hosts = 0;
  for (const auto& group : groups) hosts += group.count;
  return hosts;
}

bool has_group(const Scenario& scenario, std::string_view name) {
  const auto& groups = scenario.machine.resources.hosts;
  return std::any_of(groups.begin(), groups.end(),
                     [&](const HostGroup& group) { return group.name == name; });
}

// Says which key of one section is wrong, and why.
std::pair<std::string, std::string> wrong_keys(const FailureKeys& keys,
                                               const std::string& section) {
  if (keys.mtbf) return {};
  const std::array<std::pair<bool, std::string_view>, 4> others{
      {{keys.repair.has_value(), "repair"},
       {keys.shape.has_value(), "shape"},
       {keys.repair_shape.has_value(), "repair_shape"},
       {keys.unit.has_value(), "unit"}}};
  for (const auto& [is_set, name] : others) {
    if (!is_set) continue;
    return {fmt::format("{}.{}", section, name),
            fmt::format("it needs {}.mtbf, without which nothing fails", section)};
  }
  return {};
}

std::pair<std::string, std::string> wrong_failures(const Scenario& scenario) {
  auto wrong = wrong_keys(scenario.failures, "machine.failures");
  if (!wrong.second.empty()) return wrong;
  for (const auto& [name, keys] : scenario.host_failures) {
    const auto section = fmt::format("machine.hosts.{}.failures", name);
    wrong = wrong_keys(keys, section);
    if (!wrong.second.empty()) return wrong;
    if (has_group(scenario, name)) continue;
    return {section + ".mtbf",
            fmt::format("the machine has no hosts called '{}'", printable(name))};
  }
  return {};
}

void add_units(const FailureKeys& keys, std::int32_t first, std::int32_t hosts,
               DrawnFailures& to) {
  if (!keys.mtbf) return;
  to.units.push_back({first, hosts, keys.unit.value_or(1), *keys.mtbf,
                      keys.repair.value_or(kUsualRepair), keys.shape.value_or(1),
                      keys.repair_shape.value_or(1)});
}

}  // namespace

std::pair<std::string, std::string> wrong_events(const Scenario& scenario) {
  const bool has_file = !scenario.machine_events.empty();
  if (auto wrong = wrong_failures(scenario); !wrong.second.empty()) return wrong;
  if (!has_file && !draws_failures(scenario)) return {};
  const std::string key = has_file ? "machine.events" : "machine.failures.mtbf";
  if (has_file && draws_failures(scenario)) {
    return {key, "machine.failures draws when hosts go down; leave one of the two out"};
  }
  if (scenario.machine.sharing != "exclusive") {
    return {key, fmt::format("hosts do not go down on a machine with sharing = \"{}\"; "
                             "\"exclusive\" has them",
                             scenario.machine.sharing)};
  }
  const std::array<std::pair<bool, std::string_view>, 2> others{{
      {scenario.run.expectations,
       "run.expectations, which needs a machine that is always up"},
      {!scenario.workload.departures, "workload.departures = false"},
  }};
  for (const auto& [is_set, other] : others) {
    if (is_set) return {key, fmt::format("it cannot stand beside {}", other)};
  }
  return {};
}

std::pair<std::string_view, std::string> wrong_checkpoints(const Scenario& scenario) {
  if (!scenario.machine.life.has_checkpoints()) {
    const auto& keys = scenario.checkpoints;
    const std::string why = "it needs machine.on_failure = \"resume\"";
    if (keys.every) return {"machine.checkpoint", why};
    if (keys.cost) return {"machine.checkpoint_cost", why};
    if (keys.restart) return {"machine.restart_cost", why};
    return {};
  }
  constexpr std::string_view kResume = "machine.on_failure";
  if (scenario.machine.sharing != "exclusive") {
    return {kResume,
            fmt::format("jobs write no checkpoints on a machine with sharing = \"{}\"; "
                        "\"exclusive\" has them",
                        scenario.machine.sharing)};
  }
  if (scenario.run.expectations) {
    return {kResume,
            "\"resume\" cannot stand beside run.expectations, which needs jobs "
            "that run for their lengths"};
  }
  if (!scenario.workload.departures) {
    return {kResume, "\"resume\" cannot stand beside workload.departures = false"};
  }
  return {};
}

std::vector<HostEvent> read_host_events(ByteSource& source, const std::string& name,
                                        const HostsOfEvents& of, Budget& budget) {
  GzipSource unpacked(source, name, budget);
  const TableColumn hosts{of.are_processors ? "processors" : "hosts"};
  TableReader table(name, lines_of(unpacked, name, budget),
                    {{"time"}, {"event"}, hosts, {"until", false}},
                    of.are_processors
                        ? "a file of events of a pool has time, event, processors "
                          "and until"
                        : "a file of events of hosts has time, event, hosts and until");
  return EventReader(hosts, of.count, of.expected_repair, table, budget).read();
}

std::shared_ptr<const std::vector<HostEvent>> host_events(const Scenario& scenario,
                                                          std::int32_t processors,
                                                          Budget& budget) {
  if (scenario.machine_events.empty()) return nullptr;
  const auto name = find_input(scenario.machine_events);
  FileSource file(name);
  const HostsOfEvents of{scenario.machine.resources.hosts.empty(),
                         hosts_in(scenario.machine, processors),
                         scenario.machine.life.expected_repair};
  return std::make_shared<const std::vector<HostEvent>>(
      read_host_events(file, name, of, budget));
}

bool draws_failures(const Scenario& scenario) {
  const auto draws = [](const auto& each) { return each.second.mtbf.has_value(); };
  const auto& by_group = scenario.host_failures;
  return scenario.failures.mtbf.has_value() ||
         std::any_of(by_group.begin(), by_group.end(), draws);
}

std::shared_ptr<const DrawnFailures> drawn_failures(const Scenario& scenario,
                                                    std::int32_t processors) {
  if (!draws_failures(scenario)) return nullptr;
  DrawnFailures made{static_cast<std::uint64_t>(scenario.seed)};
  const auto& groups = scenario.machine.resources.hosts;
  if (groups.empty()) add_units(scenario.failures, 0, processors, made);
  std::int32_t first = 0;
  for (const auto& group : groups) {
    const auto own = scenario.host_failures.find(group.name);
    const bool has_own = own != scenario.host_failures.end();
    add_units(has_own ? own->second : scenario.failures, first, group.count, made);
    first += group.count;
  }
  return std::make_shared<const DrawnFailures>(std::move(made));
}

}  // namespace berth::study
