#include "report/loads_file.hpp"

#include <cmath>

#include "engine/base/csv_text.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::report {

Loads read_loads(const std::string& file, Budget& budget) {
  enum LoadColumn : std::size_t { kBegin, kEnd, kGroupName, kRowName, kShare };
  study::FileSource source(file);
  TableReader table(file, lines_of(source, file, budget),
                    {{"from"}, {"to"}, {"group"}, {"row"}, {"share"}});
  constexpr double kScale = 1000.0;
  Loads made;
  std::int64_t row = -1;
  // Bounded: the rows, for which the reader of lines charges.
  while (table.next()) {
    const auto group = read_csv_text(table.text(kGroupName));
    const auto name = read_csv_text(table.text(kRowName));
    if (made.groups.empty() || made.groups.back().name != group) {
      made.groups.push_back({std::string(group), {}});
    }
    auto& rows = made.groups.back().rows;
    if (rows.empty() || rows.back() != name) {
      rows.emplace_back(name);
      ++row;
    }
    const auto share = table.real(kShare);
    if (!(share >= 0 && share <= 1)) table.wrong(kShare, "is no share from 0 to 1");
    const LoadSpan span{row, table.time(kBegin), table.time(kEnd),
                        std::llround(share * kScale)};
    if (span.to < span.from) table.wrong(kEnd, "it ends before it begins");
    made.spans.push_back(span);
  }
  return made;
}

Json load_columns(const Loads& loads, Blocks& blocks) {
  const auto plain = [&](auto value) { return blocks.column(loads.spans, value); };
  const auto times = [&](auto value) { return blocks.times(loads.spans, value); };
  auto groups = Json::array();
  // Bounded: the groups, which were charged for as they were read.
  for (const auto& group : loads.groups) {
    groups.append({{"name", group.name}, {"rows", Json(group.rows)}});
  }
  return {
      {"groups", groups},
      {"columns",
       Json{{"row", plain([](const auto& span) { return span.row; })},
            {"from", times([](const auto& span) { return span.from; })},
            {"lasting", times([](const auto& span) { return span.to - span.from; })},
            {"share", plain([](const auto& span) { return span.share; })}}}};
}

}  // namespace berth::report
