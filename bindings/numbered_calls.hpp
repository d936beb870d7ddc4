#pragma once
// Calls of the policy API from outside a script: a primitive by its number, arguments
// and results as plain values.
//
// The call runs the function that stands in the record, in the state of a policy and
// under its guard: checks, messages, refusals and limits are those of a script.
//
// Handles      cross as the numbers that they are in Lua.  One that was not given out
//              in the present decision raises, and so does a job that is not submitted.
// Errors       As those of LuaPolicy.  After a limit every later call throws it again.
// Threads      Those of the policy.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "bindings/value.hpp"

namespace berth::bindings {

// A member of one of families(), by its number: they are counted family by family.
struct NumberedPrimitive {
  const Family* family;
  const Primitive* primitive;
};
[[nodiscard]] std::span<const NumberedPrimitive> numbered_primitives();

struct PlainValue {
  enum class Type : std::uint8_t {
    kNil,
    kBoolean,  // whole: 0 or 1
    kWhole,
    kNumber,
    kText,
    kHandle,
    kSelection,  // handle: what walk() steps
    kTable,      // whole: so many pairs, a key and its value each, follow
  };
  Type type = Type::kNil;
  std::int64_t whole = 0;
  double number = 0;
  std::uint64_t handle = 0;
  std::string_view text{};  // of a result: until the next call
};

// The handle that stands for the queue where that is an argument or a result.
inline constexpr std::uint64_t kTheQueue = static_cast<std::uint64_t>(Kind::kView);

// REQUIRES: the sandbox and the border of a loaded policy, which outlive it.
class NumberedCalls {
 public:
  NumberedCalls(Sandbox& sandbox, Border& border);
  NumberedCalls(const NumberedCalls&) = delete;
  NumberedCalls& operator=(const NumberedCalls&) = delete;

  // Calls a method, or reads a field.  The first argument is what it is called on: a
  // handle, or nil for the queue, the cluster, its book and its parts.  The results are
  // valid until the next call.
  // REQUIRES: the number of a primitive; the border has a simulation.
  std::span<const PlainValue> call(std::size_t number,
                                   std::span<const PlainValue> arguments);
  // The next values of a selection; the first is nil behind its end.
  std::span<const PlainValue> walk(std::uint64_t selection);
  // Fields of many jobs: out[field * stride + i] for the i-th job; NaN for a value that
  // is no number.  REQUIRES: numbers of fields of `job`; `out` has room.
  void read_fields(std::span<const JobId> jobs, std::span<const std::size_t> numbers,
                   double* out, std::size_t stride);

 private:
  struct Errand;

  static int run(lua_State* lua);
  static int run_walk(lua_State* lua);
  static int run_fields(lua_State* lua);

  void begin_decision();
  void push_object(lua_State* lua, const Errand& errand);
  void push_function(lua_State* lua, std::size_t number);
  std::size_t push_argument(lua_State* lua, const Errand& errand, std::size_t at,
                            int depth);
  std::size_t push_pairs(lua_State* lua, const Errand& errand, std::size_t at,
                         int depth);
  void push_given_handle(lua_State* lua, const Errand& errand, std::size_t at);
  void push_given_selection(lua_State* lua, const Errand& errand, std::size_t at);
  void require_given(lua_State* lua, const Errand& errand, std::size_t at);
  void read_results(lua_State* lua, int first);
  void read_value(lua_State* lua, int at, int depth);
  void read_table(lua_State* lua, int at, int depth);
  void read_handle(lua_State* lua, int at);
  void read_function(lua_State* lua, int at);
  void read_text_at(lua_State* lua, int at);
  void add(lua_State* lua, const PlainValue& value);

  Sandbox& sandbox_;
  Border& border_;
  std::vector<int> functions_;  // by number, references; LUA_NOREF: not called yet
  std::vector<PlainValue> results_;
  std::deque<std::string> texts_;  // of results: none moves as others are added
  std::size_t texts_used_ = 0;
  // These belong to one decision: handles that were given out, and iterators that have
  // no handle.
  std::int64_t decision_ = -1;
  std::unordered_set<std::uint64_t> given_;
  std::vector<int> iterators_;  // references
};

}  // namespace berth::bindings
