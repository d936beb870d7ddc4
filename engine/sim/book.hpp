#pragma once
// The policy's book of reservations as a decision uses it: ReservationBook with the
// time and the queue of a simulation.
//
// Source       conservative backfilling: Mu'alem and Feitelson 2001;
//              docs/model.md#conservative.

#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::sim {

class Book {
 public:
  explicit Book(Simulation& simulation) : simulation_(simulation) {}

  // Each change REQUIRES (else Error{kPolicy}) a decision: hooks and functions passed
  // in only read the book.

  // ReservationBook::update and rebuild over the members of the queue in this order;
  // other jobs lose their reservations.
  Updated update(std::size_t order, Compress compress);
  void rebuild(std::size_t order);
  // nullopt: as ReservationBook::place, or a limit bars the job.
  // REQUIRES (else Error{kPolicy}): the job waits or is suspended.
  std::optional<Time> place(JobId job);
  void drop(JobId job);

 private:
  [[nodiscard]] ReservationBook& change(const char* action);
  [[nodiscard]] Request request(JobId job) const;
  [[nodiscard]] Members read(std::size_t order);

  Simulation& simulation_;
};

}  // namespace berth::sim
