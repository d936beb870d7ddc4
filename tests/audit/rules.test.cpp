// The rules that messages name stand in docs/model.md, under the anchor they point to.

#include "engine/audit/rules.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

#include "engine/audit/audit_failure.hpp"
#include "engine/machines/fractional/fraction_law.hpp"
#include "engine/machines/network/network_law.hpp"
#include "engine/machines/two_tier/tier_law.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)

TEST_SUITE("audit/rules") {
  TEST_CASE("each rule is explained in docs/model.md by code and name") {
    std::ostringstream text;
    text << std::ifstream(test::source_root() + "/docs/model.md").rdbuf();
    const auto page = text.str();
    const std::array rules{
        kCapacity,      kTiers,         kWholePlacement,  kWorkDone,     kWorkBalance,
        kTimeBalance,   kRates,         kUtilisation,     kTimeOrder,    kJobStates,
        kActionCount,   kHeadPromise,   kKeptReservation, kTopFirst,     kInOrder,
        kFirstIfItFits, kPassesLeftOut, kConstantKey,     kSlots,        kLinks,
        kMemory,        kShares,        kMemoryMoved,     kDependencies, kHostsUp,
        kAttempts};
    for (const auto& rule : rules) {
      CAPTURE(rule.code);
      std::string anchor(rule.code);
      anchor[0] = static_cast<char>(std::tolower(anchor[0]));
      const auto at = page.find(fmt::format("<a id=\"{}\"></a>", anchor));
      REQUIRE(at != std::string::npos);
      CHECK(page.find(fmt::format("**{} {}", rule.code, rule.name), at) < at + 40);
      CHECK(Violation{rule, 0, {}, ""}.text().rfind(
                fmt::format("{} broken ({}, docs/model.md#{})", rule.name, rule.code,
                            anchor),
                0) == 0);
    }
  }
}
