#include "study/inputs/schedule_table.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "engine/base/printable.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::study {

namespace {

using enum ScheduleColumn::Index;

// Other words say nothing.
constexpr std::array<std::pair<std::string_view, audit::Stated>, 7> kStates{{
    {"COMPLETED_SUCCESSFULLY", audit::Stated::kCompleted},
    {"COMPLETED_WALLTIME_REACHED", audit::Stated::kKilled},
    {"COMPLETED_FAILED", audit::Stated::kStopped},
    {"COMPLETED_KILLED", audit::Stated::kStopped},
    {"COMPLETED_NODE_FAILED", audit::Stated::kHostFailed},
    {"REJECTED", audit::Stated::kRejected},
    {"NOT_FINISHED", audit::Stated::kUnfinished},
}};

constexpr std::array<std::pair<std::string_view, audit::Doing>, 3> kDoings{{
    {"running", audit::Doing::kRunning},
    {"frozen", audit::Doing::kFrozen},
    {"suspended", audit::Doing::kSuspended},
}};

}  // namespace

ScheduleTable::ScheduleTable(ByteSource& source, const std::string& name,
                             Budget& budget, ScheduleLayout layout,
                             std::span<const audit::PlaceColumn> of_machine)
    : TableReader(name, lines_of(source, name, budget),
                  layout.columns.listed(of_machine)),
      layout_(std::move(layout)) {
  for (const auto column : {kJob, kStart, kFinish}) need(column);
}

std::int64_t ScheduleTable::line() const {
  return TableReader::line() - layout_.lines_ahead.value_or(0);
}

void ScheduleTable::wrong(std::size_t column, std::string_view what) const {
  if (!layout_.lines_ahead) TableReader::wrong(column, what);
  TableReader::wrong({line(), 1}, what);
}

void ScheduleTable::need(ScheduleColumn::Index column) const {
  if (!has(column)) wrong({line(), 1}, layout_.columns.missing_text(column, names()));
}

audit::Stated ScheduleTable::stated() const {
  const auto state = text(kState);
  for (const auto& [word, stated] : kStates) {
    if (state == word) return stated;
  }
  return audit::Stated::kNothing;
}

audit::Doing ScheduleTable::doing() const {
  const auto kind = text(kKind);
  for (const auto& [word, doing] : kDoings) {
    if (kind == word) return doing;
  }
  wrong(kKind,
        fmt::format("'{}' is none of running, frozen, suspended", printable(kind)));
}

std::optional<Tier> ScheduleTable::tier() const {
  const auto tier = text(kTier);
  if (tier.empty()) return std::nullopt;
  for (const auto each : {Tier::kForeground, Tier::kBackground}) {
    if (tier == berth::name(each)) return each;
  }
  wrong(kTier,
        fmt::format("'{}' is neither foreground nor background", printable(tier)));
}

void ScheduleTable::read_places(PlaceForm form, std::optional<std::int32_t> below,
                                std::vector<Interval>& to) const {
  const auto wrong_part = berth::read_places(text(kPlaces), form, below, to);
  if (!wrong_part.empty()) wrong(kPlaces, wrong_part);
}

}  // namespace berth::study
