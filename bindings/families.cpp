#include "bindings/families.hpp"

#include <algorithm>
#include <vector>

#include "bindings/machine_calls.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/sim/world.hpp"

namespace berth::bindings {

namespace {

std::vector<Family> all_families() {
  std::vector<Family> all{
      {"Job", "job", "A job: a small read-only value.", job_primitives()},
      {"View", "queue", "An ordered set of jobs: the queue and its other orders.",
       view_primitives()},
      {"Cluster", "cluster", "The machine, and what a policy can do to it.",
       cluster_primitives()},
      {"Plan", "plan", "When a job could start, and what is left over then.",
       plan_primitives()},
      {"Book", "book", "Reservations kept between decisions.", book_primitives()}};
  for (const auto& calls : machine_calls()) {
    all.insert(all.end(), calls.objects.begin(), calls.objects.end());
  }
  all.push_back(
      {"Run", "run",
       "What `check` and `holds` of a case are given: the run that a metric is "
       "given, ToolRun, with whole levels, and these members besides.",
       run_primitives(), nullptr, "ToolRun"});
  // From here on: families that only some machines, or workloads, have.
  for (const auto& calls : machine_calls()) {
    all.insert(all.end(), calls.families.begin(), calls.families.end());
  }
  all.push_back(
      {"Shares", "cluster.shares",
       "What users have been charged, and their weights (workloads that name users).",
       shares_primitives(),
       [](const sim::World& world) { return world.shares() != nullptr; }});
  all.push_back({"Hosts", "cluster.hosts",
                 "Hosts with processors, memory and other kinds (machines with hosts).",
                 hosts_primitives(), [](const sim::World& world) {
                   const auto* machine = world.hosts().kinds();
                   return machine != nullptr && machine->room().hosts() > 0;
                 }});
  return all;
}

}  // namespace

std::span<const Family> families() {
  static const auto kFamilies = all_families();
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
