#pragma once
// What packers hold while one instance is packed, or during one decision of a run: the
// packings, and the draft that a function of the script is filling.

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "bindings/machine_calls.hpp"
#include "engine/machines/fractional/pack/draft.hpp"
#include "engine/machines/fractional/packer.hpp"

namespace berth::bindings {

using pack::PackingRules;
using pack::PackingTask;

class Packings final : public CaseAtHand {
 public:
  // Jobs that were handed to a packer, as a problem of their own.  A job has a number:
  // in a study that of the instance, in a run that of its JobId.
  struct Subject {
    const pack::Problem* problem = nullptr;
    bool is_whole = false;       // all of an instance
    std::vector<int> jobs = {};  // their numbers, ascending; empty if it is the whole
    pack::Problem part = {};

    // Of a job of the problem.
    [[nodiscard]] int number(int job) const {
      return is_whole ? job : jobs[static_cast<std::size_t>(job)];
    }
    // The job of the problem with this number; nullopt: it has none.
    [[nodiscard]] std::optional<int> find(int number) const;
  };
  struct Held {
    const Subject* subject;
    pack::Packing packing;
    bool is_raised = false;
    bool is_applied = false;
  };
  // What a function of the script works on.
  struct Filling {
    pack::Draft draft;
    const Subject* subject;
    std::size_t number = 0;  // of the handle; each call has its own
    std::vector<std::vector<int>> orders = {};
  };

  // Serves a study; `call` is the number of the call of `pack`.
  Packings(const PackingTask& task, std::int64_t call)
      : task_(&task), rules_(task.rules), number_(call), whole_{&task.problem, true} {}
  // Of the present decision.
  explicit Packings(sim::Simulation& simulation);

  // Null in a run.
  [[nodiscard]] const PackingTask* task() const { return task_; }
  [[nodiscard]] const PackingRules& rules() const { return rules_; }
  // Counts the calls of `pack`, or is that of the decision.
  [[nodiscard]] std::int64_t number() const override { return number_; }
  [[nodiscard]] std::string where() const override;
  int job_member(lua_State* lua) override;
  [[nodiscard]] std::int64_t read_rank(lua_State* lua, int at) override;
  [[nodiscard]] std::string job_text(std::uint64_t number) const override;
  // GiB of a host; 1 in a study, where memory is a part of a host.
  [[nodiscard]] double host_memory() const { return host_memory_; }
  // Of `numbers`, in any order, each once.  Error{kPolicy} for a job that has left.
  [[nodiscard]] const Subject& subject(std::vector<int>& numbers);

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
  // Survives a raise.
  std::vector<int> jobs;

 private:
  const PackingTask* task_ = nullptr;
  sim::Simulation* simulation_ = nullptr;
  PackingRules rules_ = {};
  std::int64_t number_ = 0;
  double host_memory_ = 1;
  Subject whole_;
  std::deque<Subject> parts_;
  std::deque<Held> held_;
};

// The desk of the instance, or of the decision.  Raises on a machine without packing,
// outside of both, and inside a packer.
[[nodiscard]] Packings& packings(lua_State* lua);
// The same for a method of `packing`; counts the call.
[[nodiscard]] Packings& self_packer(lua_State* lua);
// Raises unless stack index `at` is absent or a table of these options.
void check_options(lua_State* lua, int at, std::span<const std::string_view> known);
// packing:admit, packing:apply.
int admit_to_packing(lua_State* lua);
int apply_packing(lua_State* lua);
// The same while it is in use.
[[nodiscard]] Packings& packings_in_use(lua_State* lua);
// That of the instance at hand; null: in a run.
[[nodiscard]] inline Packings* packings_at_hand(lua_State* lua) {
  return dynamic_cast<Packings*>(border(lua).at_hand);
}
// A job of the instance at hand, by its number in the items.
void push_item(lua_State* lua, int job);
// The number of a job made by push_item().
[[nodiscard]] int read_item(lua_State* lua, int at);

// What these calls keep for one policy.
struct PackingsKept {
  std::optional<Packings> of_run;      // of a decision; nullopt: none yet
  std::int64_t calls = 0;              // of `pack`
  const void* packer_table = nullptr;  // of a study
};
[[nodiscard]] PackingsKept& packings_kept(lua_State* lua);
[[nodiscard]] Kind packing_kind();
[[nodiscard]] Kind draft_kind();

// Members of handles: arguments handle and key.
int packing_member(lua_State* lua);
int draft_member(lua_State* lua);

[[nodiscard]] std::span<const Primitive> packer_primitives();
[[nodiscard]] std::span<const Primitive> packed_primitives();
[[nodiscard]] std::span<const Primitive> draft_primitives();
// The number of a job at stack index `at` (see Packings::Subject).
[[nodiscard]] int read_packed_number(lua_State* lua, int at);
// Pushes the job of this number.
void push_packed_number(lua_State* lua, int number);

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
  auto& desk = packings_in_use(lua);
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
