#pragma once
// What an agent may decide in a pass: which of the first jobs of the queue to start, or
// to wait (docs/environment.md#decisions).
//
// A decision is a pass at which something besides waiting is allowed; a start leads to
// the next decision of the same pass, if there is one.
//
//   choose   what is allowed of the jobs shown
//   fitting  those that fit now
//   safe     those that fit now, and that a reservation for the first of the queue
//            admits, which is made anew for each decision
//   any      all; one that does not fit is the head until it starts, and until then
//            nothing is to be decided
//
// Determinism  Of the state of the simulation and the actions alone.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/sim/simulation.hpp"

namespace berth::learn {

enum class Choose : std::uint8_t { kFitting, kSafe, kAny };

struct Rules {
  Choose choose = Choose::kFitting;
  // Of kAny: starts, while the head waits, what a reservation for it admits, in the
  // order of the queue.
  bool backfills = false;

  // Whether a reservation is ever made, which some machines cannot.
  [[nodiscard]] bool plans() const { return choose == Choose::kSafe || backfills; }
};

// Of "fitting" and "none".  Throws Error{kUsage} with the names that there are, and for
// a backfill where the agent does not choose among all.
[[nodiscard]] Rules rules_of(std::string_view choose, std::string_view backfill);

class Decisions {
 public:
  // REQUIRES: shown > 0.
  Decisions(const Rules& rules, std::size_t shown);

  // Forgets the run before.
  void begin();
  // Does what is left to no decision, then finds what may be decided; whether anything
  // is.  REQUIRES: a pass is open.
  [[nodiscard]] bool find(sim::Simulation& simulation);
  // REQUIRES: what find() found stands, and allows this action.  Whether the pass goes
  // on: false once the agent waits.
  [[nodiscard]] bool take(sim::Simulation& simulation, std::size_t action);

  // These tell of the last find(): the jobs shown, the first of the queue by (submit,
  // id); which of them fit; what is allowed, job by job up to the number of jobs shown
  // at most, then whether to wait is.
  [[nodiscard]] std::span<const JobId> jobs() const { return jobs_; }
  [[nodiscard]] std::span<const std::uint8_t> fits() const { return fits_; }
  [[nodiscard]] std::span<const std::uint8_t> mask() const { return mask_; }
  // None of that any more.
  void clear();

 private:
  [[nodiscard]] bool serve_head(sim::Simulation& simulation);
  void backfill(sim::Simulation& simulation) const;
  void show(const sim::Simulation& simulation);
  [[nodiscard]] bool mark(sim::Simulation& simulation);

  Rules rules_;
  std::size_t shown_;
  std::vector<JobId> jobs_;
  std::vector<std::uint8_t> fits_;
  std::vector<std::uint8_t> mask_;
  std::optional<JobId> head_;
};

}  // namespace berth::learn
