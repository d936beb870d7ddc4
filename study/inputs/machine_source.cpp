#include "study/inputs/machine_source.hpp"

#include <fmt/format.h>

#include <string>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/workload/gzip_source.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/scenario/named_settings.hpp"

namespace berth::study {

namespace {

// A file that settings name, plain or gzip.
std::string unpacked_text(const std::string& given) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  const auto path = find_input(given);
  Budget budget;
  FileSource file(path);
  GzipSource unpacked(file, path, budget);
  std::string text;
  std::string piece(std::size_t{64} << 10U, '\0');
  while (const auto count = unpacked.read(piece.data(), piece.size())) {
    text.append(piece, 0, count);
    if (text.size() <= kMostBytes) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("{}: holds more than 16 MiB", printable_name(path)));
  }
  return text.erase(0, byte_order_mark(text, path));
}

// What a machine says against the scenario, its own or one of which it has settings.
void check_machines(const Scenario& scenario) {
  const auto& mine = model_of(scenario.machine);
  for (const auto& model : sharing_models()) {
    if (model.wrong == nullptr) continue;
    const auto given = scenario.model_settings.find(model.name);
    const auto* own = given == scenario.model_settings.end() ? nullptr : &given->second;
    const auto wrong = model.wrong(scenario.machine, own, model.name == mine.name);
    if (!wrong.empty()) refuse(scenario, wrong);
  }
}

}  // namespace

[[noreturn]] void refuse(const Scenario& scenario, std::string_view what) {
  const auto place =
      scenario.file.empty() ? std::string() : printable_name(scenario.file) + ": ";
  throw Error(ErrorCode::kInput, place + std::string(what));
}

std::optional<std::int32_t> processors_of_machine(const Scenario& scenario) {
  check_machines(scenario);
  const auto& resources = scenario.machine.resources;
  if (const auto [key, wrong] = wrong_resources(scenario); !wrong.empty()) {
    refuse(scenario, fmt::format("{}: {}", key, wrong));
  }
  const auto& model = model_of(scenario.machine);
  if (!resources.hosts.empty() && !model.counts_hosts) {
    return static_cast<std::int32_t>(processors_of(resources));
  }
  if (model.processors == nullptr) return std::nullopt;
  const auto processors = model.processors(scenario.machine, model_settings(scenario));
  if (scenario.processors && *scenario.processors != processors) {
    refuse(
        scenario,
        fmt::format("machine.processors: {} are given, but [{}] has {} of them; leave "
                    "processors out",
                    *scenario.processors, model.settings().records.front().section,
                    processors));
  }
  return processors;
}

std::any model_settings(const Scenario& scenario) {
  const auto& model = model_of(scenario.machine);
  if (model.settings == nullptr) return {};
  const auto own = scenario.model_settings.find(model.name);
  auto settings =
      own != scenario.model_settings.end() ? own->second : model.settings().defaults;
  if (model.read != nullptr) model.read(settings, unpacked_text);
  return settings;
}

}  // namespace berth::study
