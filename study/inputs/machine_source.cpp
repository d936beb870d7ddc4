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
#include "study/hosts/host_formats.hpp"
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

// The settings of a model as the scenario gives them, no file of theirs read; empty: it
// gives none.
std::any given_settings(const Scenario& scenario, const ModelRecord& model) {
  const auto given = scenario.model_settings.find(model.name);
  auto own = given == scenario.model_settings.end() ? std::any() : given->second;
  const bool is_mine = model.name == model_of(scenario.machine).name;
  const bool takes_file = is_mine && model.use_hosts_file != nullptr;
  if (!takes_file || scenario.hosts.file.empty()) return own;
  if (!own.has_value()) own = model.settings().defaults;
  model.use_hosts_file(own, scenario.hosts.file);
  return own;
}

// What a machine says against the scenario, its own or one of which it has settings.
void check_machines(const Scenario& scenario) {
  const auto& mine = model_of(scenario.machine);
  for (const auto& model : sharing_models()) {
    if (model.wrong == nullptr) continue;
    const auto own = given_settings(scenario, model);
    const auto wrong = model.wrong(scenario.machine, own.has_value() ? &own : nullptr,
                                   model.name == mine.name);
    if (!wrong.empty()) refuse(scenario, wrong);
  }
}

// Whether a list of hosts is to be read that makes the groups of the machine.
bool names_list(const Scenario& scenario) {
  return !scenario.hosts.file.empty() && !scenario.hosts.are_read &&
         model_of(scenario.machine).use_hosts_file == nullptr;
}

}  // namespace

[[noreturn]] void refuse(const Scenario& scenario, std::string_view what) {
  const auto place =
      scenario.file.empty() ? std::string() : printable_name(scenario.file) + ": ";
  throw Error(ErrorCode::kInput, place + std::string(what));
}

void refuse_key(const Scenario& scenario, std::string_view key, std::string_view what) {
  const auto text = fmt::format("{}: {}", key, what);
  const auto found = scenario.places.find(key);
  if (found == scenario.places.end()) refuse(scenario, text);
  throw Error(ErrorCode::kInput, found->second + text);
}

HostMachine hosts_of_file(const Scenario& scenario, bool strict, Budget& budget) {
  if (!names_list(scenario)) return {};
  if (const auto [key, wrong] = wrong_resources(scenario); !wrong.empty()) {
    refuse(scenario, fmt::format("{}: {}", key, wrong));
  }
  return machine_of(read_hosts_file(scenario.hosts.file, budget),
                    {scenario.hosts.states, strict}, budget);
}

void use_hosts(Scenario& scenario, const HostMachine& hosts) {
  if (!names_list(scenario)) return;
  scenario.machine.resources.hosts = hosts.groups;
  if (hosts.processors) scenario.processors = hosts.processors;
  scenario.hosts.partitions = hosts.partitions;
  scenario.hosts.are_read = true;
}

std::vector<std::string> take_hosts(Scenario& scenario, bool strict, Budget& budget) {
  const auto hosts = hosts_of_file(scenario, strict, budget);
  use_hosts(scenario, hosts);
  return hosts.said;
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
  auto settings = given_settings(scenario, model);
  if (!settings.has_value()) settings = model.settings().defaults;
  if (model.read != nullptr) model.read(settings, unpacked_text);
  return settings;
}

}  // namespace berth::study
