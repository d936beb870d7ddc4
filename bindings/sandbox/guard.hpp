#pragma once
// The limits of one Lua state: time, work units, memory.
//
// The first limit exceeded trips the guard.  From then on every instruction of the
// script raises, so no pcall, handler or __close can hide it; the guard records source
// line and traceback of that moment.  No hook is set before a limit is exceeded, so Lua
// runs at full speed.  Only a work limit needs a hook all the time.
//
// Memory       Requests are not refused at the limit: refusals expose memory errors in
//              Lua 5.4.4 itself.  Above the limit the next instruction collects garbage
//              and the remainder decides.  Refused are strings above kStringBytes and
//              anything above four times the limit.
// Work units   Lua instructions, counted in thousands, plus what C functions charge:
//              the most steps of a pattern, bytes copied or compared / 16, elements
//              moved, calls of a comparison, 100 for an error that is caught, and what
//              the engine charges to its Budget.  They depend on the script and its
//              input alone.
// Cost         begin + end: about 20 ns.  charge: 1 ns.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <lua.hpp>
#include <memory>
#include <string>

#include "bindings/sandbox/watchdog.hpp"
#include "bindings/sandbox/work_clock.hpp"
#include "engine/base/budget.hpp"

namespace berth::bindings {

// 0 disables a limit.
struct Limits {
  double time_seconds = 10;         // wall clock per entry: decision, load, hook, key
  std::int64_t work_units = 0;      // per entry
  std::int64_t run_work_units = 0;  // all entries together, plus one for each
  std::int64_t memory_mib = 256;    // live memory of the state
  std::size_t source_kib = 64;      // text of one file
  double hard_stop_seconds = 0;     // after the time limit: end the process
  bool are_options = true;          // the command has options for them
  // Without a time limit: whether a wish of the user to stop (base/interrupt.hpp) ends
  // an entry, which takes a thread and a signal as a time limit does.
  bool stops_on_wish = false;

  [[nodiscard]] bool need_watchdog() const { return time_seconds > 0 || stops_on_wish; }
};

// What the script runs for: "decision" 318.  REQUIRES: `kind` outlives the entry.
struct Errand {
  const char* kind = "decision";
  std::int64_t number = 0;
  // The engine asks for it within work of its own, whose limits go on over it.
  bool is_part = false;
};

// What a sandbox has used so far.
struct Usage {
  std::size_t memory_bytes = 0;       // live now
  std::size_t peak_memory_bytes = 0;  // highest ever, garbage included
  std::int64_t work_units = 0;        // of all entries; 0 unless counted
  std::int64_t longest_entry = 0;     // in work units; 0 unless counted
  std::size_t printed_bytes = 0;
};

enum class Trip : std::uint8_t {
  kNone,
  kTime,
  kWork,
  kMemory,
  kHost,  // an exception of the host, to be rethrown once Lua has been left
};

constexpr std::size_t kStringBytes = std::size_t{1} << 20U;

// More of one thing than its limit allows.
struct Refused {
  std::size_t amount = 0;
  const char* before = "";  // the amount: "string of "
  const char* behind = "";  // " bytes"
  const char* limit = "";   // "1 MiB"
  const char* hint = "";    // what to do
  Trip limit_on = Trip::kMemory;
};
[[nodiscard]] constexpr Refused string_of(std::size_t bytes) {
  return {bytes, "string of ", " bytes", "1 MiB",
          "strings cannot be longer; use a table"};
}

class Guard final : private Meter {
 public:
  // `heap` as lua_Alloc, called with `heap_context`; null: the C heap.
  // `watchdog` null: no time limit.
  Guard(const Limits& limits, lua_Alloc heap, void* heap_context,
        std::shared_ptr<Watchdog> watchdog);
  ~Guard() override;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // The allocator of the state; its context is the guard.
  static void* allocate(void* guard, void* block, std::size_t was, std::size_t wanted);

  // Makes this the guard of `lua` and of no other state.
  void attach(lua_State* lua, class Sandbox& owner);
  [[nodiscard]] static Guard& of(lua_State* lua) {
    return **static_cast<Guard**>(lua_getextraspace(lua));
  }

  [[nodiscard]] Sandbox& owner() const { return *owner_; }
  // A pointer that C functions of the host find through their lua_State.
  void carry(void* cargo) { cargo_ = cargo; }
  [[nodiscard]] void* cargo() const { return cargo_; }

  // Lets the signal of the watchdog, if there is one, come to this thread.
  void admit_signal() const {
    if (keeps_time()) watchdog_->admit_signal();
  }

  // Around an entry from the host.  REQUIRES: in pairs, on one thread, not nested.
  void begin(const Errand& errand);
  void end();
  [[nodiscard]] bool is_inside() const { return inside_; }
  [[nodiscard]] const Errand& errand() const { return errand_; }

  // Called with each line that a script comes to; slows it.  It may raise.  REQUIRES:
  // set once, outside every entry.
  using LineHook = std::function<void(lua_State* lua, lua_Debug* activation)>;
  void watch_lines(LineHook hook);

  // Subtracts `units` from the budget; raises if a limit is exceeded.  C functions that
  // may run long call it every thousand steps.
  void charge(lua_State* lua, std::int64_t units) {
    if (counting_) spend(units);
    if (overspent()) trip(lua, Trip::kWork);
    if (watched_.is_late()) trip(lua, Trip::kTime);
    if (trip_ != Trip::kNone) raise(lua);
  }

  // The charge for copying or comparing so many bytes.
  static void charge_bytes(lua_State* lua, std::size_t bytes) {
    of(lua).charge(lua, static_cast<std::int64_t>(bytes / 16));
  }

  // What the engine charges on behalf of the script: its work counts, and ends, with
  // that of the script.  What it does between two entries at one instant has the limits
  // of an entry; Error{kTime} ends it.
  [[nodiscard]] Budget& budget() { return budget_; }
  // Before an entry that is a part of the engine's work: that work counts up to here.
  void account_for_engine() {
    (void)budget_.take_pending();
    account_between();
  }

  // Counts memory outside Lua that the script caused, until `release`.  As with memory
  // of Lua, the limit is enforced at the next instruction.
  void hold(std::size_t bytes);
  void release(std::size_t bytes);
  // As hold, for host code that reads what a script has made while no instruction runs:
  // the limit that is exceeded now, or kNone; garbage is collected first.  `units` are
  // charged.  Raises nothing: leave the C++ code, then `trip`.
  [[nodiscard]] Trip hold_now(std::size_t bytes, std::int64_t units);

  // Records that `kind` was exceeded here, and raises.
  [[noreturn]] void trip(lua_State* lua, Trip kind);
  // The same of a limit on one thing, whatever call meets it: how much of it was asked
  // for, "string of 2,000,000 bytes", and the limit, "1 MiB".  REQUIRES: literals.
  [[noreturn]] void refuse(lua_State* lua, const Refused& what);
  // The string would have so many bytes, or more.
  [[noreturn]] void refuse_string(lua_State* lua, std::size_t bytes) {
    refuse(lua, string_of(bytes));
  }
  // Raises the error that no script can catch.  REQUIRES: tripped.
  [[noreturn]] void raise(lua_State* lua);
  // Lua ran out of memory in a protected call: treated as the memory limit.
  void note_memory_error() noexcept;
  // Stores an exception of the host; BudgetSpent is the trip that it stands for.  Call
  // it in the catch block, leave the block, then `raise`.  Ignored if already tripped.
  void keep(std::exception_ptr exception) noexcept;
  // Runs code of the host; an exception becomes an error that no script can catch.
  // REQUIRES: `work` does not call Lua, and captures nothing with a destructor.
  template <class Work>
  static void host_work(lua_State* lua, const Work& work) {
    bool failed = false;
    try {
      work();
    } catch (...) {
      of(lua).keep(std::current_exception());
      failed = true;
    }
    if (failed) of(lua).raise(lua);
  }

  [[nodiscard]] Trip tripped() const { return trip_; }
  // Of the trip: "policy.lua:12" (empty if Lua does not know) and traceback lines.
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const std::string& trace() const { return trace_; }
  // What the trip refused; null: it has another reason.
  [[nodiscard]] const Refused* refused() const {
    const bool is_it = refused_.amount > 0 && refused_.limit_on == trip_;
    return is_it ? &refused_ : nullptr;
  }
  // The underlying allocator returned no memory.
  [[nodiscard]] bool is_heap_exhausted() const { return heap_exhausted_; }
  [[nodiscard]] const std::exception_ptr& kept() const { return kept_; }
  // The budget of the run is exceeded, not that of one entry.
  [[nodiscard]] bool is_run_overspent() const { return run_left_ < 0; }

  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] Usage& usage() { return usage_; }
  [[nodiscard]] const Usage& usage() const { return usage_; }
  void name(std::string text) { watched_.describe(std::move(text)); }

 private:
  void spend(std::int64_t units) {
    entry_left_ -= units;
    run_left_ -= units;
  }
  [[nodiscard]] bool overspent() const { return entry_left_ < 0 || run_left_ < 0; }

  // What is known of the engine's present piece of work, between two entries.
  struct Between {
    std::int64_t in_parts = 0;  // units of entries that are a part of it
    WorkClock clock;
  };

  Answer account(std::int64_t units) override;
  [[nodiscard]] std::int64_t left() const override;
  void account_between();
  [[noreturn]] void stop_between(Trip kind);
  void arm(int period);
  void rest();
  [[gnu::noinline]] void count_entry();
  void grow(std::size_t more);
  [[nodiscard]] bool refuses(const void* block, std::size_t was, std::size_t wanted);
  void collect(lua_State* lua);
  [[nodiscard]] Trip collect_garbage();
  void record(lua_State* lua, Trip kind) noexcept;
  static void on_hook(lua_State* lua, lua_Debug* activation);
  static void on_late(void* guard);
  [[nodiscard]] bool keeps_time() const { return watchdog_ != nullptr; }

  Limits limits_;
  lua_Alloc heap_;
  void* heap_context_;
  std::shared_ptr<Watchdog> watchdog_;
  Watched watched_;
  lua_State* lua_ = nullptr;
  Sandbox* owner_ = nullptr;
  void* cargo_ = nullptr;
  LineHook on_line_;  // empty: lines are not watched
  Usage usage_;
  std::size_t soft_;  // collect above this
  std::size_t hard_;  // refuse above this

  Errand errand_;
  bool inside_ = false;
  bool counting_;
  bool hot_ = false;     // above `soft_`: collect at the next instruction
  int period_ = 0;       // of the hook; 0: no hook
  int collections_ = 0;  // in this entry
  std::int64_t entry_left_ = 0;
  std::int64_t run_left_ = 0;
  Budget budget_{*this};
  Between between_;

  Trip trip_ = Trip::kNone;
  Refused refused_;
  bool heap_exhausted_ = false;
  std::string place_;
  std::string trace_;
  std::exception_ptr kept_;
};

}  // namespace berth::bindings
