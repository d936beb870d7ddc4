#include "report/log_file.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "engine/base/printable.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::report {

namespace {

// What the records do to the number of jobs in the queue.
constexpr std::array<std::pair<std::string_view, int>, 6> kQueueSteps{{{"submit", 1},
                                                                       {"return", 1},
                                                                       {"suspend", 1},
                                                                       {"reject", -1},
                                                                       {"start", -1},
                                                                       {"resume", -1}}};

// "pass" of {"at":0,"record":"pass",...}; empty for a line that is no record.
std::string_view record_of(std::string_view line) {
  constexpr std::string_view kMember = "\"record\":\"";
  const auto at = line.find(kMember);
  if (at == std::string_view::npos) return {};
  const auto rest = line.substr(at + kMember.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace

std::vector<PassOfLog> read_passes(const std::string& file, Budget& budget) {
  study::FileSource source(file);
  LineReader lines(source, file, budget);
  std::vector<PassOfLog> passes;
  std::int64_t queue = 0;
  std::int64_t number = 0;
  // Bounded: the lines, for which the reader charges.
  while (const auto line = lines.next()) {
    ++number;
    const auto record = record_of(*line);
    // Bounded: the six records.
    for (const auto& [name, step] : kQueueSteps) queue += name == record ? step : 0;
    if (record != "pass") continue;
    const JsonReader json(fmt::format("{}:{}", printable_name(file), number), *line);
    const auto at = ticks_from_seconds(json.number("at"));
    if (!at) json.fail("at: is no time");
    const PassOfLog pass{*at, json.whole<std::int64_t>("number"), queue};
    const bool is_again = !passes.empty() && passes.back().at == pass.at;
    if (is_again) passes.pop_back();
    passes.push_back(pass);
  }
  return passes;
}

Json pass_columns(const std::vector<PassOfLog>& passes, Blocks& blocks) {
  PassOfLog before;
  const auto steps = [&](auto member) {
    return [&before, member](const PassOfLog& pass) {
      return pass.*member - std::exchange(before.*member, pass.*member);
    };
  };
  return {
      {"at", blocks.times(passes, steps(&PassOfLog::at))},
      {"number", blocks.column(passes, steps(&PassOfLog::number))},
      {"left", blocks.column(passes, [](const PassOfLog& pass) { return pass.left; })}};
}

}  // namespace berth::report
