#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bindings/machine_calls.hpp"
#include "bindings/sandbox/watchdog.hpp"
#include "cli/command.hpp"
#include "engine/base/json.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/policies/policy_set.hpp"

namespace berth::cli {

namespace {

constexpr auto kRecordedLine = "no policy: starts each job when its trace says so";

std::string value_text(const bindings::ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) {
    return fmt::format("{:g}", *number);
  }
  return std::get<std::string>(value);
}

std::string plain(std::string_view text) { return plain_text(text, Newlines::kEscape); }

// "two_tier (cluster.tiers)": the machines whose calls its files name; without them
// "any".
std::string machine_of(const bindings::LuaPolicy& policy) {
  if (!policy.machine().empty()) return std::string(policy.machine());
  const auto sources = policy.sources();
  const auto names = [&](std::string_view call) {
    return std::any_of(sources.begin(), sources.end(), [&](const auto& source) {
      return source.text.find(call) != std::string::npos;
    });
  };
  std::vector<std::string> found;
  for (const auto& calls : bindings::machine_calls()) {
    for (const auto& family : calls.families) {
      if (!names(family.reach)) continue;
      found.push_back(fmt::format("{} ({})", calls.machine, family.reach));
    }
  }
  if (!found.empty()) return fmt::format("{}", fmt::join(found, " or "));
  return names("cluster.hosts") ? "any with hosts (cluster.hosts)" : "any";
}

std::string line_of(const study::LoadedPolicy& entry) {
  const auto sources = entry.policy->sources();
  return sources.empty() ? std::string() : first_sentence(sources.front().text);
}

std::string parameters_text(const bindings::LuaPolicy& policy) {
  std::string text;
  for (const auto& parameter : policy.parameters()) {
    text += fmt::format("    {}={}  {}\n", plain(parameter.name),
                        plain(value_text(parameter.value)), plain(parameter.help));
  }
  return text;
}

Json json_of(const study::LoadedPolicy& entry, const std::string& file) {
  auto parameters = Json::array();
  for (const auto& parameter : entry.policy->parameters()) {
    parameters.append({{"name", parameter.name},
                       {"value", value_text(parameter.value)},
                       {"help", parameter.help}});
  }
  return {{"name", entry.label},
          {"line", line_of(entry)},
          {"machine", machine_of(*entry.policy)},
          {"paper", entry.policy->paper()},
          {"file", file},
          {"parameters", parameters}};
}

struct PoliciesOptions {
  std::vector<std::string> names;
  bool parameters = false;
  bool json = false;
};

std::string line_in_list(std::string_view name, std::string_view line) {
  return fmt::format("{:<14} {}\n", name, plain(line));
}

// Its line and parameters in the list; all that is known of a policy that was named.
std::string told_of_policy(const study::LoadedPolicy& entry, const std::string& file,
                           const PoliciesOptions& options) {
  const auto& policy = *entry.policy;
  const auto& paper = policy.paper();
  const auto parameters = parameters_text(policy);
  if (options.names.empty()) {
    return line_in_list(entry.label, line_of(entry)) + parameters;
  }
  constexpr std::size_t kColumns = 80;
  const auto line =
      wrapped(fmt::format("{}: {}", entry.label, plain(line_of(entry))), kColumns);
  const auto source = wrapped(
      fmt::format("paper: {}", paper.empty() ? "none" : plain(paper)), kColumns);
  return fmt::format("{}{}machine: {}\nfile: {}\nparameters:\n{}", line, source,
                     machine_of(policy), plain(file),
                     parameters.empty() ? "    none\n" : parameters);
}

int show(const study::PolicyLibrary& library, const std::string& name,
         const PoliciesOptions& options, Json& list, Console& console) {
  const study::PolicyChoice choice{name, {}, {}};
  study::Scenario scenario;
  scenario.policies.push_back(choice);
  const auto policies = study::load_policies(scenario, library, {});
  const auto& entry = *policies.front();
  if (entry.policy == nullptr) {
    console.say(entry.failure.text);
    return entry.failure.code;
  }
  const auto file = library.path_of(choice).string();
  if (options.json) {
    list.append(json_of(entry, file));
  } else {
    console.out << told_of_policy(entry, file, options);
  }
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

// A line each, for which no script runs.
void list_lines(const study::PolicyLibrary& library, Console& console) {
  for (const auto& name : library.names()) {
    console.out << line_in_list(name,
                                first_sentence(library.find({name, {}, {}}).text));
  }
}

// One after the other, so that one policy is in memory at a time.
int list(const PoliciesOptions& options, Console& console) {
  if (options.parameters && !options.names.empty()) {
    wrong_usage("--parameters is of the list: a policy that is named has them anyway");
  }
  const auto library = study::PolicyLibrary::standard();
  std::vector<int> codes;
  auto shown = Json::array();
  const bool is_all = options.names.empty();
  if (is_all && !options.json && !options.parameters) {
    list_lines(library, console);
  } else {
    const auto watchdog = bindings::shared_watchdog();  // one thread for all policies
    for (const auto& name : is_all ? library.names() : options.names) {
      codes.push_back(show(library, name, options, shown, console));
    }
  }
  if (!is_all) {
    if (options.json) {
      console.out << Json{{"format", 1}, {"policies", shown}}.file_text();
    }
    return study::worst_code(codes);
  }
  if (options.json) {
    shown.append({{"name", study::Recorded::kName},
                  {"line", kRecordedLine},
                  {"machine", "any"},
                  {"paper", ""},
                  {"file", ""},
                  {"parameters", Json::array()}});
    Json json{{"format", 1}, {"policies", shown}};
    for (const auto& model : sharing_models()) {
      if (model.algorithms == nullptr) continue;
      json.add(fmt::format("{}s", model.own_parameter), algorithms_json(model));
    }
    console.out << json.file_text();
  } else {
    console.out << line_in_list(study::Recorded::kName, kRecordedLine);
    for (const auto& model : sharing_models()) {
      if (model.algorithms != nullptr) show_algorithms(model, console);
    }
  }
  return study::worst_code(codes);
}

}  // namespace

std::string first_sentence(std::string_view text) {
  std::string comment;
  while (text.starts_with("--")) {
    const auto end = std::min(text.find('\n'), text.size());
    comment += text.substr(2, end - 2);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto begin = std::min(comment.find_first_not_of(' '), comment.size());
  comment.erase(0, begin);
  const auto ends_at = [&](std::size_t dot) {
    const auto next = comment.find_first_not_of(' ', dot + 1);
    return next != std::string::npos && !(comment[next] >= '0' && comment[next] <= '9');
  };
  auto dot = comment.find(". ");
  while (dot != std::string::npos && !ends_at(dot)) dot = comment.find(". ", dot + 1);
  return dot == std::string::npos ? comment : comment.substr(0, dot + 1);
}

Action declare_policies(Syntax& syntax) {
  auto options = std::make_shared<PoliciesOptions>();
  syntax.words("NAME", options->names,
               "built-in policies or files, of which all is told; none: a line each");
  syntax.flag("--parameters", options->parameters,
              "with their parameters, as in --policy sjf:block=false");
  syntax.flag("--json", options->json, "the list with all parameters as JSON");
  return [options](Console& console) { return list(*options, console); };
}

}  // namespace berth::cli
