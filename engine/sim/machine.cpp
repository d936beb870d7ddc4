#include "engine/sim/machine.hpp"

#include "engine/base/error.hpp"
#include "engine/hosts/sharing_models.hpp"

namespace berth::sim {

Machine usual_machine(std::string_view sharing, std::int32_t processors) {
  const auto* model = find_sharing_model(sharing);
  BERTH_ASSERT(model != nullptr);
  Machine machine;
  machine.processors = processors;
  machine.sharing = sharing;
  machine.pick = model->default_pick;
  machine.preemption = model->preempts;
  machine.migration_cost = model->default_migration_cost;
  return machine;
}

}  // namespace berth::sim
