#pragma once
// One record for everything a policy can call or read.  From the records come the
// registration, `berth api`, the LuaLS definitions, the docs pages and a test that
// evaluates every example.

#include <cstdint>
#include <lua.hpp>
#include <span>
#include <string_view>

namespace berth::bindings {

enum class Form : std::uint8_t { kMethod, kField };

struct Primitive {
  std::string_view name;     // as a policy writes it, inside its family
  std::string_view params;   // "amount: integer, length: seconds, from?: seconds"
  std::string_view returns;  // "seconds?"; of a field: its type
  std::string_view brief;    // one sentence, ends with a full stop
  std::string_view
      example;  // one Lua expression that is true on an idle four-processor
                // machine with jobs `job` (2 processors) and one of 4 waiting
  lua_CFunction call = nullptr;  // null: a field
  [[nodiscard]] Form form() const {
    return call == nullptr ? Form::kField : Form::kMethod;
  }
};

// What hangs on one object.
struct Family {
  std::string_view type;   // "Cluster", as the definitions call it
  std::string_view reach;  // how a policy gets there: "cluster", "cluster.tiers", "job"
  std::string_view brief;
  std::span<const Primitive> primitives;
};

}  // namespace berth::bindings
