#include "engine/machines/sharing_models.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/fractions.hpp"
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
