#include "engine/workload/formats/log_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/formats/log_builder.hpp"

namespace berth {

namespace {

struct LogClass {
  std::string_view name;
  std::map<std::string, Finding> Workload::*list;
  bool is_strict;  // the first is an error where reading is strict
  std::string_view what{};
};

constexpr auto kLeftOut = &Workload::left_out;
constexpr auto kRepaired = &Workload::repairs;

constexpr std::array<LogClass, 23> kLogClasses{{
    {"no_submit_time", kLeftOut, true, "no submit time"},
    {"no_processor_count", kLeftOut, true, "no processor count"},
    {"no_run_time", kLeftOut, true, "no run time"},
    {"unsupported_profile", kLeftOut, true, "a profile that is no delay"},
    {"still_running", kLeftOut, true, "the job has not ended"},
    {"cancelled_before_start", kLeftOut, false},
    {"still_waiting", kLeftOut, false},
    {"array_parent", kLeftOut, false},
    {"steps", kLeftOut, false},
    {"filtered", kLeftOut, false},
    {"start_before_submit", kRepaired, true, "the start is before the submit"},
    {"local_time_missing", kRepaired, true, "no clock showed this time"},
    {"unknown_state", kRepaired, true, "the state is not known"},
    {"size_from_other", kRepaired, true, "the size is not the chosen one"},
    {"share_rounded", kRepaired, true, "a share counts as a whole"},
    {"partitions_overlap", kRepaired, true, "a host is in several partitions"},
    {"uneven_chunks", kRepaired, true, "the job does not divide by its hosts"},
    {"no_walltime", kRepaired, false},
    {"eligible_after_start", kRepaired, false},
    {"local_time_twice", kRepaired, false},
    {"parts_joined", kRepaired, false},
    {"requeued", kRepaired, false},
    {"repeated", kRepaired, false},
}};

const LogClass& class_named(std::string_view name) {
  const auto* found =
      std::find_if(kLogClasses.begin(), kLogClasses.end(),
                   [&](const LogClass& each) { return each.name == name; });
  BERTH_ASSERT(found != kLogClasses.end());
  return *found;
}

}  // namespace

void refuse_log(std::string_view file, const LogPlace& at, std::string_view what) {
  constexpr std::size_t kMost = 480;
  throw Error(ErrorCode::kInput,
              shortened(fmt::format("{}:{}:{}: {}", printable_name(file), at.line,
                                    at.column, what),
                        kMost));
}

void LogFindings::note(std::string_view of_class, const LogPlace& at,
                       std::string_view id, std::string_view text, std::int64_t count) {
  auto known = found_.find(of_class);
  if (known == found_.end()) {
    const auto& found = class_named(of_class);
    if (options_.strict && found.is_strict) {
      refuse_log(options_.name, at,
                 fmt::format("job {}: {}{}{} (an error because reading is strict)",
                             printable(id), found.what, text.empty() ? "" : ": ",
                             printable(text)));
    }
    known = found_.emplace(found.name, Finding{}).first;
  }
  auto& finding = known->second;
  // The records come in no order of lines.
  if (finding.count == 0 || at.line < finding.first_line) {
    finding.first_line = at.line;
    finding.first_text = text;
  }
  finding.count += count;
  if (!options_.keep_lines) return;
  finding.lines.push_back(at.line);
  list_.push_back({known->first, at.line, static_cast<std::int64_t>(at.column),
                   std::string(id), std::string(text)});
}

void LogFindings::move_to(Workload& workload) {
  for (auto& [name, finding] : found_) {
    std::sort(finding.lines.begin(), finding.lines.end());
    (workload.*class_named(name).list)[std::string(name)] = std::move(finding);
  }
  auto& all = workload.repair_list;
  all.insert(all.end(), std::make_move_iterator(list_.begin()),
             std::make_move_iterator(list_.end()));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.of_class, a.line) < std::tie(b.of_class, b.line);
  });
}

}  // namespace berth
