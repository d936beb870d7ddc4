#include <fmt/format.h>

#include <memory>

#include "bindings/sandbox/watchdog.hpp"
#include "cli/command.hpp"
#include "engine/base/json.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/policies/policy_set.hpp"

namespace berth::cli {

namespace {

std::string value_text(const bindings::ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) {
    return fmt::format("{:g}", *number);
  }
  return std::get<std::string>(value);
}

std::string plain(std::string_view text) { return plain_text(text, Newlines::kEscape); }

void show_parameters(const bindings::LuaPolicy& policy, Console& console) {
  for (const auto& parameter : policy.parameters()) {
    console.out << fmt::format("    {}={}  {}\n", plain(parameter.name),
                               plain(value_text(parameter.value)),
                               plain(parameter.help));
  }
}

Json json_of(const study::LoadedPolicy& entry) {
  auto parameters = Json::array();
  for (const auto& parameter : entry.policy->parameters()) {
    parameters.append({{"name", parameter.name},
                       {"value", value_text(parameter.value)},
                       {"help", parameter.help}});
  }
  return {{"name", entry.label},
          {"paper", entry.policy->paper()},
          {"parameters", parameters}};
}

struct PoliciesOptions {
  bool parameters = false;
  bool json = false;
};

int show(const study::PolicyLibrary& library, const std::string& name,
         const PoliciesOptions& options, Json& list, Console& console) {
  study::Scenario scenario;
  scenario.policies.push_back({name, {}, {}});
  const auto policies = study::load_policies(scenario, library, {});
  const auto& entry = *policies.front();
  if (entry.policy == nullptr) {
    console.say(entry.failure.text);
    return entry.failure.code;
  }
  if (options.json) {
    list.append(json_of(entry));
    return study::kDone;
  }
  const auto& paper = entry.policy->paper();
  console.out << fmt::format("{:<14} {}\n", entry.label,
                             paper.empty() ? "-" : plain(paper));
  if (options.parameters) show_parameters(*entry.policy, console);
  return study::kDone;
}

Json algorithms_json(const ModelRecord& model) {
  auto list = Json::array();
  for (const auto& [name, help, source] : model.algorithms()) {
    list.append({{"name", name}, {"help", help}, {"paper", source}});
  }
  return list;
}

void show_algorithms(const ModelRecord& model, Console& console) {
  console.out << fmt::format(
      "\n{0}s, with machine.sharing = \"{1}\" (--policy easy:{0}=NAME):\n",
      model.own_parameter, model.name);
  for (const auto& [name, help, source] : model.algorithms()) {
    console.out << fmt::format("{:<17} {}: {}\n", name, source, help);
  }
}

// One after the other, so that one policy is in memory at a time.
int list(const PoliciesOptions& options, Console& console) {
  const auto watchdog = bindings::shared_watchdog();  // one thread for all policies
  const auto library = study::PolicyLibrary::standard();
  std::vector<int> codes;
  auto shown = Json::array();
  for (const auto& name : library.names()) {
    codes.push_back(show(library, name, options, shown, console));
  }
  if (options.json) {
    shown.append({{"name", study::Recorded::kName},
                  {"paper", ""},
                  {"parameters", Json::array()}});
    Json json{{"format", 1}, {"policies", shown}};
    for (const auto& model : sharing_models()) {
      if (model.algorithms == nullptr) continue;
      json.add(fmt::format("{}s", model.own_parameter), algorithms_json(model));
    }
    console.out << json.file_text();
  } else {
    console.out << fmt::format("{:<14} {}\n", study::Recorded::kName,
                               "no policy: starts each job when its trace says so");
    for (const auto& model : sharing_models()) {
      if (model.algorithms != nullptr) show_algorithms(model, console);
    }
  }
  return study::worst_code(codes);
}

}  // namespace

Action declare_policies(Syntax& syntax) {
  auto options = std::make_shared<PoliciesOptions>();
  syntax.flag("--parameters", options->parameters,
              "with their parameters, as in --policy sjf:block=false");
  syntax.flag("--json", options->json, "the list with all parameters as JSON");
  return [options](Console& console) { return list(*options, console); };
}

}  // namespace berth::cli
