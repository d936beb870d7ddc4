#include "report/machine_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/base/csv_text.hpp"
#include "engine/base/places.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::report {

namespace {

enum SpanColumn : std::size_t {
  kWhat,
  kSpanFrom,
  kSpanTo,
  kSpanName,
  kSpanUsers,
  kSpanProcessors,
  kSpanCount
};

MachineSpan read_span(const TableReader& table, std::int32_t processors) {
  const auto what = table.text(kWhat);
  if (what != "down" && what != "window") {
    table.wrong(kWhat, fmt::format("'{}' is neither down nor window", printable(what)));
  }
  MachineSpan span;
  span.is_window = what == "window";
  span.from = table.time(kSpanFrom);
  span.to = table.text(kSpanTo).empty() ? kNever : table.time(kSpanTo);
  if (span.to < span.from) table.wrong(kSpanTo, "it ends before it begins");
  span.name = read_csv_text(table.text(kSpanName));
  span.users = table.text(kSpanUsers);
  const auto wrong = read_places(table.text(kSpanProcessors), PlaceForm::kSet,
                                 std::nullopt, span.processors);
  if (!wrong.empty()) table.wrong(kSpanProcessors, wrong);
  const bool is_beyond =
      !span.processors.empty() && span.processors.back().last >= processors;
  if (is_beyond) {
    table.wrong(kSpanProcessors,
                fmt::format("the machine has processors from 0 to {}", processors - 1));
  }
  span.count = table.whole(kSpanCount, 1, processors);
  return span;
}

Json window_object(const MachineSpan& span) {
  std::vector<std::vector<std::int32_t>> parts;
  // Bounded: the processors of one window, for which those who ask charge.
  for (const auto& part : span.processors) parts.push_back({part.first, part.last});
  return {{"from", to_seconds(span.from)},
          {"to", span.to == kNever ? Json() : Json(to_seconds(span.to))},
          {"name", span.name},
          {"users", span.users},
          {"processors", Json(parts)},
          {"count", span.count}};
}

}  // namespace

std::vector<MachineSpan> read_machine_spans(const std::string& file,
                                            std::int32_t processors, Budget& budget) {
  study::FileSource source(file);
  TableReader table(
      file, lines_of(source, file, budget),
      {{"event"}, {"from"}, {"to"}, {"name"}, {"users"}, {"processors"}, {"count"}});
  std::vector<MachineSpan> all;
  // Bounded: the rows, for which the reader of lines charges.
  while (table.next()) all.push_back(read_span(table, processors));
  return all;
}

Json machine_spans(const std::vector<MachineSpan>& spans, Blocks& blocks) {
  struct Down {
    Time from;
    Duration lasting;  // to the end of the run: less than nothing
    Interval of;
  };
  auto windows = Json::array();
  std::vector<Down> down;
  blocks.budget().charge_each(spans.size());
  for (const auto& span : spans) {
    blocks.budget().charge_each(span.processors.size());
    if (span.is_window) windows.append(window_object(span));
    // Bounded: the processors of one host, which were charged for above.
    for (const auto& part : span.processors) {
      if (span.is_window) break;
      down.push_back(
          {span.from, span.to == kNever ? -kSecond : span.to - span.from, part});
    }
  }
  const auto plain = [&](auto value) { return blocks.column(down, value); };
  const auto times = [&](auto value) { return blocks.times(down, value); };
  return {{"down",
           Json{{"from", times([](auto& one) { return one.from; })},
                {"lasting", times([](auto& one) { return one.lasting; })},
                {"first", plain([](auto& one) { return one.of.first; })},
                {"more", plain([](auto& one) { return one.of.last - one.of.first; })}}},
          {"windows", windows}};
}

}  // namespace berth::report
