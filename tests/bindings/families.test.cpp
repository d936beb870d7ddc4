// Every record of the policy API: its sentence, its example, its wrong calls.

#include "bindings/families.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "engine/hosts/sharing_model.hpp"
#include "tests/bindings/scene.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/kinds.hpp"

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
      if (family.type == "Draft")
        continue;  // tests/bindings/machines/fractional_packing.test.cpp
      if (family.type == "Run") continue;  // tests/bindings/odd_values.test.cpp
      for (const auto& primitive : family.primitives) {
        CAPTURE(primitive.example);
        const bool tiers = family.type == "Tiers";
        const bool network = family.type == "Network" || family.type == "Placement";
        const bool hosts = family.type == "Hosts";
        const bool packs = family.type == "Packer" || family.type == "Packed";
        const std::string locals =
            packs ? "local packing, jobs = cluster.packing, {} for each in queue:all() "
                    "do jobs[#jobs + 1] = each end "
                  : "";
        const auto said = play(
            once(locals + "print((" + std::string(primitive.example) + ") == true)"),
            two_jobs(),
            network ? a_network_machine(4)
            : tiers ? a_two_tier_machine(4)
            : packs ? a_fractional_machine(4, 0.125)
            : hosts ? with_hosts({{"host", 2, 2}})
                    : a_machine(4));
        CHECK(said.error.empty());
        CHECK(said.printed == "true\n");
        ++tried;
      }
    }
    CHECK(tried > 70);
  }

  TEST_CASE("the families are those of the reference") {
    std::vector<std::string_view> types;
    for (const auto& family : bindings::families()) types.push_back(family.type);
    std::sort(types.begin(), types.end());
    CHECK(types == std::vector<std::string_view>{"Book", "Cluster", "Draft", "Hosts",
                                                 "Job", "Network", "Packed", "Packer",
                                                 "Placement", "Plan", "Run", "Shares",
                                                 "Tiers", "View"});
  }

  TEST_CASE("every call of a family that the machine lacks says so") {
    for (const auto& family : bindings::machine_families()) {
      const std::string name(family.name());
      for (const auto& primitive : family.primitives) {
        auto jobs = two_jobs();
        jobs[0].user = kUnknown;
        const auto said =
            play(once(fmt::format("cluster.{}:{}(job)", name, primitive.name)), jobs);
        CAPTURE(primitive.name);
        CHECK(said.fails_with("this machine has no " + name));
        CHECK(said.code == ErrorCode::kPolicy);
      }
    }
  }

  TEST_CASE("users are kept for a policy of which a text or a formula names them") {
    const auto asks = [](const std::string& text,
                         bindings::PolicyOptions options = {}) {
      const bindings::LuaPolicy policy({"mine", "mine.lua", text}, options);
      return policy.traits().asks_for_users;
    };
    const std::string head = "return { schedule = function() end, ";
    CHECK_FALSE(asks(head + "}"));
    CHECK(asks(once("cluster.shares:rank(7)")));
    CHECK(asks(head + "order = 'fair_share' }"));
    CHECK(asks(head + "order = 'fair_' .. 'sh' .. 'are' }"));
    const auto formula = [](const std::string& text) {
      return "orders = { mine = { refresh = 'every_pass', formula = '" + text +
             "' } } }";
    };
    CHECK_FALSE(asks(head + formula("size")));
    CHECK(asks(head + formula("factor")));
    bindings::PolicyOptions with_library;
    with_library.library = [](std::string_view) {
      return bindings::LoadedSource{"lib/by.lua", "return function(c) c.shares() end"};
    };
    CHECK(asks("require 'by' " + head + "}", with_library));
  }

  TEST_CASE("a policy that puts the name of users together is told to write it out") {
    const std::string says =
        "users are not kept, since no text of this policy says 'share': write "
        "cluster.shares or \"fair_share\" out";
    CHECK(play(once("cluster['sh' .. 'ares']:usage(job)")).fails_with(says));
    CHECK(play(once("queue:by('fair_' .. 'sh' .. 'are')")).fails_with(says));
    CHECK(play(once("print(cluster:has('sh' .. 'ares'))")).printed == "false\n");
    CHECK(play(once("print(cluster:has('shares'))")).printed == "true\n");
  }

  TEST_CASE("a family of another build is one that the machine lacks") {
    CHECK(play(once("print(cluster:has('network'))")).printed == "false\n");
  }

  TEST_CASE("a policy is given further families by records") {
    static constexpr std::array kNoise{bindings::Primitive{
        "level", "", "integer", "How loud it is.", "cluster.noise:level() == 3",
        [](lua_State* lua) -> int { return lua_pushinteger(lua, 3), 1; }}};
    static const std::array kFamilies{bindings::Family{
        "Noise", "cluster.noise", "Noise of neighbours.", kNoise,
        [](const sim::World& world) { return world.hosts().idle() == 4; }}};
    bindings::PolicyOptions options;
    options.families = kFamilies;
    const auto text = once(
        "print(cluster:has('noise'), cluster.noise:level(), cluster:has('tiers'))");
    CHECK(play(text, two_jobs(), a_machine(4), options).printed == "true\t3\tfalse\n");
    CHECK(play(text, two_jobs(), a_machine(5), options)
              .fails_with("this machine has no noise"));
    CHECK(play(once("cluster.noise.level(3)"), two_jobs(), a_machine(4), options)
              .fails_with("level: call it with a colon: cluster.noise:level(...)"));
  }
}
