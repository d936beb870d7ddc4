// The only file that includes CLI11, which takes long to compile.
#include "cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/version.hpp"

namespace berth::cli {

void Syntax::option(const char* names, std::string& value, const char* help) {
  if (*names != '-') operands_.push_back({&value, nullptr});
  command_.add_option(names, value, help);
}

void Syntax::repeated(const char* names, std::vector<std::string>& values,
                      const char* help) {
  command_.add_option(names, values, help)->allow_extra_args(false);
}

void Syntax::words(const char* name, std::vector<std::string>& values,
                   const char* help) {
  operands_.push_back({nullptr, &values});
  command_.add_option(name, values, help);
}

void Syntax::flag(const char* names, bool& value, const char* help) {
  command_.add_flag(names, value, help);
}

void Syntax::flag(const char* names, std::string& value, const char* help) {
  command_.add_flag(names, value, help);
}

void Syntax::footer(const char* text) { command_.footer(text); }

namespace {

constexpr auto kFooter =
    "Start here:\n"
    "  berth run --trace FILE.swf.gz --policy easy --policy fcfs\n"
    "  berth new policy mine && berth run mine.toml\n"
    "  berth init gpu && berth run gpu/gpu.toml\n"
    "  berth policies\n"
    "\n"
    "Exit status: 0 done, 1 an audit failed, 2 wrong usage, 3 an input file is wrong,\n"
    "4 a policy is wrong, 5 time or work limit, 6 memory limit, 7 hard stop, 8 output\n"
    "could not be written, 70 internal error, 130 interrupted.";

WordRecord word_record(const CLI::Option& option) {
  WordRecord record{{}, option.get_description(), option.get_items_expected_min() > 0};
  if (option.get_positional()) record.names.push_back(option.get_name());
  for (const auto& name : option.get_lnames()) record.names.push_back("--" + name);
  for (const auto& name : option.get_snames()) record.names.push_back("-" + name);
  return record;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    if (option->get_positional()) continue;
    const auto record = word_record(*option);
    names.insert(names.end(), record.names.begin(), record.names.end());
  }
  return names;
}

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return did_you_mean(word, views);
}

// An option, or several of one letter; "-" is a file and "-1" a number.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

void refuse_options(const CLI::App& command) {
  const auto extras = command.remaining();
  const auto option = std::find_if(extras.begin(), extras.end(), is_option);
  if (option == extras.end()) return;
  const auto name = option->substr(0, option->find('='));
  wrong_usage(fmt::format("there is no option '{}'{}", printable(name),
                          hint(name, option_names(command))));
}

// The words behind the name of a command.
struct Words {
  std::vector<std::string> options;  // with their values
  std::vector<std::string> operands;
};

// Behind "--" all words are operands.  The value of an option may be any word.  The
// library that reads the options would take an empty value for none.
Words words_of(const CLI::App& command, std::span<const std::string> words) {
  Words found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "--") {
      const auto behind = words.subspan(i + 1);
      found.operands.insert(found.operands.end(), behind.begin(), behind.end());
      break;
    }
    if (!is_option(word)) {
      found.operands.push_back(word);
      continue;
    }
    found.options.push_back(word);
    const auto* option = command.get_option_no_throw(word);
    const bool has_value = option != nullptr && option->get_items_expected_min() > 0;
    const bool has_next = has_value && i + 1 < words.size();
    if (has_next) found.options.push_back(words[++i]);
    if ((has_next && words[i].empty()) || (!has_next && word.ends_with('='))) {
      wrong_usage(fmt::format("{}: its value is empty",
                              printable(word.substr(0, word.find('=')))));
    }
  }
  return found;
}

void give(const std::vector<std::string>& words, const std::vector<Operand>& operands) {
  std::size_t next = 0;
  for (const auto& word : words) {
    if (word.empty()) wrong_usage("an argument is empty");
    if (next == operands.size()) {
      wrong_usage(fmt::format("unexpected argument '{}'", printable(word)));
    }
    const auto& operand = operands[next];
    if (operand.many != nullptr) {
      operand.many->push_back(word);
    } else {
      *operand.one = word;
      ++next;
    }
  }
}

[[noreturn]] void refuse_command(const CLI::App& app, const std::string& word) {
  if (is_option(word)) refuse_options(app);
  std::vector<std::string> names;
  for (const auto& command : commands()) names.emplace_back(command.name);
  wrong_usage(
      fmt::format("there is no command '{}'{}", printable(word), hint(word, names)));
}

// The words of a line, at most `columns` wide; further lines begin below the help of an
// option, which two spaces or more set apart.
std::string wrapped(const std::string& line, std::size_t columns) {
  if (line.size() <= columns) return line + '\n';
  const auto begin = line.find_first_not_of(' ');
  const auto gap = line.find("  ", begin);
  auto indent = gap == std::string::npos ? begin : line.find_first_not_of(' ', gap);
  if (indent == std::string::npos || indent > columns / 2) indent = begin;
  std::string out;
  std::size_t from = 0;
  std::size_t room = columns;
  while (line.size() - from > room) {
    auto space = line.rfind(' ', from + room);
    const auto least = out.empty() ? indent : from;
    if (space == std::string::npos || space <= least)
      space = line.find(' ', from + room);
    if (space == std::string::npos) break;
    out += line.substr(from, space - from) + '\n' + std::string(indent, ' ');
    from = space + 1;
    room = columns - indent;
  }
  return out + line.substr(from) + '\n';
}

std::string wrapped_help(const std::string& help, std::size_t columns) {
  std::string out;
  for (std::size_t at = 0; at < help.size();) {
    const auto end = std::min(help.size(), help.find('\n', at));
    out += wrapped(help.substr(at, end - at), columns);
    at = end + 1;
  }
  return out;
}

class Program {
 public:
  Program() : app_("A sandbox for cluster-scheduling policies.", "berth") {
    app_.footer(kFooter);
    app_.set_version_flag("-V,--version", fmt::format("berth {}", study::version()));
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    for (const auto& command : commands()) {
      app_.add_subcommand(command.name, command.brief)->allow_extras();
    }
  }

  int run(std::vector<std::string> args, Console& console) {
    if (!args.empty() && args.front() == "--") {
      args.erase(args.begin());
      if (!args.empty() && is_option(args.front())) refuse_command(app_, args.front());
    }
    if (!args.empty() && args.front() == "help") args = help_of(args);
    // Declaring the options of all commands takes longer than what some commands do.
    for (const auto& command : commands()) {
      const bool is_named =
          std::find(args.begin(), args.end(), command.name) != args.end();
      if (is_named) declare(command);
    }
    std::vector<std::string> operands;
    if (const auto* command = find(args)) {
      auto words = words_of(*command, std::span(args).subspan(1));
      args.resize(1);
      args.insert(args.end(), words.options.begin(), words.options.end());
      operands = std::move(words.operands);
    }
    std::reverse(args.begin(), args.end());
    try {
      app_.parse(args);
    } catch (const CLI::CallForHelp&) {
      auto& command = chosen();
      const auto help = &command == &app_ ? app_.help() : command.help(app_.get_name());
      console.out << wrapped_help(help, console.columns);
      return study::kDone;
    } catch (const CLI::CallForVersion& version) {
      console.out << version.what() << '\n';
      return study::kDone;
    } catch (const CLI::ParseError& error) {
      wrong_usage(error.what());
    }
    return act(operands, console);
  }

  // "berth" or "berth COMMAND", as far as it is known.
  [[nodiscard]] std::string name() {
    auto& command = chosen();
    return &command == &app_ ? "berth" : "berth " + command.get_name();
  }

  [[nodiscard]] std::vector<CommandRecord> records() {
    for (const auto& command : commands()) declare(command);
    std::vector<CommandRecord> all;
    for (const auto* command : app_.get_subcommands({})) {
      auto& record = all.emplace_back();
      record.name = command->get_name();
      record.brief = command->get_description();
      for (const auto* option : command->get_options()) {
        (option->get_positional() ? record.operands : record.options)
            .push_back(word_record(*option));
      }
    }
    return all;
  }

 private:
  // `berth help CMD` is `berth CMD --help`.
  std::vector<std::string> help_of(const std::vector<std::string>& args) const {
    if (args.size() == 1) return {"--help"};
    if (args.size() > 2) {
      wrong_usage(fmt::format("unexpected argument '{}'", printable(args[2])));
    }
    const auto all = commands();
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const auto& command) {
      return args[1] == command.name;
    });
    if (!is_known) refuse_command(app_, args[1]);
    return {args[1], "--help"};
  }

  void declare(const Command& command) {
    auto* made = app_.get_subcommand(command.name);
    Syntax syntax(*made);
    auto action = command.declare(syntax);
    declared_[made] = {std::move(action), syntax.operands()};
  }

  // The command that the first word names; nullptr: none.
  [[nodiscard]] const CLI::App* find(const std::vector<std::string>& args) const {
    if (args.empty()) return nullptr;
    const auto all = app_.get_subcommands({});
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto* command) {
      return command->get_name() == args.front();
    });
    return at == all.end() ? nullptr : *at;
  }

  CLI::App& chosen() {
    const auto parsed = app_.get_subcommands();
    return parsed.empty() ? app_ : *parsed.front();
  }

  int act(const std::vector<std::string>& operands, Console& console) {
    auto& command = chosen();
    const auto extras = app_.remaining();
    if (&command == &app_) {
      if (!extras.empty()) refuse_command(app_, extras.front());
      console.err << wrapped_help(app_.help(), console.columns);
      return static_cast<int>(ErrorCode::kUsage);
    }
    if (!extras.empty()) {
      wrong_usage(fmt::format("the command comes first; '{}' stands before it",
                              printable(extras.front())));
    }
    refuse_options(command);
    const auto& declared = declared_.at(&command);
    give(operands, declared.operands);
    return declared.action(console);
  }

  struct Declared {
    Action action;
    std::vector<Operand> operands;
  };

  CLI::App app_;
  std::map<const CLI::App*, Declared> declared_;
};

}  // namespace

std::vector<CommandRecord> command_records() { return Program().records(); }

int run(std::span<const std::string> args, Console& console) {
  if (!args.empty() && args.front() == "__complete") {
    complete(args.subspan(1), console);
    return study::kDone;
  }
  try {
    Program program;
    try {
      return program.run({args.begin(), args.end()}, console);
    } catch (const WrongUsage& error) {
      const auto name = program.name();
      console.say(fmt::format("{}: {}", name, error.what()));
      console.say(fmt::format("see `{} --help`", name));
      return static_cast<int>(ErrorCode::kUsage);
    }
  } catch (...) {
    const auto failure = study::failure_now();
    console.say(failure.text);
    return failure.code;
  }
}

int run(std::span<const std::string> args, std::ostream& out, std::ostream& err) {
  Console console{out, err};
  return run(args, console);
}

}  // namespace berth::cli
