#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "study/policy_set.hpp"

namespace berth::cli {

namespace {

std::string value_text(const bindings::ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) {
    return fmt::format("{:g}", *number);
  }
  return std::get<std::string>(value);
}

void show_parameters(const bindings::LuaPolicy& policy, Console& console) {
  for (const auto& parameter : policy.parameters()) {
    console.out << fmt::format("    {}={}  {}\n", parameter.name,
                               value_text(parameter.value), parameter.help);
  }
}

int list(bool with_parameters, Console& console) {
  const auto library = study::PolicyLibrary::standard();
  study::Scenario scenario;
  for (const auto& name : library.names()) scenario.policies.push_back({name, {}, {}});
  const auto policies = study::load_policies(scenario, library, {});
  std::vector<int> codes;
  for (const auto& entry : policies) {
    codes.push_back(entry->failure.code);
    if (entry->policy == nullptr) {
      console.err << entry->failure.text << '\n';
      continue;
    }
    const auto& paper = entry->policy->paper();
    console.out << fmt::format("{:<14} {}\n", entry->label,
                               paper.empty() ? "-" : paper);
    if (with_parameters) show_parameters(*entry->policy, console);
  }
  return study::worst_code(codes);
}

}  // namespace

Action declare_policies(CLI::App& command) {
  auto with_parameters = std::make_shared<bool>(false);
  command.add_flag("--parameters", *with_parameters,
                   "with what can be set, as in --policy sjf:block=false");
  return
      [with_parameters](Console& console) { return list(*with_parameters, console); };
}

}  // namespace berth::cli
