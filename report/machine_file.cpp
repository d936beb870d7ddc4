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
  auto parts = Json::array();
  // Bounded: the processors of one window, for which those who ask charge.
  for (const auto& part : span.processors) {
    auto pair = Json::array();
    pair.append(part.first);
    pair.append(part.last);
    parts.append(pair);
  }
  return {{"from", to_seconds(span.from)},
          {"to", span.to == kNever ? Json() : Json(to_seconds(span.to))},
          {"name", span.name},
          {"users", span.users},
          {"processors", parts},
          {"count", span.count}};
}

// A host that was down to the end of the run lasts less than nothing.
class DownColumns {
 public:
  void add(const MachineSpan& span) {
    // Bounded: the processors of one host, for which those who add charge.
    for (const auto& part : span.processors) {
      from_.push_back(span.from);
      lasting_.push_back(span.to == kNever ? -kSecond : span.to - span.from);
      first_.push_back(part.first);
      more_.push_back(part.last - part.first);
    }
  }
  [[nodiscard]] Json json(Blocks& blocks) const {
    return {{"from", blocks.add_times(from_)},
            {"lasting", blocks.add_times(lasting_)},
            {"first", blocks.add(first_)},
            {"more", blocks.add(more_)}};
  }

 private:
  std::vector<std::int64_t> from_;
  std::vector<std::int64_t> lasting_;
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> more_;
};

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
  DownColumns down;
  blocks.budget().charge_each(spans.size());
  for (const auto& span : spans) {
    blocks.budget().charge_each(span.processors.size());
    if (span.is_window) {
      windows.append(window_object(span));
    } else {
      down.add(span);
    }
  }
  return {{"down", down.json(blocks)}, {"windows", windows}};
}

}  // namespace berth::report
