#pragma once
// A policy with `pack` on one instance.

#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/base/error.hpp"
#include "engine/machines/fractional/packer.hpp"

namespace berth::test {

// Jobs 1 (two tasks) and 2, each task with a quarter of a host, on two hosts.
[[nodiscard]] inline pack::Problem two_packed_jobs() {
  return {pack::Items({{1, 2, 0.25, 0.25}, {2, 1, 0.25, 0.25}}), 2};
}

struct Packed {
  pack::Packing packing;
  std::string printed;
  std::string error;  // "" if none
  ErrorCode code = ErrorCode::kDefect;

  [[nodiscard]] bool fails_with(std::string_view part) const {
    return error.find(part) != std::string::npos;
  }
};

[[nodiscard]] inline pack::Packing pack_by(bindings::LuaPolicy& policy,
                                           const pack::PackingTask& task) {
  const auto hook = policy.bind("pack");
  return dynamic_cast<pack::Packer&>(*hook).pack(task);
}

// The policy file on this instance.
[[nodiscard]] inline Packed pack_with(const std::string& text,
                                      const pack::Problem& problem = two_packed_jobs(),
                                      pack::PackingRules rules = {}) {
  Packed said;
  bindings::PolicyOptions options;
  options.print = [&said](std::string_view line) {
    said.printed += std::string(line) + "\n";
  };
  try {
    bindings::LuaPolicy policy({"test", "test.lua", text}, options);
    said.packing = pack_by(policy, {problem, 1, 1, rules, {}});
  } catch (const Error& error) {
    said.error = error.what();
    said.code = error.code();
  }
  return said;
}

// A policy whose `pack` is this body.
[[nodiscard]] inline std::string packer(const std::string& body) {
  return "return { pack = function(packing, jobs, params)\nlocal job = jobs[1]\n" +
         body + "\nend }";
}

// One whose fill is this body; it then answers what packing:mcb does.
[[nodiscard]] inline std::string filler(const std::string& body) {
  return packer("local job = jobs[1] packing:search(jobs, function(draft)\n" + body +
                "\nend, { yield = 1 })\nreturn packing:mcb(jobs)");
}

}  // namespace berth::test
