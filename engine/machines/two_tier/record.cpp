#include <array>
#include <numeric>

#include "engine/machines/model_record.hpp"
#include "engine/machines/two_tier/tier_law.hpp"
#include "engine/machines/two_tier/tier_measure.hpp"
#include "engine/machines/two_tier/two_tier.hpp"

namespace berth {

namespace {

CpuNatures natures_of(const ModelSpec& spec) {
  return {settings_of<TwoTierSettings>(spec.machine), spec.seed, spec.attributes};
}

// A row does not tell which process sits on which processor.
audit::PlaceReader slots_of_tiers(const ModelSpec& spec) {
  return [processors = spec.machine.processors](
             const audit::Stay& stay) -> std::optional<Placement> {
    if (stay.places.empty() || !stay.tier || is_beyond(stay, processors)) {
      return std::nullopt;
    }
    return placement_of(TierSlots(*stay.tier, numbers_of(stay)));
  };
}

constexpr std::array kRefusals{kForegroundBusy, kNoRoom};

}  // namespace

ModelRecord two_tier_record() {
  return {
      .name = "two_tier",
      .help =
          "every processor has a foreground slot, and a background slot that runs "
          "on what the other leaves",
      .default_pick = Pick::kHighest,
      .default_migration_cost = seconds(20),
      .preempts = true,
      .settings =
          [] { return own_settings(TwoTierSettings{}, two_tier_setting_records()); },
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        return std::make_unique<TwoTier>(spec.machine.processors, spec.machine.pick,
                                         natures_of(spec));
      },
      .law = [](const ModelSpec& spec) -> std::unique_ptr<audit::Law> {
        return std::make_unique<audit::TierLaw>(spec.machine, spec.jobs,
                                                natures_of(spec));
      },
      .schedules = {PlaceForm::kSet, slots_of_tiers,
                    [](const ModelSpec& spec) -> std::unique_ptr<audit::Law> {
                      return std::make_unique<audit::TierLaw>(
                          spec.machine, spec.jobs, natures_of(spec),
                          audit::TierLaw::Processes::kUnnumbered);
                    }},
      .measure = [](const ModelSpec& spec,
                    const Window& window) -> std::unique_ptr<MachineMeasure> {
        const auto busy = [natures = natures_of(spec), jobs = spec.jobs](JobId job) {
          const auto uses = natures.of(job, jobs[index(job)].demand()).use;
          return std::accumulate(uses.begin(), uses.end(), 0.0);
        };
        return std::make_unique<TierMeasure>(busy, window);
      },
      .metrics = tier_metrics,
      .refusals = kRefusals,
      .job_files =
          [](const sim::Machine&) {
            return std::vector<JobFile>{{"workload.cpu_use", cpu_use_form()}};
          },
  };
}

}  // namespace berth
