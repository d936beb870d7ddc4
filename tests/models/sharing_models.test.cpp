#include "engine/models/sharing_models.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string_view>

using namespace berth;

TEST_SUITE("models/sharing_models") {
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
}
