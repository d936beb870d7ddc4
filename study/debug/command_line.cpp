#include "study/debug/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth::study {

namespace {

constexpr std::array kCommands{
    DebugCommand{"step", "", "to the next event: a submit, an end"},
    DebugCommand{"pass", "", "to the end of the next pass"},
    DebugCommand{"next", "", "to the next action of the policy"},
    DebugCommand{"continue", "", "to the next breakpoint, or the end"},
    DebugCommand{"until", "TIME", "to the first pass at this time or later"},
    DebugCommand{"back", "[N]", "to the pass before, or N passes back"},
    DebugCommand{"goto", "TIME",
                 "as until, and from the beginning if the time is past"},
    DebugCommand{"break", "WHERE",
                 "at job 7 [submit|start|end], pass 7, when EXPRESSION, mine.lua:14"},
    DebugCommand{"delete", "[N]", "remove breakpoint N, or all"},
    DebugCommand{"queue", "[ORDER]", "the jobs that wait"},
    DebugCommand{"running", "", "the jobs that run"},
    DebugCommand{"machine", "", "what is idle"},
    DebugCommand{"plan", "", "the plans of this pass"},
    DebugCommand{"book", "", "the reservations of the policy's book"},
    DebugCommand{"job", "N", "one job"},
    DebugCommand{"why", "N", "why a job did not start in this pass"},
    DebugCommand{"print", "EXPRESSION", "a value of Lua, with queue and cluster"},
    DebugCommand{"locals", "", "the local variables at a line"},
    DebugCommand{"line", "", "the line of the script"},
    DebugCommand{"record", "[N]", "what happened last, N records"},
    DebugCommand{"help", "", "these commands"},
    DebugCommand{"quit", "", "end the session"},
};

std::optional<std::int64_t> whole(const std::string& text) {
  std::int64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || at != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::span<const DebugCommand> debug_commands() { return kCommands; }

void wrong(const std::string& what) { throw Error(ErrorCode::kUsage, what); }

std::int64_t whole_of(const std::string& text, const char* of) {
  const auto value = whole(text);
  if (!value) wrong(fmt::format("{}: '{}' is no whole number", of, printable(text)));
  return *value;
}

Time time_of(const std::string& text, const char* of) {
  auto seconds = seconds_from_text(text);
  if (!seconds) {
    if (const auto plain = whole(text)) seconds = static_cast<double>(*plain);
  }
  const auto ticks = seconds ? ticks_from_seconds(*seconds) : std::nullopt;
  if (!ticks) {
    wrong(fmt::format("{}: '{}' is no time: write 90 or 1h30m", of, printable(text)));
  }
  return *ticks;
}

// A word, and what follows it.
std::pair<std::string, std::string> split_word(const std::string& line) {
  constexpr auto kBlank = " \t\r";
  const auto from = line.find_first_not_of(kBlank);
  if (from == std::string::npos) return {};
  const auto end = std::min(line.find_first_of(kBlank, from), line.size());
  const auto rest = line.find_first_not_of(kBlank, end);
  if (rest == std::string::npos) return {line.substr(from, end - from), {}};
  const auto last = line.find_last_not_of(kBlank);
  return {line.substr(from, end - from), line.substr(rest, last + 1 - rest)};
}

// The command that the word begins, the first of several.
std::string_view command_of(const std::string& word) {
  std::vector<std::string_view> known;
  for (const auto& each : kCommands) {
    if (each.name.starts_with(word)) return each.name;
    known.push_back(each.name);
  }
  wrong(fmt::format("there is no command '{}'{}; help lists them", printable(word),
                    did_you_mean(word, known)));
}

}  // namespace berth::study
