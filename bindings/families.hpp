#pragma once
// The policy API as records: everything that a policy can call or read, listed once.
//
// From the records come the registration, `berth api`, the LuaLS definitions, the page
// docs/api.md and a test that evaluates every example.
//
// What only some machines or workloads offer ("tiers", "shares") is a family of calls
// with `serves`: one record in families.cpp or of a machine (machine_calls.hpp).
// Elsewhere its calls raise.

#include <cstdint>
#include <lua.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::sim {
class World;
}

namespace berth::bindings {

enum class Form : std::uint8_t { kMethod, kField };

struct Primitive {
  std::string_view name;     // as a policy writes it, inside its family
  std::string_view params;   // "amount: integer, length: seconds, from?: seconds"
  std::string_view returns;  // "seconds?"; of a field: its type
  std::string_view brief;    // one sentence, ends with a full stop
  // A Lua expression that is true on an idle machine of four processors where `job` (2
  // processors) and a job of 4 processors wait; of packings also where `packing` is
  // that machine's and `jobs` are those two; of packings and drafts: where `jobs` are
  // `job` (2 tasks) and another one, each task with a quarter of the CPU and memory of
  // one of two hosts, and `draft` is empty; of runs: where the first job ran at 0 and
  // the other at 30.
  std::string_view example;
  lua_CFunction call = nullptr;  // null: a field
  [[nodiscard]] Form form() const {
    return call == nullptr ? Form::kField : Form::kMethod;
  }
};

// The members of one object.
struct Family {
  std::string_view type;   // "Cluster", the class in the definitions
  std::string_view reach;  // as a policy writes it: "cluster", "cluster.tiers", "job"
  std::string_view brief;
  std::span<const Primitive> primitives;
  // Whether a run has the family; null: every run has it.
  bool (*serves)(const sim::World& world) = nullptr;
  std::string_view base{};  // the type whose members it has besides; empty: none

  // The last part of `reach`; for cluster:has.
  [[nodiscard]] std::string_view name() const {
    return reach.substr(reach.rfind('.') + 1);
  }
};

// The built-in families, in the order of the reference.
[[nodiscard]] std::span<const Family> families();
// Whether the built-in family of this reach has a member of this name.
[[nodiscard]] bool has_member(std::string_view reach, std::string_view name);
// Those of them that only some machines have.
[[nodiscard]] std::span<const Family> machine_families();

// Pushes the table of a family's methods, to which nothing can be added, made as it is
// asked for first.  A script that replaces a method affects only its own state.
void push_family(lua_State* lua, const Family& family);
// Pushes the function that a script finds in such a table.  REQUIRES: a method.
void push_method(lua_State* lua, const Family& family, const Primitive& primitive,
                 const void* table);

// The name of the primitive that the function on top calls; pops the function.  It is
// asked of the function alone, which every sandbox has: the call of a family that only
// some machines have brings its family.
[[nodiscard]] const char* primitive_name(lua_State* lua);

// Those of jobs and of the cluster have what machines add behind the common ones.
[[nodiscard]] std::span<const Primitive> job_primitives();
[[nodiscard]] std::span<const Primitive> view_primitives();
[[nodiscard]] std::span<const Primitive> cluster_primitives();
[[nodiscard]] std::span<const Primitive> plan_primitives();
[[nodiscard]] std::span<const Primitive> book_primitives();
[[nodiscard]] std::span<const Primitive> run_primitives();
[[nodiscard]] std::span<const Primitive> shares_primitives();
[[nodiscard]] std::span<const Primitive> hosts_primitives();

// The reference, written from the records; `berth api` prints it.

// All members, one line each; or everything about one name ("start", "cluster:start",
// "Plan").  Throws Error{kUsage} naming the nearest for a name that does not exist.
[[nodiscard]] std::string api_text(std::string_view name);
// What it knows by name, each once: fields of a policy file, idioms, families, and
// members as "cluster:start", with what each is in a sentence.
struct ApiName {
  std::string name;
  std::string_view brief;
};
[[nodiscard]] std::vector<ApiName> api_names();
// Definitions for the Lua language server (LuaLS).
[[nodiscard]] std::string api_definitions();
// The reference as one Markdown page.
[[nodiscard]] std::string api_page();

}  // namespace berth::bindings
