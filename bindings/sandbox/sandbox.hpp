#pragma once
// One Lua state that can do only what is listed here; runs one policy script.
//
// The environment is built from nothing: the functions of safe_*.cpp.  No files, clock,
// code loading, coroutines, addresses or hash order.  It knows nothing of simulations;
// the bindings add the two arguments of `schedule`.
//
// `enter` and `call_prepared` are the only ways in.  C functions called by Lua follow
// two rules, so that they are right with both builds of Lua: no object with a
// destructor is alive where Lua can raise, and no C++ exception passes through Lua.
// Exceptions are stored, then raised as an error that a script cannot catch:
//
//   try { work(); } catch (...) { guard.keep(std::current_exception()); failed = true;
//   } if (failed) guard.raise(lua);
//
// `catch (...)` must not surround a call of Lua.
//
// Threads      One thread at a time, 8 MiB of stack.  Sandboxes are independent.
// Locale       Every entry runs under the "C" locale.
// Determinism  Same script, inputs and seed: same behaviour in every process.  Only a
//              time limit depends on the clock.

#include <array>
#include <cstdint>
#include <functional>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/sandbox/guard.hpp"
#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

namespace berth::bindings {

struct LoadedSource {
  std::string name;  // as messages show it: "policies/easy.lua"
  std::string text;
};

// Callbacks of the host.  Every function may be empty.
struct Host {
  // One line printed by the script, control bytes already escaped.
  std::function<void(std::string_view line)> print;
  // State of the simulation for messages: "decision 318 at t=86400, job 17".
  std::function<std::string()> where;
  // Text of a light userdata value: "job 17".
  std::function<std::string(const void* value)> describe;
  // The file for `require "name"`; nullopt: none.
  std::function<std::optional<LoadedSource>(std::string_view name)> library;
  // Called as an entry begins, and with null as it ends.
  std::function<void(const Errand* errand)> entry;
  // Gives what enforces the time limit; called where the limits need it.  Null: no time
  // limit, no signals.
  std::function<std::shared_ptr<Watchdog>()> watchdog = shared_watchdog;
  // As lua_Alloc; null: the C heap.
  lua_Alloc allocate = nullptr;
  void* allocate_context = nullptr;
};

class Sandbox {
 public:
  // Throws Error{kMemory} if the state cannot be made.
  Sandbox(const Limits& limits, std::uint64_t seed, Host host);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Compiles and runs the text and keeps its result for `push_result`; from then on
  // `require` is refused.  Throws Error{kPolicy, kTime or kMemory} with the whole
  // message.  REQUIRES: called once.
  void load(std::string_view name, std::string_view text);

  // Calls `body` with `context`, a light userdata, as its argument; results are
  // dropped. Nested entries run under the limits of the outermost.  Throws as `load`,
  // and rethrows what Guard::keep stored.  After a limit every later entry throws the
  // same error.  Cost: about 0.1 us plus the body.
  void enter(lua_CFunction body, void* context, Errand errand = {});

  // Keeps a function and its two arguments (registry references) for call_prepared.
  // REQUIRES: called once, outside every entry.
  static constexpr int kPrepared = 3;
  void prepare(const std::array<int, kPrepared>& call);
  // As `enter`, calling the prepared function; faster.
  // REQUIRES: outside every entry; the thread uses the plain locale.
  void call_prepared(Errand errand);

  // Throws the error that the trip of the guard stands for, and so does every later
  // entry.  REQUIRES: it has tripped, and no Lua runs.
  [[noreturn]] void fail_tripped();

  // Pushes what the loaded file returned.  For use in a body.
  static void push_result(lua_State* lua);
  // The sandbox that `lua` belongs to.
  [[nodiscard]] static Sandbox& of(lua_State* lua);

  [[nodiscard]] Guard& guard() { return guard_; }
  [[nodiscard]] const Usage& usage() const { return guard_.usage(); }
  // The stream that math.random draws from.
  [[nodiscard]] RandomEngine& random() {
    ++drawn_;
    return random_;
  }
  // Random numbers drawn so far.
  [[nodiscard]] std::int64_t drawn() const { return drawn_; }
  // "mine.lua:14": the line of a script that runs now; empty: none does.
  [[nodiscard]] std::string place() const;
  // A message that begins with the place in a loaded file, whose name Lua may have
  // shortened, with the whole name.
  [[nodiscard]] std::string with_whole_name(const std::string& message) const;
  // The policy and every file it required, in the order in which they were loaded.
  [[nodiscard]] const std::vector<LoadedSource>& sources() const { return sources_; }

  // For the library functions.
  [[nodiscard]] const Host& host() const { return host_; }
  [[nodiscard]] bool is_loading() const { return loading_; }
  // Adds a text to compile next, and checks its size and form.
  void offer(LoadedSource source);
  // Pushes the function compiled from the text offered last.  Raises if refused.
  void compile_offered(lua_State* lua);
  // A buffer that survives a raise.
  [[nodiscard]] std::string& scratch() { return scratch_; }

 private:
  struct Close {
    void operator()(lua_State* lua) const { lua_close(lua); }
  };

  static int build(lua_State* lua);
  static int run_chunk(lua_State* lua);
  static int on_error(lua_State* lua);
  void make_room(int values);
  int run(int arguments, int handler, const Errand& errand);
  void note_error(lua_State* lua) noexcept;
  [[noreturn]] void fail(int status);
  [[nodiscard]] std::string problem_of(const LoadedSource& source) const;
  [[nodiscard]] std::string limit_text() const;
  [[nodiscard]] std::string_view limit_hint() const;
  [[nodiscard]] std::string standing() const;
  [[nodiscard]] std::string sources_place() const;
  [[nodiscard]] const LoadedSource* source_of(std::string_view message) const;
  [[nodiscard]] std::string excerpt(std::string_view message) const;
  [[nodiscard]] std::string report(std::string_view first, std::string_view hint,
                                   std::string_view trace) const;

  Host host_;
  Guard guard_;
  RandomEngine random_;
  std::int64_t drawn_ = 0;
  std::vector<LoadedSource> sources_;
  bool loading_ = false;
  std::string scratch_;
  std::string problem_;       // of the text offered last; empty: none
  std::exception_ptr spent_;  // thrown by every entry after a limit
  std::string place_;         // source line of the last uncaught error
  std::string trace_;
  std::unique_ptr<lua_State, Close> lua_;  // last: closed first
};

// Allowed accesses in a row: `.name`, `:name` and `[...]`.
constexpr int kMaxAccesses = 200;
// Allowed in a row together with those in the indices between brackets.
constexpr int kMaxIndexed = 500;

// The line on which the first longer chain of accesses exceeds it; nullopt: none.  To
// name a variable in an error message, Lua 5.4.4 recurses over the accesses that led to
// it and scans the function for each, so a long chain can overflow the C stack or take
// longer than the time limit.  Calls and parentheses do not end a chain.  For text that
// is not Lua the answer is unspecified.  Cost: O(bytes).
[[nodiscard]] std::optional<int> long_access_chain(std::string_view text);

// Pushes a random number as math.random does; its arguments m and n start at stack
// index `first`.  Raises on an empty interval.
int push_random(lua_State* lua, RandomEngine& engine, int first);

}  // namespace berth::bindings
