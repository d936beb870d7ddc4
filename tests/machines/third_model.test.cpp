// A third sharing model, from outside of the engine: tests/support/noisy.{hpp,cpp} and
// nothing else make it.

#include <doctest/doctest.h>

#include "bindings/lua_policy.hpp"
#include "engine/audit/auditor.hpp"
#include "engine/machines/two_tier/tier_slots.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/noisy.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Heard {
  std::map<std::int64_t, Remembering::Span> spans;
  std::string printed;
  std::map<std::string, std::int64_t> checked;
};

// A run of the policy on four noisy processors, under a full audit.
Heard hear(const std::string& text, const std::vector<Job>& jobs,
           std::optional<double> slowed, const ModelRecord& record = noisy_record()) {
  const auto own = record.settings();
  auto machine = a_machine(4);
  machine.model_settings = own.defaults;
  if (slowed) own.records.front().set(machine.model_settings, *slowed);
  const auto spec = berth::spec_of(machine, jobs);

  Heard heard;
  const std::array families{noise_family()};
  bindings::PolicyOptions options;
  options.families = families;
  options.print = [&](std::string_view line) { heard.printed += line; };
  bindings::LuaPolicy policy({"test", "test.lua", text}, options);
  sim::Simulation simulation(machine, {}, jobs, policy, record.make(spec));
  audit::Auditor auditor({machine, {}, jobs, policy.traits()}, record.law(spec));
  Remembering watched;
  simulation.audience().observe(watched);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  heard.spans = watched.spans;
  heard.checked = auditor.checked();
  return heard;
}

constexpr const char* kFcfs = R"(return { schedule = function(queue, cluster)
  for job in queue:startable() do
    cluster:start(job)
    print(cluster:has("noise"), cluster.noise:neighbours(job))
  end
end })";

const std::vector<Job>& two_jobs() {
  static const std::vector kJobs{a_job(1, 0, 1, 10, 100), a_job(2, 0, 1, 10, 100)};
  return kJobs;
}

// A pool that answers in the form of a machine with tiers.
class Foreign final : public SharingModel {
 public:
  Foreign() : SharingModel(4, {.fits_by_count = true}) {}
  [[nodiscard]] Result<Placement, Refusal> choose(JobId, const Demand&,
                                                  const Placement*) const override {
    return placement_of(TierSlots(Tier::kForeground, {0, 1}));
  }
  [[nodiscard]] bool fits(JobId, const Demand&) const override { return true; }
  void put(JobId, const Demand&, const Placement*, Affected&) override {}
  void leave(JobId, Affected&) override {}
  void freeze(JobId, Frozen, Affected&) override {}
  [[nodiscard]] double rate(JobId) const override { return 1; }
  [[nodiscard]] const Placement& placement(JobId) const override { return nowhere_; }

 private:
  Placement nowhere_;
};

}  // namespace

TEST_SUITE("machines/third_model") {
  TEST_CASE("a placement in the form of another machine is no grant") {
    const Foreign machine;
    const Placement where = IntervalSet(0, 3);
    Grant grant;
    try {
      (void)machine.grant(JobId{0}, Demand{2}, &where, grant);
      FAIL("it was granted");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kPolicy);
      CHECK(std::string_view(error.what()) ==
            "start: the placement 0-1 is in the form of another machine");
    }
  }

  TEST_CASE("two jobs side by side run at half speed, under audit") {
    const auto heard = hear(kFcfs, two_jobs(), std::nullopt);
    CHECK(heard.spans.at(1).end == 20.0);
    CHECK(heard.spans.at(2).end == 20.0);
    CHECK(heard.checked.at("W4") > 0);
    CHECK(heard.checked.at("C1") == 2);
  }

  TEST_CASE("its setting is read through its record") {
    const auto heard = hear(kFcfs, two_jobs(), 0.25);
    CHECK(heard.spans.at(1).end == 40.0);
  }

  TEST_CASE("a job is alone again when its neighbour has left") {
    const auto heard =
        hear(kFcfs, {a_job(1, 0, 1, 10, 100), a_job(2, 0, 1, 4, 100)}, std::nullopt);
    CHECK(heard.spans.at(2).end == 8.0);
    CHECK(heard.spans.at(1).end == 14.0);  // 8 s at half speed, then 6 s
  }

  TEST_CASE("its family is found by the capability that it uses") {
    CHECK(hear(kFcfs, two_jobs(), std::nullopt).printed.find("true") !=
          std::string::npos);
  }

  TEST_CASE("its law finds a model that runs at another rate") {
    auto wrong = noisy_record();
    wrong.make = [](const ModelSpec& spec) {
      return find_model("exclusive")->make(spec);
    };
    const std::string quiet =
        "return { schedule = function(queue, cluster) "
        "cluster:start_all(queue) end }";
    CHECK_THROWS_AS((void)hear(quiet, two_jobs(), std::nullopt, wrong),
                    audit::AuditFailure);
  }
}
