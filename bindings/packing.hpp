#pragma once
// What a packer holds while it packs one instance: its packings, and the draft that a
// function of the script is filling.

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "bindings/value.hpp"
#include "engine/pack/draft.hpp"

namespace berth::bindings {

class Packings {
 public:
  // Jobs that were handed to a packer, as a problem of their own.
  struct Subject {
    const pack::Problem* problem = nullptr;
    std::vector<int> jobs = {};  // their numbers in the instance; empty: all of it
    pack::Problem part = {};

    [[nodiscard]] bool is_whole() const { return jobs.empty(); }
  };
  struct Held {
    const Subject* subject;
    pack::Packing packing;
    bool is_raised = false;
  };
  // What a function of the script works on.
  struct Filling {
    pack::Draft draft;
    std::size_t number = 0;  // of the handle; each call has its own
    std::vector<std::vector<int>> orders = {};
  };

  explicit Packings(const PackingTask& task) : task_(task), whole_{&task.problem} {}

  [[nodiscard]] const PackingTask& task() const { return task_; }
  [[nodiscard]] const pack::Problem& instance() const { return task_.problem; }
  // `jobs` in any order, each once.
  [[nodiscard]] const Subject& subject(std::vector<int>& jobs);

  // Keeps a packing; its number.
  std::size_t keep(Held held);
  [[nodiscard]] Held& held(std::size_t number) { return held_[number]; }
  [[nodiscard]] std::size_t count() const { return held_.size(); }

  // The packing that failed last.
  std::optional<pack::Packing> failure;
  // The draft that a function is filling; null: none does.
  Filling* filling = nullptr;
  std::size_t fillings = 0;
  // A function of the script runs inside a packer: it may only use its draft.
  bool is_inside = false;
  // Survive a raise.
  std::vector<int> jobs;
  std::vector<char> seen;

 private:
  const PackingTask& task_;
  Subject whole_;
  std::deque<Subject> parts_;
  std::deque<Held> held_;
};

// The instance at hand.  Raises outside of a packing study, and inside a packer.
[[nodiscard]] Packings& packings(lua_State* lua);

// A function of the script failed; its error object is on top of the stack.
struct ScriptFailed {};
// It returned what is no finite number.
struct NoNumber {};

// Calls the function below its `arguments` on top of the stack, which returns
// `results` values.  Throws ScriptFailed.  For C++ code that Lua called.
void call_inside(lua_State* lua, Packings& desk, int arguments, int results);
// A key of the script for one task: the function at stack index `at`.  Throws both.
[[nodiscard]] double key_inside(lua_State* lua, Packings& desk, int at, double cpu,
                                double memory);

// Runs `make()`, which returns a packing and may call the two above; pushes the
// packing, or nil and "no_packing".
template <class Make>
int push_packed(lua_State* lua, const Packings::Subject& subject, const Make& make);

// "sum", "difference", "ratio" or "max" at a stack index.
[[nodiscard]] pack::Key read_key(lua_State* lua, int at);
// Options: members of the table at `at`, which may be absent.  Pushes the value.
void push_option(lua_State* lua, int at, const char* name);
[[nodiscard]] double number_option(lua_State* lua, int at, const char* name,
                                   double absent);

// Implementation.
enum class Ended : std::uint8_t { kWell, kScript, kNumber, kHost };
int push_kept(lua_State* lua, std::size_t number, Ended ended);
constexpr std::size_t kNoPacking = static_cast<std::size_t>(-1);
[[nodiscard]] std::size_t keep_packing(Packings& desk, const Packings::Subject& subject,
                                       pack::Packing packing);

template <class Make>
int push_packed(lua_State* lua, const Packings::Subject& subject, const Make& make) {
  auto& desk = *border(lua).packings;
  auto ended = Ended::kWell;
  auto number = kNoPacking;
  try {
    number = keep_packing(desk, subject, make());
  } catch (const ScriptFailed&) {
    ended = Ended::kScript;
  } catch (const NoNumber&) {
    ended = Ended::kNumber;
  } catch (...) {
    keep_error(lua, std::current_exception());
    ended = Ended::kHost;
  }
  return push_kept(lua, number, ended);
}

}  // namespace berth::bindings
