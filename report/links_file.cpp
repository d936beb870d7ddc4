#include "report/links_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::report {

namespace {

constexpr std::array kLinkKinds{LinkKind::kAfter, LinkKind::kAfterAny,
                                LinkKind::kAfterOk, LinkKind::kAfterNotOk,
                                LinkKind::kWith};

}  // namespace

std::vector<JobLink> read_links_of(const std::string& file, const JobsOfFile& jobs,
                                   Budget& budget) {
  enum LinkColumn : std::size_t { kJobColumn, kKindColumn, kParentColumn };
  std::unordered_map<std::int64_t, std::uint32_t> places;
  budget.charge_each(jobs.jobs.size());
  for (std::uint32_t i = 0; i < jobs.jobs.size(); ++i) {
    places.emplace(jobs.jobs[i].id, i);
  }
  study::FileSource source(file);
  TableReader table(file, lines_of(source, file, budget),
                    {{"job_id"}, {"kind"}, {"parent"}});
  const auto place = [&](LinkColumn column) {
    const auto id = table.whole(column);
    const auto found = places.find(id);
    if (found != places.end()) return found->second;
    table.wrong(column, fmt::format("job {} is not in jobs.csv", id));
  };
  std::vector<JobLink> links;
  // Bounded: the rows, for which the reader of lines charges.
  while (table.next()) {
    const auto kind = link_kind(table.text(kKindColumn));
    if (!kind) {
      table.wrong(kKindColumn, fmt::format("'{}' is no kind of dependency",
                                           printable(table.text(kKindColumn))));
    }
    links.emplace_back(place(kParentColumn), place(kJobColumn), *kind);
  }
  budget.charge_sort(links.size());
  std::sort(links.begin(), links.end(), [](const JobLink& a, const JobLink& b) {
    return std::tuple(a.child, a.parent, a.kind()) <
           std::tuple(b.child, b.parent, b.kind());
  });
  return links;
}

Json link_columns(const std::vector<JobLink>& links, Blocks& blocks) {
  const auto column = [&](auto value) { return blocks.column(links, value); };
  auto kinds = Json::array();
  // Bounded: the five kinds.
  for (const auto each : kLinkKinds) kinds.append(std::string(name(each)));
  return {{"kinds", kinds},
          {"columns", Json{{"child", column([](auto& link) { return link.child; })},
                           {"parent", column([](auto& link) { return link.parent; })},
                           {"kind", column([](auto& link) { return link.kind(); })}}}};
}

}  // namespace berth::report
