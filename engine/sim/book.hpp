#pragma once
// The policy's book of reservations as a decision uses it: ReservationBook, told what
// the simulation knows (now, the queue in an order, who has overrun).
//
// Source       conservative backfilling; spec: backfilling 5.2.

#include "engine/sim/simulation.hpp"

namespace berth::sim {

class Book {
 public:
  explicit Book(Simulation& simulation) : simulation_(simulation) {}

  // Work through the queue in this order; see ReservationBook::update.
  Updated update(std::size_t order, Compress compress);
  void rebuild(std::size_t order);
  // REQUIRES (else Error{kPolicy}): the job waits or is suspended.
  std::optional<Time> place(JobId job);

 private:
  [[nodiscard]] Request request(JobId job) const;
  [[nodiscard]] std::span<const Request> read(std::size_t order);

  Simulation& simulation_;
};

}  // namespace berth::sim
