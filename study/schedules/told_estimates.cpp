#include "study/schedules/told_estimates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/base/printable.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

// Member `name` of the line.
Time time_in(const JsonReader& line, std::string_view name) {
  const auto ticks = ticks_from_seconds(line.number(name));
  if (!ticks) line.fail(fmt::format("{}: it is beyond {} s", name, kMaxSeconds));
  return *ticks;
}

}  // namespace

std::vector<audit::ToldEstimate> read_estimates(const std::string& path,
                                                std::span<const Job> jobs,
                                                Budget& budget) {
  budget.charge_each(jobs.size());
  std::unordered_map<std::int64_t, std::uint32_t> places;
  places.reserve(jobs.size());
  for (std::uint32_t i = 0; i < jobs.size(); ++i) places.emplace(jobs[i].id, i);
  FileSource file(path);
  GzipSource unpacked(file, path, budget);
  LineReader lines(unpacked, path, budget);
  std::vector<audit::ToldEstimate> all;
  std::int64_t number = 0;
  while (const auto text = lines.next()) {
    ++number;
    if (text->find("\"record\":\"estimate\"") == std::string_view::npos) continue;
    const JsonReader line(fmt::format("{}:{}", printable_name(path), number), *text);
    const auto place = places.find(line.whole<std::int64_t>("job"));
    if (place == places.end()) line.fail("job: the workload has none of this number");
    all.push_back(
        {JobId{place->second}, time_in(line, "at"), time_in(line, "seconds")});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.job < b.job; });
  return all;
}

}  // namespace berth::study
