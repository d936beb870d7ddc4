#pragma once
// Where the time of a policy goes: the calls of the API that its script makes, and the
// entries into it that took longest.
//
// A time is of the steady clock and without the calls within it, so that all of them
// add up to the time in the script.  What is timed are methods; fields (`job.size`) and
// the steps of a walk (`for job in queue:all()`) belong to the script itself.  A method
// that raises an error is timed until the method or entry around it ends.
//
// Cost         The clock is read twice a call.
// Determinism  Counts are those of the run; times are not.  No decision depends on
//              either.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::bindings {

class CallProfile {
 public:
  using Clock = std::chrono::steady_clock;

  // A method of the API, or what the script does itself in entries of one kind.
  struct Counted {
    std::string name;
    CallProfile* profile;
    lua_CFunction call = nullptr;  // null: no method
    std::int64_t calls = 0;
    Clock::duration alone{};
    std::int64_t calls_of_entry = 0;  // since the outermost entry began
  };
  struct Row {
    std::string name;  // "cluster:start", "decision"
    std::int64_t calls = 0;
    double seconds = 0;
    bool is_script = false;  // the script itself, not a method
  };
  // An entry within no other one.
  struct Entry {
    std::string kind;         // "decision", "on_end hook"
    std::int64_t number = 0;  // of the decision
    Time at = 0;
    std::size_t waiting = 0;  // jobs, as it begins
    double seconds = 0;
    std::vector<Row> asked{};  // methods called, most calls first, ties by name
  };
  static constexpr std::size_t kSlowest = 10;

  CallProfile() = default;
  CallProfile(const CallProfile&) = delete;
  CallProfile& operator=(const CallProfile&) = delete;

  std::string label;  // of the policy

  // The address stays.
  [[nodiscard]] Counted& method(std::string name, lua_CFunction call);

  // Around a call.  `end` gets what `begin` returned, and returns when that was.
  [[nodiscard]] std::size_t begin(Counted& counted);
  Clock::time_point end(std::size_t depth);
  // Around an entry; in pairs, nested as they come.
  void enter(std::string_view kind, std::int64_t number, Time at, std::size_t waiting);
  void leave();

  // What was called at least once, by time, longest first; ties by name.
  [[nodiscard]] std::vector<Row> rows() const;
  // By time, longest first; of equal ones the earlier.  At most kSlowest.
  [[nodiscard]] const std::vector<Entry>& slowest() const { return slowest_; }
  // In all outermost entries.
  [[nodiscard]] std::int64_t entries() const { return entries_; }
  [[nodiscard]] double seconds() const;

 private:
  struct OpenCall {
    Counted* counted;
    Clock::time_point since;
    Clock::duration within{};  // in calls that this one made
  };
  [[nodiscard]] std::vector<Row> asked() const;
  void keep(Entry entry, double seconds);

  std::deque<Counted> counted_;
  std::vector<OpenCall> frames_;
  std::vector<std::size_t> depths_;  // of `frames_`, below each entry
  std::vector<Counted*> touched_;    // by the outermost entry
  std::optional<Entry> at_hand_;     // the outermost entry
  std::vector<Entry> slowest_;
  std::int64_t entries_ = 0;
  Clock::duration total_{};
};

// A method with the upvalues of its own, up to four, and as the fifth what counts it.
int timed_call(lua_State* lua);
// The C function on top, of a timed call the one that is timed.
[[nodiscard]] lua_CFunction method_of(lua_State* lua);

}  // namespace berth::bindings
