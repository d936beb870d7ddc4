#include "bindings/machine_calls.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth::bindings {

const MachineCalls* calls_of(std::string_view machine) {
  for (const auto& calls : machine_calls()) {
    if (calls.machine == machine) return &calls;
  }
  return nullptr;
}

const HandleKind* handle_of_machine(Kind kind) {
  auto number = static_cast<std::size_t>(kind);
  constexpr auto kCommon = static_cast<std::size_t>(Kind::kOfMachines);
  if (number < kCommon) return nullptr;
  number -= kCommon;
  for (const auto& calls : machine_calls()) {
    if (number < calls.handles.size()) return &calls.handles[number];
    number -= calls.handles.size();
  }
  return nullptr;
}

Kind kind_of(const HandleKind& handle) {
  auto number = static_cast<std::size_t>(Kind::kOfMachines);
  for (const auto& calls : machine_calls()) {
    for (const auto& each : calls.handles) {
      if (&each == &handle) return static_cast<Kind>(number);
      ++number;
    }
  }
  BERTH_ASSERT(false);
  return Kind::kOfMachines;
}

const Family& object_family(std::string_view type) {
  const auto all = families();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const auto& family) { return family.type == type; });
  BERTH_ASSERT(at != all.end());
  return *at;
}

}  // namespace berth::bindings
