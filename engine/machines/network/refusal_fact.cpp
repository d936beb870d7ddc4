#include "engine/machines/network/refusal_fact.hpp"

#include <fmt/format.h>

#include <array>

namespace berth {

namespace {

constexpr double kKbitPerMbit = 1000.0;

void write_link(const NoPlace::Link& link, FieldWriter& to) {
  const std::array ends{link.lower, link.upper};
  to.texts("link", ends);
  to.number("needed", static_cast<double>(link.needed) / kKbitPerMbit);
  to.number("left", static_cast<double>(link.left) / kKbitPerMbit);
}

}  // namespace

void RefusalFact::fields(FieldWriter& to) const {
  if (const auto why = network_.why_refused(job_, demand_)) {
    to.whole("vms", why->vms);
    if (!why->node.empty()) {
      to.whole("level", why->level);
      to.text("switch", why->node);
    }
    if (why->link) write_link(*why->link, to);
  }
  if (const auto known = weights()) to.numbers("weights", known->weights);
}

std::string RefusalFact::words() const {
  const auto why = network_.why_refused(job_, demand_);
  if (!why || why->node.empty()) return {};
  auto text = fmt::format("below {}", why->node);
  if (const auto& link = why->link) {
    text += fmt::format("; link {} to {}: {} Mb/s needed, {} left", link->lower,
                        link->upper, static_cast<double>(link->needed) / kKbitPerMbit,
                        static_cast<double>(link->left) / kKbitPerMbit);
  }
  return text;
}

}  // namespace berth
