#include "tests/support/noisy.hpp"

#include <array>

#include "bindings/value.hpp"
#include "engine/base/setting_list.hpp"
#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/machines/exclusive/exclusive_law.hpp"

namespace berth::test {

namespace {

class Noisy final : public SharingModel, public Neighbours {
 public:
  Noisy(std::int32_t processors, const NoisySettings& settings)
      : SharingModel(processors, {.guarantees_speed = false}),
        processors_(processors, Pick::kLowest),
        settings_(settings) {}

  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override {
    return processors_.choose(job, demand, where);
  }
  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override {
    return processors_.fits(job, demand);
  }
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected& affected) override {
    Grant grant;
    const auto granted =
        placement == nullptr
            ? processors_.grant(job, demand, nullptr, grant)
            : processors_.grant(job, demand, {job, 0, demand, *placement}, grant);
    BERTH_ASSERT(granted);
    processors_.take(grant, affected);
    jobs_.push_back(job);
    changed(affected);
  }
  void leave(JobId job, Affected& affected) override {
    processors_.leave(job, affected);
    std::erase(jobs_, job);
    changed(affected);
  }
  void freeze(JobId job, Frozen frozen, Affected& affected) override {
    processors_.freeze(job, frozen, affected);
  }
  [[nodiscard]] double rate(JobId job) const override {
    const double noise = neighbours(job) > 0 ? settings_.slowed : 1.0;
    return processors_.rate(job) * noise;
  }
  [[nodiscard]] const Placement& placement(JobId job) const override {
    return processors_.placement(job);
  }
  [[nodiscard]] std::int64_t neighbours(JobId) const override {
    return static_cast<std::int64_t>(jobs_.size()) - 1;
  }

 private:
  void changed(Affected& affected) {
    set_idle(processors_.idle());
    affected.insert(affected.end(), jobs_.begin(), jobs_.end());
  }

  Exclusive processors_;
  NoisySettings settings_;
  std::vector<JobId> jobs_;
};

class NoisyLaw final : public audit::ExclusiveLaw {
 public:
  NoisyLaw(const ModelSpec& spec, const NoisySettings& settings)
      : ExclusiveLaw(spec.machine, spec.jobs, terms_of_slowed(), nullptr),
        settings_(settings) {}

  [[nodiscard]] audit::Verdict start(JobId job, const Placement* placement,
                                     bool resumed) override {
    if (const auto fault = ExclusiveLaw::start(job, placement, resumed)) return fault;
    jobs_.push_back(job);
    return std::nullopt;
  }
  void leave(JobId job) override {
    ExclusiveLaw::leave(job);
    std::erase(jobs_, job);
  }
  [[nodiscard]] double rate(JobId job) const override {
    return ExclusiveLaw::rate(job) * (jobs_.size() > 1 ? settings_.slowed : 1.0);
  }
  [[nodiscard]] std::vector<JobId> take_affected() override { return jobs_; }

 private:
  static audit::LawTerms terms_of_slowed() {
    auto terms = countable();
    terms.is_countable = false;
    terms.guarantees_speed = false;
    return terms;
  }

  NoisySettings settings_;
  std::vector<JobId> jobs_;
};

std::vector<SettingOf<NoisySettings>> setting_records() {
  SettingList<NoisySettings> list;
  list.section("machine.noisy");
  list.real("slowed", {0, 1, true}, "rate of a job beside another one",
            &NoisySettings::slowed);
  return list.take();
}

int neighbours(lua_State* lua) {
  using namespace bindings;  // NOLINT(google-build-using-namespace)
  const auto* model = capability<Neighbours>(simulation(lua).world().hosts());
  const JobId job = read_job(lua, 2);
  lua_pushinteger(lua, model->neighbours(job));
  return 1;
}

constexpr std::array kPrimitives{
    bindings::Primitive{"neighbours", "job: Job", "integer", "Other jobs that run.",
                        "cluster:start(job) and cluster.noise:neighbours(job) == 0",
                        neighbours},
};

}  // namespace

ModelRecord noisy_record() {
  return {
      .name = "noisy",
      .help = "a job slows down while another job runs",
      .settings = [] { return own_settings(NoisySettings{}, setting_records()); },
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        return std::make_unique<Noisy>(spec.machine.processors,
                                       settings_of<NoisySettings>(spec.machine));
      },
      .law = [](const ModelSpec& spec) -> std::unique_ptr<audit::Law> {
        return std::make_unique<NoisyLaw>(spec,
                                          settings_of<NoisySettings>(spec.machine));
      },
  };
}

bindings::Family noise_family() {
  return {"Noise", "cluster.noise", "How noisy it is.", kPrimitives,
          [](const sim::World& world) {
            return capability<Neighbours>(world.hosts()) != nullptr;
          }};
}

}  // namespace berth::test
