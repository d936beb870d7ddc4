#pragma once
// What `berth init` writes, as a machine offers it.

#include <span>
#include <string_view>

namespace berth::bindings {

struct NewText {
  std::string_view file;  // its name
  std::string_view text;
};

// A folder to start from: a scenario, what it reads, and a policy with its cases.
struct Starter {
  std::string_view name;  // as the user asks for it: "gpu"
  std::string_view help;
  std::span<const NewText> files;  // the scenario comes first
};

}  // namespace berth::bindings
