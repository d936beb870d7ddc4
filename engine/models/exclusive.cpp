#include "engine/hosts/exclusive.hpp"

#include "engine/audit/laws/exclusive_law.hpp"
#include "engine/models/records.hpp"

namespace berth {

ModelRecord exclusive_record() {
  return {
      .name = "exclusive",
      .help = "every processor serves one job at a time, at full speed",
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        return std::make_unique<Exclusive>(spec.machine.processors, spec.machine.pick);
      },
      .law = [](const ModelSpec& spec) -> std::unique_ptr<audit::Law> {
        return std::make_unique<audit::ExclusiveLaw>(spec.machine, spec.jobs);
      },
  };
}

}  // namespace berth
