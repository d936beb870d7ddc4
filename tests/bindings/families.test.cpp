// Every record of the policy API: its sentence, its example, its wrong calls.

#include "bindings/families.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <set>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("bindings/families") {
  TEST_CASE("every brief is a sentence, every name a word, none twice in a family") {
    for (const auto& family : bindings::families()) {
      CHECK(family.brief.ends_with('.'));
      std::set<std::string_view> names;
      for (const auto& primitive : family.primitives) {
        CAPTURE(primitive.name);
        CHECK(names.insert(primitive.name).second);
        REQUIRE(primitive.brief.size() > 8);
        CHECK(std::isupper(static_cast<unsigned char>(primitive.brief.front())));
        CHECK(primitive.brief.ends_with('.'));
        CHECK(primitive.brief.find("  ") == std::string_view::npos);
        CHECK_FALSE(primitive.example.empty());
      }
    }
  }

  TEST_CASE("every example is true on an idle machine") {
    std::int64_t tried = 0;
    for (const auto& family : bindings::families()) {
      for (const auto& primitive : family.primitives) {
        CAPTURE(primitive.example);
        const bool tiers = family.type == "Tiers";
        const auto said =
            play(once("print((" + std::string(primitive.example) + ") == true)"),
                 two_jobs(), tiers ? a_two_tier_machine(4) : a_machine(4));
        CHECK(said.error.empty());
        CHECK(said.printed == "true\n");
        ++tried;
      }
    }
    CHECK(tried > 80);
  }

  TEST_CASE("the families are those of the reference") {
    std::vector<std::string_view> types;
    for (const auto& family : bindings::families()) types.push_back(family.type);
    std::sort(types.begin(), types.end());
    CHECK(types == std::vector<std::string_view>{"Book", "Cluster", "Job", "Network",
                                                 "Packing", "Plan", "Shares", "Tiers",
                                                 "View"});
  }

  TEST_CASE("every call of a family that the machine lacks says so") {
    for (const auto& family : bindings::families()) {
      const auto dot = family.reach.find('.');
      if (family.reach.substr(0, dot) != "cluster" || dot == std::string_view::npos)
        continue;
      const std::string name(family.reach.substr(dot + 1));
      for (const auto& primitive : family.primitives) {
        const auto said =
            play(once(fmt::format("cluster.{}:{}(job)", name, primitive.name)));
        CAPTURE(primitive.name);
        CHECK(said.fails_with("this machine has no " + name));
        CHECK(said.code == ErrorCode::kPolicy);
      }
    }
  }
}
