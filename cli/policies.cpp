#include <fmt/format.h>

#include <memory>

#include "bindings/sandbox/watchdog.hpp"
#include "cli/command.hpp"
#include "engine/base/json.hpp"
#include "engine/machines/network/embed/embedding.hpp"
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

Json embeddings_json() {
  auto list = Json::array();
  for (const auto& record : embeddings()) {
    list.append(
        {{"name", record.name}, {"help", record.help}, {"paper", record.source}});
  }
  return list;
}

void show_embeddings(Console& console) {
  console.out << "\nembeddings, on a network (--policy easy:embedding=NAME):\n";
  for (const auto& record : embeddings()) {
    console.out << fmt::format("{:<17} {}: {}\n", record.name, record.source,
                               record.help);
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
    console.out << Json{{"format", 1},
                        {"policies", shown},
                        {"embeddings", embeddings_json()}}
                       .file_text();
  } else {
    console.out << fmt::format("{:<14} {}\n", study::Recorded::kName,
                               "no policy: starts each job when its trace says so");
    show_embeddings(console);
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
