#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/output_file.hpp"
#include "engine/workload/swf_writer.hpp"
#include "study/common/exit_code.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/logs/packed.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/workload_models.hpp"

namespace berth::cli {

namespace {

struct GenerateOptions {
  std::string model;
  std::string file = "-";
  bool force = false;
  // By key of the settings table.
  std::vector<std::pair<std::string, std::string>> settings = {
      {"machine.processors", "128"},
      {"workload.jobs", "10000"},
      {"seed", ""},
      {"workload.load", ""},
      {"workload.variant", ""},
      {"workload.umed", ""},
      {"workload.estimates", ""},
      {"workload.longest_estimate", ""},
  };
};

// "--longest-estimate" of "workload.longest_estimate".
std::string option_of(const std::string& key) {
  auto name = key.substr(key.find('.') + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

study::Scenario scenario_of(const GenerateOptions& options) {
  study::Scenario scenario;
  study::set_option(scenario, "workload.model", options.model, "MODEL");
  for (const auto& [key, value] : options.settings) {
    study::set_option(scenario, key, value, option_of(key));
  }
  return scenario;
}

// The command line, for the header of the file.
SwfHeading heading_of(const GenerateOptions& options) {
  std::string note = "berth generate " + options.model;
  for (const auto& [key, value] : options.settings) {
    if (value.empty()) continue;
    note += fmt::format(" {} {}", option_of(key), value);
  }
  return {"synthetic", {note}};
}

void write(const GenerateOptions& options, const Workload& workload, Sink& sink,
           Budget& budget) {
  study::write_packed(sink, study::compression_of(options.file), [&](Sink& to) {
    write_swf(
        workload, heading_of(options), [&](std::string_view text) { to.write(text); },
        budget);
  });
}

int generate(const GenerateOptions& options, Console& console) {
  if (options.model.empty()) {
    wrong_usage("name a model: berth generate lublin --jobs 1000");
  }
  if (options.force && options.file == "-") wrong_usage("--force needs -o FILE");
  std::optional<OutputFile> file;
  if (options.file != "-") {
    file.emplace(options.file, options.force ? Existing::kReplace : Existing::kRefuse);
  }
  Budget budget;
  auto loaded = study::load_workload(scenario_of(options), {}, budget);
  loaded.workload.processors = loaded.processors;
  if (file) {
    write(options, loaded.workload, *file, budget);
    file->commit();
  } else {
    StreamSink sink(console.out);
    write(options, loaded.workload, sink, budget);
  }
  return study::kDone;
}

}  // namespace

Action declare_generate(Syntax& syntax) {
  auto options = std::make_shared<GenerateOptions>();
  std::string models;
  for (const auto& model : study::workload_models()) {
    models += fmt::format("{}{}", models.empty() ? "" : " | ", model.name);
  }
  syntax.option("MODEL", options->model, models.c_str());
  syntax.option("-o,--output", options->file,
                "file to write, gzip if it ends in .gz; - is stdout (-)");
  syntax.flag("--force", options->force, "replace an existing file");
  auto& settings = options->settings;
  syntax.option("--processors", settings[0].second, "size of the machine (128)");
  syntax.option("--jobs", settings[1].second, "how many jobs (10000)");
  syntax.option("--seed", settings[2].second, "start of the random streams (0)");
  syntax.option("--load", settings[3].second, "offered load, such as 0.8");
  syntax.option("--variant", settings[4].second, "whole | typed | batch | interactive");
  syntax.option("--umed", settings[5].second,
                "log2 of the size between the two stages");
  syntax.option("--estimates", settings[6].second, "exact | factor | tsafrir");
  syntax.option("--longest-estimate", settings[7].second,
                "largest estimate of tsafrir, in seconds (36000)");
  syntax.footer(
      "Example:\n  berth generate lublin --jobs 5000 --processors 320 "
      "--load 0.8 -o work.swf.gz");
  return [options](Console& console) { return generate(*options, console); };
}

}  // namespace berth::cli
