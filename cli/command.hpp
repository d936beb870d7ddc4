#pragma once
// The commands of the program, and the options that each accepts.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "engine/base/error.hpp"

namespace CLI {
class App;
}

namespace berth::cli {

// Runs a command whose options were read; returns the exit status.  Throws Error,
// WrongUsage.
using Action = std::function<int(Console&)>;

// An argument without a name: of one word, or of all that are left.
struct Operand {
  std::string* one = nullptr;
  std::vector<std::string>* many = nullptr;
};

// Declares the options of one command.  Names are written "--out", "-o,--output" or,
// for an argument without a name, "FILE".  The variables outlive the parsing.
class Syntax {
 public:
  explicit Syntax(CLI::App& command) : command_(command) {}

  void option(const char* names, std::string& value, const char* help);
  // Given once for each value.
  void repeated(const char* names, std::vector<std::string>& values, const char* help);
  // All words that are not options.
  void words(const char* name, std::vector<std::string>& values, const char* help);
  void flag(const char* names, bool& value, const char* help);
  // One that may have a value: "true" for --json, "runs" for --json=runs.
  void flag(const char* names, std::string& value, const char* help);
  void footer(const char* text);

  // In the order of their declaration.
  [[nodiscard]] const std::vector<Operand>& operands() const { return operands_; }

 private:
  CLI::App& command_;
  std::vector<Operand> operands_;
};

// The help of --columns, of each command that reads a schedule.
inline constexpr auto kColumnsHelp =
    "what the schedule calls its columns, where not by a name of docs/report.md: "
    "job_id=a,starting_time=b";

// The help of --processors, of each command that takes the jobs of a run.
inline constexpr auto kProcessorsHelp =
    "size of the machine; else what the trace says; hosts and a network have a size of "
    "their own";
// The help of --hosts, likewise.
inline constexpr auto kHostsHelp =
    "the hosts of the machine: what sinfo --json or scontrol show node print, a Batsim "
    "platform, a CSV file (docs/formats.md#hosts)";
// The help of --set, of each command that takes the jobs of a run.
inline constexpr auto kPointHelp =
    "KEY=VALUE over the scenario, as of berth run; with --seed it chooses a point of a "
    "sweep";

struct Command {
  const char* name;
  const char* brief;  // one line of `berth --help`
  Action (*declare)(Syntax& syntax);
};

// In the order of the help.
[[nodiscard]] std::span<const Command> commands();

Action declare_run(Syntax& syntax);
Action declare_sweep(Syntax& syntax);
Action declare_merge(Syntax& syntax);
Action declare_report(Syntax& syntax);
Action declare_playground(Syntax& syntax);
Action declare_verify(Syntax& syntax);
Action declare_expectations(Syntax& syntax);
Action declare_explain(Syntax& syntax);
Action declare_policies(Syntax& syntax);
Action declare_new(Syntax& syntax);
Action declare_init(Syntax& syntax);
Action declare_check(Syntax& syntax);
Action declare_test(Syntax& syntax);
Action declare_watch(Syntax& syntax);
Action declare_debug(Syntax& syntax);
Action declare_shadow(Syntax& syntax);
Action declare_claims(Syntax& syntax);
Action declare_trace(Syntax& syntax);
Action declare_convert(Syntax& syntax);
Action declare_generate(Syntax& syntax);
Action declare_api(Syntax& syntax);
Action declare_completions(Syntax& syntax);

// A word of a command, as its help lists it.
struct WordRecord {
  std::vector<std::string> names;  // "-o", "--out"; of an operand one, "FILE"
  std::string help;
  bool has_value = false;  // behind an option
};
struct CommandRecord {
  std::string name;
  std::string brief;
  std::vector<WordRecord> options;
  std::vector<WordRecord> operands;  // in their order
};
// In the order of the help.
[[nodiscard]] std::vector<CommandRecord> command_records();

// What shells ask by `berth __complete N WORDS...`: what may stand in the place of word
// N of a command line whose first word, 0, is the program; the word at hand may be half
// there and begin with a quote.  Prints a line each, "WORD<TAB>help"; ":files GLOB..."
// where files may stand, of any name without a GLOB; ":nospace" where the words are no
// whole ones.  Runs no simulation and no file of the user's; prints nothing for what it
// does not know, and throws nothing.
void complete(std::span<const std::string> args, Console& console);

// The first sentence of the comment at the top of a policy.  A point before a number,
// as in "Li et al. 2018", ends none.
[[nodiscard]] std::string first_sentence(std::string_view policy);

// Reported as "berth COMMAND: what", with exit status 2.
class WrongUsage : public Error {
 public:
  explicit WrongUsage(const std::string& what) : Error(ErrorCode::kUsage, what) {}
};
[[noreturn]] void wrong_usage(const std::string& what);

// The value of an option: a whole number from `least` to `most`.  Throws Error{kUsage}
// naming the option.
[[nodiscard]] std::int64_t whole_option(
    const std::string& option, const std::string& text, std::int64_t least,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());
// The value of -j.  Throws as whole_option.
[[nodiscard]] std::size_t workers_option(const std::string& text);
// Seconds of at least 0, which may be written as "10m".  Throws likewise.
[[nodiscard]] double seconds_option(const std::string& option, const std::string& text);

// The index of the value among those that an option accepts.  Throws WrongUsage naming
// them.
std::size_t choice_option(const std::string& option, const std::string& text,
                          std::span<const std::string_view> known);

}  // namespace berth::cli
