// What may stand where the cursor is.  All of it comes from the records of the
// commands, the settings, the metrics, the policies and the policy API.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "bindings/families.hpp"
#include "cli/command.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/policies/policy_set.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLongestJobsFile = 8U << 20U;  // longer: ids are not offered
constexpr std::int64_t kLoadingWork = 10'000'000;  // units that loading a policy takes

// The answer as it is written.
class Offers {
 public:
  Offers(std::string_view typed, std::ostream& out) : typed_(typed), out_(out) {}

  // A word that may stand there: `before` and `text`.
  void word(std::string_view before, std::string_view text, std::string_view help) {
    const auto whole = fmt::format("{}{}", before, text);
    if (text.empty() || !whole.starts_with(typed_)) return;
    constexpr std::size_t kColumns = 72;
    auto line = plain_text(help.substr(0, help.find('\n')), Newlines::kEscape);
    std::replace(line.begin(), line.end(), '\t', ' ');
    out_ << whole << '\t' << shortened(std::move(line), kColumns) << '\n';
    has_words_ = true;
  }
  void files(std::string_view globs = {}) {
    out_ << ":files" << (globs.empty() ? "" : " ") << globs << '\n';
  }
  // The words are not whole: more comes behind them.
  void goes_on() {
    if (has_words_) out_ << ":nospace\n";
  }

 private:
  std::string_view typed_;
  std::ostream& out_;
  bool has_words_ = false;
};

// The word at hand, in parts that are complete and one that is not: "--policy=" and
// "sjf" of "--policy=sjf".  Both are views of one text.
struct TypedWord {
  std::string_view before;
  std::string_view text;

  // What is behind this character of the text.
  [[nodiscard]] TypedWord behind(std::size_t at) const {
    const auto size = before.size() + at + 1;
    return {std::string_view(before.data(), size), text.substr(at + 1)};
  }
  // What is behind the last of these characters; the whole if there is none.
  [[nodiscard]] TypedWord behind_last(char mark) const {
    const auto at = text.rfind(mark);
    return at == std::string_view::npos ? *this : behind(at);
  }
};

// ---- values -----------------------------------------------------------------------

// The words of "processors | nodes (processors)", "slurm: print a script" and "what a
// job takes: processors | nodes": what a help lists as the values there are.
std::vector<std::string_view> listed_values(std::string_view help) {
  constexpr std::string_view kOr = " | ";
  std::vector<std::string_view> values;
  for (auto rest = help;;) {
    const auto end = rest.find(kOr);
    values.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + kOr.size());
  }
  if (values.size() > 1) {
    const auto colon = values.front().rfind(": ");
    if (colon != std::string_view::npos) values.front().remove_prefix(colon + 2);
  } else if (help.find(':') == std::string_view::npos) {
    return {};
  }
  const auto end = values.size() > 1 ? " ;:,(" : ":";
  for (auto& value : values) value = value.substr(0, value.find_first_of(end));
  const bool is_list = std::none_of(
      values.begin(), values.end(),
      [](const auto& value) { return value.find(' ') != std::string_view::npos; });
  return is_list ? values : std::vector<std::string_view>();
}

void values_of_parameter(const bindings::LuaPolicy& policy, std::string_view name,
                         const TypedWord& half, Offers& answer) {
  for (const auto& parameter : policy.parameters()) {
    if (parameter.name != name) continue;
    if (std::holds_alternative<bool>(parameter.value)) {
      answer.word(half.before, "true", parameter.help);
      answer.word(half.before, "false", parameter.help);
    }
    for (const auto& value : parameter.values) {
      answer.word(half.before, value, parameter.help);
    }
  }
  for (const auto& model : sharing_models()) {
    if (model.algorithms == nullptr || model.own_parameter != name) continue;
    for (const auto& algorithm : model.algorithms()) {
      answer.word(half.before, algorithm.name, algorithm.help);
    }
  }
}

void parameters(const std::string& name, const TypedWord& half, Offers& answer) {
  const auto library = study::PolicyLibrary::standard();
  const auto known = library.names();
  // A file of the user's own is not run to learn what it takes.
  if (std::find(known.begin(), known.end(), name) == known.end()) return;
  study::Scenario scenario;
  scenario.policies.push_back({name, {}, {}});
  study::LoadingOptions options;
  options.limits.time_seconds = 0;
  options.limits.work_units = kLoadingWork;
  const auto loaded = study::load_policies(scenario, library, options);
  const auto& policy = loaded.front()->policy;
  if (policy == nullptr) return;
  const auto equals = half.text.find('=');
  if (equals != std::string_view::npos) {
    return values_of_parameter(*policy, half.text.substr(0, equals),
                               half.behind_last('='), answer);
  }
  for (const auto& parameter : policy->parameters()) {
    answer.word(half.before, parameter.name + "=", parameter.help);
  }
  for (const auto& model : sharing_models()) {
    if (model.algorithms == nullptr) continue;
    answer.word(half.before, fmt::format("{}=", model.own_parameter),
                fmt::format("on machines whose sharing is {}", model.name));
  }
  answer.goes_on();
}

void policies(const TypedWord& half, Offers& answer) {
  const auto colon = half.text.find(':');
  if (colon != std::string_view::npos) {
    const auto name = std::string(half.text.substr(0, colon));
    return parameters(name, half.behind(colon).behind_last(','), answer);
  }
  const auto library = study::PolicyLibrary::standard();
  for (const auto& name : library.names()) {
    if (!name.starts_with(half.text)) continue;
    answer.word(half.before, name, first_sentence(library.find({name, {}, {}}).text));
  }
  answer.word(half.before, study::Recorded::kName,
              "starts each job when its trace says");
  answer.files("*.lua");
}

void value_of_key(std::string_view key, const TypedWord& half, Offers& answer) {
  const auto* setting = study::find_setting(key);
  if (setting == nullptr) return;
  if (setting->kind == SettingKind::kFlag) {
    answer.word(half.before, "true", setting->help);
    answer.word(half.before, "false", setting->help);
  }
  for (const auto& choice : setting->choices) {
    answer.word(half.before, choice, setting->help);
  }
  if (setting->kind == SettingKind::kPolicies) policies(half, answer);
  const bool is_file = setting->kind == SettingKind::kInputFile ||
                       setting->kind == SettingKind::kJobValues;
  if (is_file) answer.files();
}

// Of --set and --vary: keys, and behind "=" their values.
void settings(const TypedWord& half, Offers& answer) {
  constexpr std::string_view kOfPolicies = "policies.";
  const auto dot = half.text.find('.', kOfPolicies.size());
  if (half.text.starts_with(kOfPolicies) && dot != std::string_view::npos) {
    const auto name = half.text.substr(kOfPolicies.size(), dot - kOfPolicies.size());
    return parameters(std::string(name), half.behind(dot), answer);
  }
  const auto equals = half.text.find('=');
  if (equals != std::string_view::npos) {
    return value_of_key(half.text.substr(0, equals),
                        half.behind(equals).behind_last(','), answer);
  }
  for (const auto& setting : study::settings()) {
    if (setting.key().find('*') != std::string::npos) continue;
    answer.word(half.before, setting.key() + "=", setting.help);
  }
  for (const auto& name : study::PolicyLibrary::standard().names()) {
    answer.word(half.before, fmt::format("policies.{}.", name), "its parameters");
  }
  answer.goes_on();
}

void metrics(const TypedWord& half, Offers& answer) {
  const auto last = half.behind_last(',');
  for (const auto& record : metric_records()) {
    answer.word(last.before, record.name, record.brief);
  }
}

void api(const TypedWord& half, Offers& answer) {
  for (const auto& name : bindings::api_names()) {
    answer.word(half.before, name.name, name.brief);
  }
}

// The numbers of the jobs of a result.
void jobs(const std::string& folder, const TypedWord& half, Offers& answer) {
  std::error_code failed;
  const auto path = fs::path(folder) / "jobs.csv";
  if (!fs::is_regular_file(path, failed)) return;
  if (fs::file_size(path, failed) > kLongestJobsFile || failed) return;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("job_id,")) return;
  while (std::getline(file, line)) {
    answer.word(half.before, std::string_view(line).substr(0, line.find(',')), "job");
  }
}

// ---- which of them ------------------------------------------------------------------

enum class WordKind : std::uint8_t {
  kListed,  // what the help lists
  kFiles,
  kScenarios,
  kPolicies,
  kSettings,
  kMetrics,
  kApi,
  kResultsAndJobs,
  kJobs
};

// What no record tells: which words are files, and which name one of the records.
struct WordPlace {
  std::string_view command;  // empty: of any command
  std::string_view word;
  WordKind kind;
};
// The first that is right counts.
constexpr std::array kPlaces{
    WordPlace{"", "--policy", WordKind::kPolicies},
    WordPlace{"policies", "NAME", WordKind::kPolicies},
    WordPlace{"", "--set", WordKind::kSettings},
    WordPlace{"", "--vary", WordKind::kSettings},
    WordPlace{"", "--metric", WordKind::kMetrics},
    WordPlace{"api", "NAME", WordKind::kApi},
    WordPlace{"explain", "RUN|JOB", WordKind::kResultsAndJobs},
    WordPlace{"", "--without", WordKind::kJobs},
    WordPlace{"", "SCENARIO", WordKind::kScenarios},
    WordPlace{"", "--scenario", WordKind::kScenarios},
    WordPlace{"shadow", "--from", WordKind::kFiles},
    WordPlace{"report", "--jobs", WordKind::kFiles},
    WordPlace{"claims", "--convert", WordKind::kFiles},
    WordPlace{"", "--trace", WordKind::kFiles},
    WordPlace{"", "--hosts", WordKind::kFiles},
    WordPlace{"", "--schedule", WordKind::kFiles},
    WordPlace{"", "--stretches", WordKind::kFiles},
    WordPlace{"", "--out", WordKind::kFiles},
    WordPlace{"", "--output", WordKind::kFiles},
    WordPlace{"", "--save", WordKind::kFiles},
    WordPlace{"", "--inputs", WordKind::kFiles},
    WordPlace{"", "--tools", WordKind::kFiles},
    WordPlace{"", "--repairs", WordKind::kFiles},
    WordPlace{"", "--legend", WordKind::kFiles},
    WordPlace{"", "--junit", WordKind::kFiles},
    WordPlace{"", "--columns", WordKind::kFiles},
    WordPlace{"", "FILE", WordKind::kFiles},
    WordPlace{"", "FOLDER", WordKind::kFiles},
    WordPlace{"", "DIR", WordKind::kFiles},
    WordPlace{"", "RESULTS", WordKind::kFiles},
    WordPlace{"", "IN", WordKind::kFiles},
    WordPlace{"", "OUT", WordKind::kFiles},
};

WordKind kind_of(const CommandRecord& command, const WordRecord& word) {
  for (const auto& place : kPlaces) {
    const bool is_here = place.command.empty() || place.command == command.name;
    const auto at = std::find(word.names.begin(), word.names.end(), place.word);
    if (is_here && at != word.names.end()) return place.kind;
  }
  return WordKind::kListed;
}

// The command line up to the word at hand.
struct TypedLine {
  CommandRecord command;
  std::vector<std::string> operands;  // before the word at hand
  const WordRecord* asks = nullptr;   // the option whose value the word is
  bool takes_options = true;          // no "--" came before
};

const WordRecord* option_of(const CommandRecord& command, std::string_view name) {
  for (const auto& option : command.options) {
    const auto& names = option.names;
    if (std::find(names.begin(), names.end(), name) != names.end()) return &option;
  }
  return nullptr;
}

TypedLine line_of(CommandRecord command, std::span<const std::string> words) {
  TypedLine line{std::move(command), {}, nullptr, true};
  for (const auto& word : words) {
    if (line.asks != nullptr) {
      line.asks = nullptr;
    } else if (word == "--") {
      line.takes_options = false;
    } else if (!line.takes_options || word.size() < 2 || word[0] != '-') {
      line.operands.push_back(word);
    } else {
      const auto* option = option_of(line.command, word);
      if (option != nullptr && option->has_value) line.asks = option;
    }
  }
  return line;
}

void value(const TypedLine& line, const WordRecord& word, const TypedWord& half,
           Offers& answer) {
  const auto of_run = [&] {
    if (!line.operands.empty()) jobs(line.operands.front(), half, answer);
  };
  switch (kind_of(line.command, word)) {
    case WordKind::kFiles: return answer.files();
    case WordKind::kScenarios: return answer.files("*.toml");
    case WordKind::kPolicies: return policies(half, answer);
    case WordKind::kSettings: return settings(half, answer);
    case WordKind::kMetrics: return metrics(half, answer);
    case WordKind::kApi: return api(half, answer);
    case WordKind::kJobs: return of_run();
    case WordKind::kResultsAndJobs:
      return line.operands.empty() ? answer.files() : of_run();
    case WordKind::kListed: break;
  }
  for (const auto& each : listed_values(word.help)) {
    answer.word(half.before, each, word.help);
  }
}

void operand(const TypedLine& line, const TypedWord& half, Offers& answer) {
  const auto& operands = line.command.operands;
  if (operands.empty()) return;
  // Of some commands the last one may stand there again.
  const auto at = std::min(line.operands.size(), operands.size() - 1);
  value(line, operands[at], half, answer);
}

void word_of(const TypedLine& line, std::string_view typed, Offers& answer) {
  if (line.asks != nullptr)
    return value(line, *line.asks, {typed.substr(0, 0), typed}, answer);
  const auto equals = typed.find('=');
  if (!line.takes_options || !typed.starts_with('-')) {
    return operand(line, {typed.substr(0, 0), typed}, answer);
  }
  if (equals != std::string_view::npos) {
    const auto* option = option_of(line.command, typed.substr(0, equals));
    if (option == nullptr) return;
    return value(line, *option, {typed.substr(0, equals + 1), typed.substr(equals + 1)},
                 answer);
  }
  for (const auto& option : line.command.options) {
    for (const auto& name : option.names) answer.word({}, name, option.help);
  }
}

void command_names(const std::vector<CommandRecord>& commands, Offers& answer) {
  for (const auto& command : commands) answer.word({}, command.name, command.brief);
}

void complete_words(std::span<const std::string> words, std::ostream& out) {
  const auto& typed = words.back();
  const bool is_quoted = typed.starts_with('"') || typed.starts_with('\'');
  const auto word = std::string_view(typed).substr(is_quoted ? 1 : 0);
  Offers answer(word, out);
  const auto commands = command_records();
  const auto before = words.subspan(1, words.size() - 2);
  if (before.empty() || (before.size() == 1 && before.front() == "help")) {
    command_names(commands, answer);
    if (!before.empty()) return;
    answer.word({}, "help", "the help of a command");
    answer.word({}, "--help", "how the program is called");
    answer.word({}, "--version", "which one it is");
    return;
  }
  const auto command =
      std::find_if(commands.begin(), commands.end(),
                   [&](const auto& each) { return each.name == before.front(); });
  if (command != commands.end()) {
    word_of(line_of(*command, before.subspan(1)), word, answer);
  }
}

}  // namespace

void complete(std::span<const std::string> args, Console& console) try {
  const auto words = args.empty() ? args : args.subspan(1);
  const auto number = whole_option("N", args.empty() ? "" : args.front(), 1);
  if (static_cast<std::uint64_t>(number) >= words.size()) return;
  complete_words(words.first(static_cast<std::size_t>(number) + 1), console.out);
} catch (const std::exception&) {
  // A shell shows what is said in the middle of the line that is being typed.
}

}  // namespace berth::cli
