#include <fmt/format.h>

#include <memory>

#include "bindings/sandbox/watchdog.hpp"
#include "cli/command.hpp"
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

int show(const study::PolicyLibrary& library, const std::string& name,
         bool with_parameters, Console& console) {
  study::Scenario scenario;
  scenario.policies.push_back({name, {}, {}});
  const auto policies = study::load_policies(scenario, library, {});
  const auto& entry = *policies.front();
  if (entry.policy == nullptr) {
    console.say(entry.failure.text);
    return entry.failure.code;
  }
  const auto& paper = entry.policy->paper();
  console.out << fmt::format("{:<14} {}\n", entry.label,
                             paper.empty() ? "-" : plain(paper));
  if (with_parameters) show_parameters(*entry.policy, console);
  return study::kDone;
}

// One after the other, so that one policy is in memory at a time.
int list(bool with_parameters, Console& console) {
  const auto watchdog = bindings::shared_watchdog();  // one thread for all policies
  const auto library = study::PolicyLibrary::standard();
  std::vector<int> codes;
  for (const auto& name : library.names()) {
    codes.push_back(show(library, name, with_parameters, console));
  }
  return study::worst_code(codes);
}

}  // namespace

Action declare_policies(Syntax& syntax) {
  auto with_parameters = std::make_shared<bool>(false);
  syntax.flag("--parameters", *with_parameters,
              "with their parameters, as in --policy sjf:block=false");
  return
      [with_parameters](Console& console) { return list(*with_parameters, console); };
}

}  // namespace berth::cli
