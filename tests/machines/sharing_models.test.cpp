#include "engine/machines/sharing_models.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/explain/reason.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/metrics/metric_record.hpp"
#include "study/inputs/schedule_judge.hpp"

using namespace berth;

TEST_SUITE("machines/sharing_models") {
  TEST_CASE("every model is found by its name, and names are unique") {
    std::set<std::string_view> names;
    for (const auto& model : sharing_models()) {
      CHECK(find_model(model.name) == &model);
      CHECK_FALSE(model.help.empty());
      names.insert(model.name);
    }
    CHECK(names.size() == sharing_models().size());
    CHECK(names.count("exclusive") == 1);
  }

  TEST_CASE("an unknown name has no model") {
    CHECK(find_model("Exclusive") == nullptr);
    CHECK(find_model("") == nullptr);
  }

  TEST_CASE("a new machine of any model is idle") {
    for (const auto& model : sharing_models()) {
      CAPTURE(model.name);
      const auto machine = default_machine(model.name, 16);
      CHECK(make_model(machine, {})->idle() == machine.processors);
      CHECK(make_law(machine, {})->used() == 0);
    }
  }

  TEST_CASE("keys, metrics, columns and refusals of machines have names of their own") {
    // By name, whose it is.
    std::map<std::string, std::string_view> owners;
    const auto add = [&](std::string_view kind, std::string_view name,
                         std::string_view owner) {
      const auto added = owners.try_emplace(fmt::format("{} {}", kind, name), owner);
      CAPTURE(added.first->first);
      CAPTURE(added.first->second);
      CAPTURE(owner);
      CHECK(added.second);
    };
    for (const auto& record : common_metrics()) add("metric", record.name, "all");
    for (const auto why : common_reasons()) add("reason", why.record().name, "all");
    for (const auto name : {"busy", "held", "too_big"}) add("refusal", name, "all");
    for (const auto& model : sharing_models()) {
      if (model.settings != nullptr) {
        for (const auto& record : model.settings().records) {
          add("key", record.key(), model.name);
        }
      }
      if (model.metrics != nullptr) {
        for (const auto& record : model.metrics().records) {
          add("metric", record.name, model.name);
        }
      }
      for (const auto& column : model.place_columns) {
        add("column", column.name, model.name);
      }
      for (const auto refusal : model.refusals) {
        add("refusal", name(refusal), model.name);
        add("reason", refusal.word().why.name, model.name);
        CHECK(refusal.word().why.rank == kMachineRoomRank);
        CHECK_FALSE(refusal.word().why.help.empty());
      }
    }
  }

  TEST_CASE("every machine measures the metrics of its record, in their order") {
    for (const auto& model : sharing_models()) {
      if (model.metrics == nullptr) continue;
      CAPTURE(model.name);
      const auto machine = default_machine(model.name, 16);
      const auto values = make_measure(spec_of(machine, {}), {})->values();
      const auto records = model.metrics().records;
      for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(values[i].name == records.at(i).name);
        CHECK(values[i].unit == records.at(i).unit);
      }
    }
  }

  TEST_CASE("F29: every built-in model says what reads and judges its schedules") {
    for (const auto& model : sharing_models()) {
      CAPTURE(model.name);
      CHECK((model.schedules.law != nullptr));
      CHECK((model.schedules.places != nullptr));
      CHECK_NOTHROW(study::require_judge(model));
    }
  }

  TEST_CASE("F29: a model without a law for schedules is refused by its name") {
    auto model = *find_model("two_tier");
    model.schedules.law = nullptr;
    try {
      study::require_judge(model);
      FAIL("it is not refused");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUsage);
      CHECK(std::string_view(error.what()) ==
            "machine.sharing = \"two_tier\": no law judges schedules of this machine");
    }
  }
}
