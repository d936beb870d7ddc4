#include "study/claims/conversion.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kLongestSays = 72;
constexpr double kUsualSize = 1.0 / 3.0;

std::string lua_text(std::string_view text) {
  std::string made = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') made += '\\';
    made += byte < 0x20 ? fmt::format("\\{:03}", byte) : std::string(1, letter);
  }
  return made + "\"";
}

std::string lua_number(double value) {
  if (std::isinf(value)) return value < 0 ? "-math.huge" : "math.huge";
  return fmt::format("{}", value);
}

std::string lua_of(const toml::node& node);

std::string list_of(const toml::array& list) {
  std::vector<std::string> parts;
  for (const auto& each : list) parts.push_back(lua_of(each));
  return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

// A list of one stands for its element.
std::string lua_of(const toml::node& node) {
  if (const auto* list = node.as_array()) {
    return list->size() == 1 ? lua_of(list->front()) : list_of(*list);
  }
  if (const auto text = node.value<std::string>(); text && node.is_string()) {
    return lua_text(*text);
  }
  if (node.is_boolean()) return *node.value<bool>() ? "true" : "false";
  if (const auto value = node.value<double>()) return lua_number(*value);
  return "nil";
}

// The text cut at a word, to be `most` characters wide with " ...".
std::string cut(const std::string& text, std::size_t most) {
  auto end = std::min(text.size(), most - 4);
  end = text.rfind(' ', end);
  return text.substr(0, end == std::string::npos ? most - 4 : end) + " ...";
}

class Converter {
 public:
  explicit Converter(const toml::table& claim) : claim_(claim) {}

  std::string converted() {
    const auto says = text("says");
    part(lua_text(text("id")));
    add("says", lua_text(says.size() > kLongestSays ? cut(says, kLongestSays) : says));
    if (says.size() > kLongestSays) add("note", lua_text(says));
    copy("given", "given");
    if (text("given").empty()) judged();
    copy("own", "own");
    assumes();
    return fmt::format("claim {{ {} }}\n", fmt::join(parts_, ",\n        "));
  }

 private:
  [[nodiscard]] std::string text(std::string_view key) const {
    return claim_[key].value_or(std::string());
  }
  [[nodiscard]] std::optional<std::pair<double, double>> bounds(
      std::string_view key) const {
    const auto* list = claim_[key].as_array();
    if (list == nullptr || list->size() != 2) return std::nullopt;
    const auto least = (*list)[0].value<double>();
    const auto most = (*list)[1].value<double>();
    if (!least || !most) return std::nullopt;
    return std::pair{*least, *most};
  }

  void part(std::string of) { parts_.push_back(std::move(of)); }
  void add(std::string_view key, const std::string& value) {
    part(fmt::format("{} = {}", key, value));
  }
  void copy(std::string_view from, std::string_view to) {
    if (const auto* node = claim_.get(from)) add(to, lua_of(*node));
  }

  void assumes() {
    std::vector<std::string> all;
    if (text("best") == "stand-in") {
      all.push_back(lua_text("a workload that stands in for the paper's"));
    }
    if (const auto* list = claim_["assumptions"].as_array()) {
      for (const auto& each : *list) all.push_back(lua_of(each));
    }
    if (!all.empty()) add("assumes", fmt::format("{{ {} }}", fmt::join(all, ", ")));
  }

  void judged() {
    const auto as = text("as");
    const bool is_value = !claim_.contains("base");
    sweeps();
    copy("base_sweeps", "against_in");
    copy("policies", "of");
    copy("base", "against");
    copy("metric", "metric");
    if (as == "points") add("unit", lua_text("pp"));
    places();
    add("rule", lua_text(rule(is_value)));
    if (text("over") == "weighted") add("weight", lua_text("jobs"));
    const auto direction = bounds("direction");
    const auto band = direction ? direction : bounds("reproduced");
    const bool is_below =
        !is_value && (text("direction") == "worse" ||
                      (text("direction").empty() && band && band->second <= 0));
    if (is_below) add("side", lua_text("worse"));
    sizes(is_value, is_below ? -1.0 : 1.0);
  }

  // The gain in the last one less that in the first, or in all.
  void sweeps() {
    const auto* all = claim_["sweeps"].as_array();
    if (text("over") != "sweeps" || all == nullptr || all->empty()) {
      return copy("sweeps", "sweep");
    }
    add("sweep", lua_of(all->back()));
    add("than", lua_of(all->front()));
    if (!claim_.contains("as")) add("unit", lua_text("pp"));
  }

  [[nodiscard]] std::string rule(bool is_value) const {
    struct Rule {
      std::string_view over, of_gain, of_value;
    };
    constexpr std::array<Rule, 6> kRules{{{"each", "always", "values"},
                                          {"largest", "up_to", "up_to"},
                                          {"smallest", "up_to", "up_to"},
                                          {"growth", "grows", "grows"},
                                          {"wins", "mostly", "value"},
                                          {"sweeps", "larger_gain", "value"}}};
    const auto at = std::find_if(kRules.begin(), kRules.end(), [&](const auto& rule) {
      return rule.over == text("over");
    });
    if (at == kRules.end()) return is_value ? "value" : "on_average";
    return std::string(is_value ? at->of_value : at->of_gain);
  }

  // The side that is claimed is positive: `sign` turns the numbers of the other.
  void sizes(bool is_value, double sign) {
    auto published = claim_["published"].value<double>();
    auto wanted = bounds("reproduced");
    if (!wanted && is_value) wanted = bounds("direction");
    if (sign < 0 && published) published = -*published;
    if (sign < 0 && wanted) wanted = {-wanted->second, -wanted->first};
    if (published) {
      add("number", lua_number(*published));
      add("figure", lua_text("the paper"));  // the old form did not say where
    }
    if (!wanted) return;
    const double room = published ? kUsualSize * std::abs(*published) + 0.1 : 0;
    const bool is_usual = published && *published - wanted->first <= room &&
                          wanted->second - *published <= room;
    if (is_usual) return;
    add("within", fmt::format("{{ {}, {} }}", lua_number(wanted->first),
                              lua_number(wanted->second)));
  }

  void places() {
    const auto* where = claim_["where"].as_table();
    if (where == nullptr) return;
    std::vector<std::string> all;
    for (const auto& [key, values] : *where) {
      all.push_back(fmt::format("[{}] = {}", lua_text(key.str()), lua_of(values)));
    }
    add("at", fmt::format("{{ {} }}", fmt::join(all, ", ")));
  }

  const toml::table& claim_;
  std::vector<std::string> parts_;
};

}  // namespace

std::string converted_claims(const std::string& name, std::string_view text) {
  const auto root = parse_toml(name, text);
  std::vector<std::string> head;
  for (const auto& [from, to] : {std::pair{"title", "title"}, std::pair{"paper", "by"},
                                 std::pair{"assumptions", "assumes"}}) {
    if (const auto* node = root.get(from)) {
      head.push_back(fmt::format("{} = {}", to, lua_of(*node)));
    }
  }
  const auto* claims = root["claim"].as_array();
  if (claims == nullptr || claims->empty()) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: there is no [[claim]] in it", printable_name(name)));
  }
  auto made = fmt::format("paper {{ {} }}\n", fmt::join(head, ",\n        "));
  for (const auto& claim : *claims) {
    if (const auto* table = claim.as_table()) made += Converter(*table).converted();
  }
  return made;
}

}  // namespace berth::study
