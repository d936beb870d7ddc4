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
  auto windows = Json::array();
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> lasting;
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> more;
  blocks.budget().charge_each(spans.size());
  for (const auto& span : spans) {
    const auto seconds = [](Time time) {
      return time == kNever ? Json() : Json(to_seconds(time));
    };
    auto parts = Json::array();
    blocks.budget().charge_each(span.processors.size());
    for (const auto& part : span.processors) {
      if (span.is_window) {
        auto pair = Json::array();
        pair.append(part.first);
        pair.append(part.last);
        parts.append(pair);
        continue;
      }
      from.push_back(span.from);
      lasting.push_back(span.to == kNever ? -kSecond : span.to - span.from);
      first.push_back(part.first);
      more.push_back(part.last - part.first);
    }
    if (!span.is_window) continue;
    windows.append(Json{{"from", to_seconds(span.from)},
                        {"to", seconds(span.to)},
                        {"name", span.name},
                        {"users", span.users},
                        {"processors", parts},
                        {"count", span.count}});
  }
  return {{"down", Json{{"from", blocks.add_times(from)},
                        {"lasting", blocks.add_times(lasting)},
                        {"first", blocks.add(first)},
                        {"more", blocks.add(more)}}},
          {"windows", windows}};
}

}  // namespace berth::report
