#include "bindings/sandbox/guard.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "bindings/sandbox/safe_text.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "engine/base/interrupt.hpp"

namespace berth::bindings {

namespace {

constexpr int kPeriod = 1000;
constexpr int kMaxCollections = 16;
constexpr std::size_t kHardFactor = 4;
// A string object without its text: header of Lua 5.4 on 64 bits and the final zero.
constexpr std::size_t kStringHeader = 25;
constexpr std::int64_t kUnlimitedUnits = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

std::int64_t limit_of(std::int64_t units) {
  return units > 0 ? units : kUnlimitedUnits;
}

std::size_t bytes(std::int64_t mib) {
  const auto limit = static_cast<std::size_t>(mib);
  return mib > 0 && limit <= kUnlimited >> 20U ? limit << 20U : kUnlimited;
}

void* c_heap(void*, void* block, std::size_t, std::size_t wanted) {
  if (wanted == 0) {
    std::free(block);
    return nullptr;
  }
  return std::realloc(block, wanted);
}

}  // namespace

Guard::Guard(const Limits& limits, lua_Alloc heap, void* heap_context,
             std::shared_ptr<Watchdog> watchdog)
    : limits_(limits),
      heap_(heap == nullptr ? c_heap : heap),
      heap_context_(heap_context),
      watchdog_(std::move(watchdog)),
      watched_(on_late, this, limits.time_seconds, limits.hard_stop_seconds),
      soft_(bytes(limits.memory_mib)),
      hard_(soft_ > kUnlimited / kHardFactor ? kUnlimited : soft_ * kHardFactor),
      counting_(limits.work_units > 0 || limits.run_work_units > 0),
      run_left_(limit_of(limits.run_work_units)) {}

Guard::~Guard() {
  if (keeps_time() && lua_ != nullptr) watchdog_->forget(watched_);
}

void Guard::attach(lua_State* lua, Sandbox& owner) {
  lua_ = lua;
  owner_ = &owner;
  *static_cast<Guard**>(lua_getextraspace(lua)) = this;
  if (keeps_time()) watchdog_->watch(watched_);
}

void Guard::begin(const Errand& errand) {
  errand_ = errand;
  inside_ = true;
  collections_ = 0;
  if (counting_) {
    (void)budget_.take_pending();  // of what the engine did by itself
    entry_left_ = limit_of(limits_.work_units);
    --run_left_;
    arm(overspent() ? 1 : kPeriod);  // short entries never complete a period
  } else if (hot_) {
    arm(1);
  }
  if (!keeps_time()) return;
  watched_.number(errand.number);
  watched_.begin();
}

void Guard::end() {
  const bool was_late = keeps_time() && watched_.end(*watchdog_);
  if (was_late || period_ != 0) rest();
  inside_ = false;
  if (!errand_.is_part) budget_.begin_piece();
  if (counting_) count_entry();
}

void Guard::count_entry() {
  spend(budget_.take_pending());
  const std::int64_t used = limit_of(limits_.work_units) - entry_left_;
  usage_.work_units += used;
  usage_.longest_entry = std::max(usage_.longest_entry, used);
  if (errand_.is_part) between_.in_parts += used;
}

void Guard::arm(int period) {
  period_ = period;
  const int lines = on_line_ ? LUA_MASKLINE : 0;
  lua_sethook(lua_, on_hook, LUA_MASKCOUNT | lines, period);
}

void Guard::rest() {
  period_ = 0;
  if (on_line_) {
    lua_sethook(lua_, on_hook, LUA_MASKLINE, 0);
  } else {
    lua_sethook(lua_, nullptr, 0, 0);
  }
}

void Guard::watch_lines(LineHook hook) {
  on_line_ = std::move(hook);
  rest();
}

// In the signal handler of the thread that runs the script.
void Guard::on_late(void* guard) {
  lua_sethook(static_cast<Guard*>(guard)->lua_, on_hook, LUA_MASKCOUNT, 1);
}

void Guard::on_hook(lua_State* lua, lua_Debug* activation) {
  Guard& guard = of(lua);
  if (activation->event == LUA_HOOKLINE) {
    if (guard.trip_ == Trip::kNone) guard.on_line_(lua, activation);
    return;
  }
  // Only a hook of the full period stands for a thousand instructions.
  guard.charge(lua, guard.period_ == kPeriod ? kPeriod : 0);
  if (guard.hot_) guard.collect(lua);
}

// In steps of about a millisecond: a full collection would exceed short time limits.
// kMemory unless it freed a quarter.
Trip Guard::collect_garbage() {
  const auto is_too_much = [this] { return usage_.memory_bytes > soft_ / 4 * 3; };
  // Garbage made after the running cycle began is found by the next one.
  for (int cycles = 0; cycles == 0 || (cycles == 1 && is_too_much());) {
    cycles += lua_gc(lua_, LUA_GCSTEP, 0);
    if (watched_.is_late()) return Trip::kTime;
  }
  return is_too_much() ? Trip::kMemory : Trip::kNone;
}

void Guard::collect(lua_State* lua) {
  ++collections_;
  auto exceeded = collect_garbage();
  if (exceeded == Trip::kNone && collections_ > kMaxCollections) {
    exceeded = Trip::kMemory;
  }
  if (exceeded != Trip::kNone) trip(lua, exceeded);
  hot_ = false;
  if (counting_) {
    arm(kPeriod);
  } else {
    rest();
  }
  // This removed the hook of a signal that arrived since the last check.
  if (watched_.is_late()) trip(lua, Trip::kTime);
}

void Guard::hold(std::size_t bytes) { grow(bytes); }

Trip Guard::hold_now(std::size_t bytes, std::int64_t units) {
  grow(bytes);
  if (counting_) spend(units);
  if (trip_ != Trip::kNone) return trip_;
  if (overspent()) return Trip::kWork;
  if (watched_.is_late()) return Trip::kTime;
  return usage_.memory_bytes > soft_ ? collect_garbage() : Trip::kNone;
}

void Guard::release(std::size_t bytes) { usage_.memory_bytes -= bytes; }

void Guard::record(lua_State* lua, Trip kind) noexcept {
  if (trip_ != Trip::kNone) return;
  trip_ = kind;
  // The watching thread stops work early if the process is asked to stop.
  if (kind == Trip::kTime && interrupt_requested()) {
    kept_ = std::make_exception_ptr(Interrupted{});
    trip_ = Trip::kHost;
  }
  arm(1);
  try {
    place_ = place_of(lua, 0);
    trace_ = traceback(lua, 0);
  } catch (const std::bad_alloc&) {
    trace_.clear();
  }
}

void Guard::trip(lua_State* lua, Trip kind) {
  record(lua, kind);
  raise(lua);
}

void Guard::refuse(lua_State* lua, const Refused& what) {
  if (trip_ == Trip::kNone) refused_ = what;
  trip(lua, what.limit_on);
}

void Guard::raise(lua_State* lua) {
  // An error object that needs no memory.
  lua_pushlightuserdata(lua, this);
  lua_error(lua);
  std::abort();
}

void Guard::note_memory_error() noexcept { record(lua_, Trip::kMemory); }

void Guard::keep(std::exception_ptr exception) noexcept {
  if (trip_ != Trip::kNone) return;
  try {
    std::rethrow_exception(exception);
  } catch (const BudgetSpent& spent) {
    return record(lua_, spent.why == Answer::kWork ? Trip::kWork : Trip::kTime);
  } catch (...) {
    kept_ = std::move(exception);
  }
  record(lua_, Trip::kHost);
}

// A watchdog counts a wish to stop as a deadline; without one the wish stands alone.
Meter::Answer Guard::account(std::int64_t units) {
  if (interrupt_requested()) return Answer::kInterrupted;
  if (!inside_) {
    account_between();
    return Answer::kGoOn;
  }
  if (counting_) spend(units);
  if (overspent()) return Answer::kWork;
  return watched_.is_late() ? Answer::kTime : Answer::kGoOn;
}

void Guard::account_between() {
  if (budget_.take_new_piece()) between_ = {};
  const auto units = budget_.charged_in_piece() + between_.in_parts;
  if (units > limit_of(limits_.work_units)) stop_between(Trip::kWork);
  if (!keeps_time() || limits_.time_seconds <= 0) return;
  if (between_.clock.look() > limits_.time_seconds) stop_between(Trip::kTime);
}

void Guard::stop_between(Trip kind) {
  errand_ = {"step of the engine", 0};
  record(lua_, kind);
  owner_->fail_tripped();
}

std::int64_t Guard::left() const {
  return counting_ && inside_ ? std::min(entry_left_, run_left_) : Budget::kUnlimited;
}

void* Guard::allocate(void* guard, void* block, std::size_t was, std::size_t wanted) {
  auto& self = *static_cast<Guard*>(guard);
  // Without a block Lua passes the type of the new object instead of a size.
  const std::size_t held = block == nullptr ? 0 : was;
  if (wanted > held && self.refuses(block, was, wanted)) return nullptr;
  void* got = self.heap_(self.heap_context_, block, was, wanted);
  if (got == nullptr && wanted != 0) {
    self.heap_exhausted_ = true;
    return nullptr;
  }
  self.usage_.memory_bytes -= held;
  self.grow(wanted);
  return got;
}

bool Guard::refuses(const void* block, std::size_t was, std::size_t wanted) {
  const bool is_string = block == nullptr && was == LUA_TSTRING;
  const bool too_long = is_string && wanted > kStringBytes + kStringHeader;
  const std::size_t more = block == nullptr ? wanted : wanted - was;
  if (!too_long && more <= hard_ - std::min(hard_, usage_.memory_bytes)) return false;
  if (too_long && refused_.amount == 0) refused_ = string_of(wanted - kStringHeader);
  // Strings are created between instructions, when the call stack can be walked; it
  // cannot while the stack itself is being reallocated.
  if (is_string && inside_) record(lua_, Trip::kMemory);
  return true;
}

void Guard::grow(std::size_t more) {
  usage_.memory_bytes += more;
  usage_.peak_memory_bytes = std::max(usage_.peak_memory_bytes, usage_.memory_bytes);
  if (usage_.memory_bytes <= soft_ || period_ == 1) return;
  hot_ = true;
  // Arming now would lose the count of the running thousand instructions; wait for its
  // end unless growth is so fast that the hard limit might be reached first.
  const bool can_wait = counting_ && usage_.memory_bytes / 2 <= soft_;
  if (inside_ && !can_wait) arm(1);
}

}  // namespace berth::bindings
