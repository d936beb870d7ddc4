#include "tests/support/lua_policies.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/shared_data.hpp"

namespace berth::test {

namespace {

const std::filesystem::path kSource = test::source_root();

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("no file " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

bindings::PolicyFile policy_file(const std::string& name) {
  const auto file = "policies/" + name + ".lua";
  return {name, file, contents(kSource / file)};
}

std::optional<bindings::LoadedSource> policy_library(std::string_view name) {
  const auto file = "policies/lib/" + std::string(name) + ".lua";
  if (!std::filesystem::exists(kSource / file)) return std::nullopt;
  return bindings::LoadedSource{file, contents(kSource / file)};
}

bindings::PolicyFile policy_cases_file(const std::string& name) {
  const auto file = "tests/policies/" + name + ".test.lua";
  return {name, file, contents(kSource / file)};
}

std::unique_ptr<bindings::LuaPolicy> lua_policy(
    const std::string& name, std::map<std::string, std::string> parameters) {
  bindings::PolicyOptions options;
  options.parameters = std::move(parameters);
  options.library = policy_library;
  return std::make_unique<bindings::LuaPolicy>(policy_file(name), options);
}

std::unique_ptr<bindings::LuaPolicy> policy_of(const std::string& text) {
  return std::make_unique<bindings::LuaPolicy>(
      bindings::PolicyFile{"policy", "policy.lua", text}, bindings::PolicyOptions{});
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "policies")) {
    if (entry.path().extension() != ".lua") continue;
    const auto name = entry.path().stem().string();
    if (lua_policy(name)->has_schedule()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace berth::test
