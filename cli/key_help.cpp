#include "cli/key_help.hpp"

#include <fmt/format.h>

#include "engine/metrics/metric_record.hpp"
#include "study/common/exit_code.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::cli {

int show_keys(Console& console) {
  const study::Scenario defaults;
  std::string_view section = "-";
  for (const auto& setting : study::settings()) {
    if (setting.section != section) {
      console.out << (setting.section.empty()
                          ? std::string("at the top of the file\n")
                          : fmt::format("\n[{}]\n", setting.section));
    }
    section = setting.section;
    const auto value = setting.value(defaults);
    console.out << fmt::format("  {:<18} {}\n  {:<18} {}; default {}\n", setting.name,
                               setting.help, "", range_text(setting),
                               value ? text_of(*value) : "open");
  }
  console.out << "\n[policies.NAME]\n  parameters of that policy: `berth policies "
                 "--parameters`\n";
  return study::kDone;
}

int show_metrics(Console& console) {
  for (const auto& record : metric_records()) {
    console.out << fmt::format("{} ({})\n  {}\n  {}\n", record.name, record.unit,
                               record.brief, record.formula);
  }
  return study::kDone;
}

}  // namespace berth::cli
