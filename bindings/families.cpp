#include "bindings/families.hpp"

#include <array>

namespace berth::bindings {

std::span<const Family> families() {
  static const std::array kFamilies{
      Family{"Job", "job", "A job: a small read-only value.", job_primitives()},
      Family{"View", "queue", "An ordered set of jobs: the queue and its other orders.",
             view_primitives()},
      Family{"Cluster", "cluster", "The machine, and what a policy can do to it.",
             cluster_primitives()},
      Family{"Plan", "plan", "When a job could start, and what is left over then.",
             plan_primitives()},
      Family{"Book", "book", "Reservations kept between decisions.", book_primitives()},
      Family{"Tiers", "cluster.tiers", "Foreground and background slots of processors.",
             tiers_primitives()},
      Family{"Network", "cluster.network", "Guaranteed bandwidth on a network.",
             network_primitives()},
      Family{"Packing", "cluster.packing", "Fractional shares of hosts.",
             packing_primitives()},
      Family{"Shares", "cluster.shares", "Who used how much, fading with time.",
             shares_primitives()},
  };
  return kFamilies;
}

}  // namespace berth::bindings
