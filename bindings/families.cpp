#include "bindings/families.hpp"

#include <algorithm>
#include <array>

#include "bindings/machines/fractional.hpp"
#include "bindings/machines/network.hpp"
#include "bindings/machines/two_tier.hpp"
#include "engine/sim/world.hpp"

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
      Family{"Packed", "packed",
             "A packing: a host for each task, a yield for each job.",
             packed_primitives()},
      Family{"Draft", "draft", "A packing in the making at one yield, in a fill.",
             draft_primitives()},
      Family{"Placement", "placement", "Where a job would be put on a network.",
             placement_primitives()},
      Family{"Run", "run", "What `check` and `holds` of a case are given: a run.",
             run_primitives()},
      // From here on: families that only some machines have.
      Family{"Tiers", "cluster.tiers",
             "Foreground and background slots (machines with two tiers).",
             tiers_primitives(),
             [](const sim::World& world) { return has_tiers(world.hosts()); }},
      Family{
          "Network", "cluster.network",
          "Servers with slots, and the links between them (machines with a network).",
          network_primitives(),
          [](const sim::World& world) { return has_network(world.hosts()); }},
      Family{
          "Packer", "cluster.packing",
          "Packers: jobs in, a packing out (machines shared by fractions); the first "
          "argument of `pack`, too.",
          packer_primitives(),
          [](const sim::World& world) { return has_fractions(world.hosts()); }},
      Family{"Shares", "cluster.shares",
             "What users have been charged, and their weights (workloads that name "
             "users).",
             shares_primitives(),
             [](const sim::World& world) { return world.shares() != nullptr; }},
      Family{"Hosts", "cluster.hosts",
             "Hosts with processors, memory and other kinds (machines with hosts).",
             hosts_primitives(),
             [](const sim::World& world) {
               const auto* machine = world.hosts().kinds();
               return machine != nullptr && machine->room().hosts() > 0;
             }},
  };
  return kFamilies;
}

bool has_member(std::string_view reach, std::string_view name) {
  const auto all = families();
  const auto family = std::find_if(
      all.begin(), all.end(), [&](const auto& each) { return each.reach == reach; });
  if (family == all.end()) return false;
  const auto members = family->primitives;
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& member) { return member.name == name; });
}

std::span<const Family> machine_families() {
  const auto all = families();
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& family) {
    return family.serves != nullptr;
  });
  return all.subspan(static_cast<std::size_t>(first - all.begin()));
}

}  // namespace berth::bindings
