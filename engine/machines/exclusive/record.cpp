#include <array>

#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/machines/exclusive/exclusive_law.hpp"
#include "engine/machines/exclusive/failing_hosts.hpp"
#include "engine/machines/exclusive/kind_measure.hpp"
#include "engine/machines/exclusive/kinds_law.hpp"
#include "engine/machines/model_record.hpp"
#include "engine/sim/job_needs.hpp"

namespace berth {

namespace {

audit::PlaceReader sets_of_processors(const ModelSpec& spec) {
  return [processors = spec.machine.processors](
             const audit::Stay& stay) -> std::optional<Placement> {
    if (stay.places.empty() || stay.tier || is_beyond(stay, processors)) {
      return std::nullopt;
    }
    return set_of(stay);
  };
}

std::shared_ptr<const Needs> needs_of(const ModelSpec& spec) {
  auto needs =
      berth::needs_of(spec.machine, spec.jobs, spec.attributes.get(), spec.order);
  if (spec.machine.life.has_events()) add_needs_of_hosts(spec.machine, *needs);
  return needs;
}

std::unique_ptr<SharingModel> exclusive_model(const ModelSpec& spec) {
  const auto& machine = spec.machine;
  if (machine.resources.empty()) {
    if (machine.life.has_events()) return std::make_unique<FailingHosts>(machine);
    return std::make_unique<Exclusive>(machine.processors, machine.pick);
  }
  auto needs = needs_of(spec);
  if (machine.life.has_events()) {
    return std::make_unique<FailingHosts>(machine, std::move(needs));
  }
  return std::make_unique<Exclusive>(machine.processors, machine.resources,
                                     std::move(needs), machine.pick);
}

std::unique_ptr<audit::Law> exclusive_law(const ModelSpec& spec) {
  const auto& machine = spec.machine;
  if (machine.resources.empty()) {
    return std::make_unique<audit::ExclusiveLaw>(machine, spec.jobs);
  }
  return std::make_unique<audit::KindsLaw>(machine, spec.jobs, needs_of(spec));
}

}  // namespace

ModelRecord exclusive_record() {
  static constexpr std::array kRefusals{kHostsDown, kWindow, kUserWindow};
  return {
      .name = "exclusive",
      .help = "every processor serves one job at a time, at full speed",
      .make = exclusive_model,
      .law = exclusive_law,
      .schedules = {PlaceForm::kSet, sets_of_processors, exclusive_law},
      .measure = [](const ModelSpec& spec,
                    const Window& window) -> std::unique_ptr<MachineMeasure> {
        const auto& machine = spec.machine;
        if (machine.resources.empty()) return nullptr;
        return std::make_unique<KindMeasure>(
            kinds_of(machine.processors, machine.resources), needs_of(spec), window);
      },
      .refusals = kRefusals,
  };
}

}  // namespace berth
