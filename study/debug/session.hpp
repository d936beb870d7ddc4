#pragma once
// A run that is stopped, looked into, and made again up to an earlier place.
//
// The engine knows nothing of it: it is an observer and an inspector that read commands
// while they are called.  Going back is to run again, which gives the same run.

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "study/inputs/prepared_point.hpp"
#include "study/policies/policy_set.hpp"

namespace berth::study {

struct DebugSetup {
  const PreparedPoint& prepared;
  using LineSink = std::function<void(std::string_view file, int line)>;
  // The policy of one run; `line` as in PolicyOptions, null: not called.  Throws Error.
  std::function<std::unique_ptr<LoadedPolicy>(LineSink line)> load;
  // The next line of commands; nullopt: there are no more.
  std::function<std::optional<std::string>()> next_line;
  std::ostream& out;
  bool echo = false;  // commands, so that what is printed is a session
  // Whether the user wants the prompt back; it is forgotten then.  May be null.
  std::function<bool()> interrupted;
};

// Until `quit` or the end of the commands.  The exit status: 2 if a command was wrong
// and commands are echoed, else 0.  Throws Error for a policy that does not load.
[[nodiscard]] int debug(const DebugSetup& setup);

}  // namespace berth::study
