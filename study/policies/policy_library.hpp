#pragma once
// Where policies are found: built-in ones by name, others by file.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "study/scenario/policy_choice.hpp"

namespace berth::study {

class PolicyLibrary {
 public:
  // `folder` holds the built-in policies, NAME.lua, and lib/ for `require`.
  explicit PolicyLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The first that exists of: $BERTH_POLICIES, what share_folders() gives, the source
  // tree this was built from.
  // Throws Error{kUsage} naming the places where none is.
  [[nodiscard]] static PolicyLibrary standard();

  // Names of the built-in policies, sorted.
  [[nodiscard]] std::vector<std::string> names() const;

  // The text of the policy.  A built-in policy is called "policies/easy.lua" in
  // messages, a file by its base name: no path reaches a script. Throws Error{kUsage}
  // (kInput with the place if a scenario asks) for a name that does not exist, with the
  // nearest one, and Error{kInput} for a file that cannot be read.
  [[nodiscard]] bindings::PolicyFile find(const PolicyChoice& choice) const;

  // Where find() reads it.
  [[nodiscard]] std::filesystem::path path_of(const PolicyChoice& choice) const;

  // What `require "name"` finds: lib/name.lua beside the policy, then the built-in one.
  [[nodiscard]] std::function<std::optional<bindings::LoadedSource>(std::string_view)>
  sources_for(const PolicyChoice& choice) const;

 private:
  [[noreturn]] void unknown(const PolicyChoice& choice) const;

  std::filesystem::path folder_;
};

}  // namespace berth::study
