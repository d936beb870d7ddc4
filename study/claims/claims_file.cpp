#include "study/claims/claims_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/metric_list.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

namespace {

constexpr std::array<std::string_view, 4> kTop{"title", "paper", "assumptions",
                                               "claim"};
constexpr std::array<std::string_view, 18> kKeys{
    "id",        "says",      "given", "sweeps", "base_sweeps", "policies",
    "base",      "metric",    "as",    "over",   "where",       "reproduced",
    "published", "direction", "best",  "expect", "assumptions", "own"};
// In the order of the enumerations.
constexpr std::array<std::string_view, 3> kAs{"percent", "points", "value"};
constexpr std::array<std::string_view, 8> kOver{
    "mean", "largest", "smallest", "each", "growth", "wins", "weighted", "sweeps"};
constexpr std::array<std::string_view, 2> kBest{"reproduced", "stand-in"};
constexpr std::array<std::string_view, 2> kDirections{"better", "worse"};
constexpr std::array<std::string_view, 6> kVerdicts{"reproduced",
                                                    "right size, stand-in workload",
                                                    "right sign, other size",
                                                    "not shown on the stand-in",
                                                    "not reproduced",
                                                    "opposite"};

class ClaimsReader {
 public:
  ClaimsReader(const std::string& name, std::string_view text)
      : name_(name), lines_(text), problems_(name) {}

  ClaimsFile read(const toml::table& root) {
    for (const auto& [key, node] : root) read_top(key, node);
    if (file_.claims.empty()) complain(root, "there is no [[claim]] in it");
    problems_.throw_if_any();
    return std::move(file_);
  }

 private:
  void read_top(const toml::key& key, const toml::node& node) {
    if (key.str() == "title") return read_text(key.str(), node, file_.title);
    if (key.str() == "paper") return read_text(key.str(), node, file_.paper);
    if (key.str() == "assumptions") {
      return read_texts(key.str(), node, file_.assumptions);
    }
    if (key.str() != "claim") return unknown(key, kTop);
    const auto* list = node.as_array();
    if (list == nullptr) return complain(node, "claim: write [[claim]]");
    for (const auto& entry : *list) {
      if (const auto* table = entry.as_table()) {
        read_claim(*table);
      } else {
        complain(entry, "claim: write [[claim]]");
      }
    }
  }

  void read_claim(const toml::table& table) {
    Claim claim;
    claim.places[""] = place_text(table);
    for (const auto& [key, node] : table) {
      claim.places[std::string(key.str())] = place_text(node);
      read_key(claim, key, node);
    }
    if (claim.id.empty() || claim.says.empty()) {
      complain(table, "a claim needs id and says");
    }
    if (claim.given.empty()) check_judged(table, claim);
    const auto same = [&](const auto& other) { return other.id == claim.id; };
    if (std::any_of(file_.claims.begin(), file_.claims.end(), same)) {
      complain(table, fmt::format("there are two claims '{}'", printable(claim.id)));
    }
    file_.claims.push_back(std::move(claim));
  }

  void check_judged(const toml::table& table, Claim& claim) {
    if (claim.sweeps.empty() || claim.policies.empty() || claim.metric.empty()) {
      return complain(table,
                      "a claim that is judged needs sweeps, policies and metric");
    }
    check_metric(table, claim);
    check_published(table, claim);
    check_direction(table, claim);
    auto& bases = claim.base_sweeps;
    if (bases.empty()) bases = claim.sweeps;
    if (bases.size() == 1) bases.resize(claim.sweeps.size(), bases.front());
    if (bases.size() != claim.sweeps.size()) {
      complain(table, "base_sweeps: name one, or one for each of sweeps");
    }
    if (claim.rule.over == Over::kSweeps && claim.sweeps.size() < 2) {
      complain(*table.get("over"), "over: \"sweeps\" compares at least two sweeps");
    }
  }

  void check_metric(const toml::table& table, const Claim& claim) {
    std::vector<std::string_view> known(kCountsAJob.begin(), kCountsAJob.end());
    for (const auto& metric : metric_records()) known.push_back(metric.name);
    // Of a class: its name stands behind "@" and is known to the scenario.
    const auto name = std::string_view(claim.metric).substr(0, claim.metric.find('@'));
    if (is_utilisation_of_kind(name)) return;
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    complain(*table.get("metric"),
             fmt::format("metric: there is no metric {}{}", printable(claim.metric),
                         did_you_mean(claim.metric, known)));
  }

  void check_published(const toml::table& table, const Claim& claim) {
    if (!claim.published || claim.rule.reproduced.has(*claim.published)) return;
    complain(*table.get("published"), "published: lies outside of reproduced");
  }

  // A value without a base has no side: its direction is where the paper has it.
  void check_direction(const toml::table& table, Claim& claim) {
    auto& rule = claim.rule;
    if (const auto* as = table.get("as");
        as != nullptr && claim.bases.empty() != (rule.as == As::kValue)) {
      complain(*as, "as: \"value\" is for claims without a base, the others need one");
    }
    if (claim.bases.empty()) rule.as = As::kValue;
    const auto* direction = table.get("direction");
    if (direction != nullptr && direction->is_string() && rule.as == As::kValue) {
      complain(*direction,
               "direction: a value without a base is neither better nor worse: give "
               "[least, most]");
    }
    if (direction != nullptr) return;
    const bool has_size = table.contains("reproduced");
    if (has_size && rule.as == As::kValue) {
      rule.direction = rule.reproduced;
    } else if (has_size && rule.over != Over::kWins && rule.reproduced.least >= 0) {
      rule.direction.least = 0;
    } else if (has_size && rule.over != Over::kWins && rule.reproduced.most <= 0) {
      rule.direction.most = 0;
    } else {
      complain(table,
               "a claim needs the side that is claimed: direction = \"better\" or "
               "\"worse\", or [least, most] for the whole interval");
    }
  }

  void read_key(Claim& claim, const toml::key& key, const toml::node& node) {
    const auto name = key.str();
    if (name == "id") return read_text(name, node, claim.id);
    if (name == "says") return read_text(name, node, claim.says);
    if (name == "given") return read_text(name, node, claim.given);
    if (name == "sweeps") return read_texts(name, node, claim.sweeps);
    if (name == "base_sweeps") return read_texts(name, node, claim.base_sweeps);
    if (name == "policies") return read_texts(name, node, claim.policies);
    if (name == "base") return read_bases(node, claim.bases);
    if (name == "metric") return read_text(name, node, claim.metric);
    if (name == "assumptions") return read_texts(name, node, claim.assumptions);
    if (name == "reproduced") return read_bounds(name, node, claim.rule.reproduced);
    if (name == "published") return read_number(name, node, claim.published);
    if (name == "direction") return read_direction(node, claim.rule.direction);
    if (name == "as") return read_word(name, node, kAs, claim.rule.as);
    if (name == "over") return read_word(name, node, kOver, claim.rule.over);
    if (name == "where") return read_where(node, claim.where);
    if (name == "best") return read_word(name, node, kBest, claim.rule.on_stand_in);
    if (name == "own") return read_flag(name, node, claim.is_own);
    if (name == "expect") {
      return read_word(name, node, kVerdicts, claim.expected.emplace());
    }
    unknown(key, kKeys);
  }

  void read_direction(const toml::node& node, Bounds& direction) {
    if (!node.is_string()) return read_bounds("direction", node, direction);
    bool is_worse = false;
    read_word("direction", node, kDirections, is_worse);
    (is_worse ? direction.most : direction.least) = 0;
  }

  void read_text(std::string_view name, const toml::node& node, std::string& to) {
    const auto* text = node.as_string();
    if (text == nullptr) {
      return complain(node, fmt::format("{}: {} is not text", name, kind_of(node)));
    }
    to = text->get();
  }

  void read_flag(std::string_view name, const toml::node& node, bool& to) {
    const auto* flag = node.as_boolean();
    if (flag == nullptr) {
      return complain(node, fmt::format("{}: must be true or false", name));
    }
    to = flag->get();
  }

  void read_number(std::string_view name, const toml::node& node,
                   std::optional<double>& to) {
    if (!node.is_number()) {
      return complain(node, fmt::format("{}: must be a number", name));
    }
    to = node.value<double>();
  }

  void read_texts(std::string_view name, const toml::node& node,
                  std::vector<std::string>& to) {
    const auto* list = node.as_array();
    if (list == nullptr) {
      return complain(node, fmt::format("{}: must be a list of texts", name));
    }
    for (const auto& entry : *list) read_text(name, entry, to.emplace_back());
  }

  void read_bounds(std::string_view name, const toml::node& node, Bounds& to) {
    const auto* list = node.as_array();
    const bool right = list != nullptr && list->size() == 2 && (*list)[0].is_number() &&
                       (*list)[1].is_number();
    const double least = right ? (*list)[0].value<double>().value() : 1;
    const double most = right ? (*list)[1].value<double>().value() : 0;
    if (!(least <= most)) {
      return complain(node, fmt::format("{}: must be [least, most]", name));
    }
    to = {least, most};
  }

  template <class Word, std::size_t Count>
  void read_word(std::string_view name, const toml::node& node,
                 const std::array<std::string_view, Count>& words, Word& to) {
    const auto* text = node.as_string();
    const auto at = text == nullptr
                        ? words.end()
                        : std::find(words.begin(), words.end(), text->get());
    if (at == words.end()) {
      return complain(node, fmt::format("{}: must be one of \"{}\"", name,
                                        fmt::join(words, "\", \"")));
    }
    to = static_cast<Word>(at - words.begin());
  }

  void read_bases(const toml::node& node, std::vector<std::string>& to) {
    if (node.is_string()) return read_text("base", node, to.emplace_back());
    read_texts("base", node, to);
  }

  void read_where(const toml::node& node,
                  std::map<std::string, std::vector<std::string>>& to) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      return complain(node, "where: must be a table: { \"workload.load\" = [0.9] }");
    }
    for (const auto& [key, values] : *table) {
      const auto* list = values.as_array();
      if (list == nullptr) {
        complain(values, fmt::format("where: {} must be a list", printable(key.str())));
      } else {
        read_values(*list, to[std::string(key.str())]);
      }
    }
  }

  static void read_values(const toml::array& list, std::vector<std::string>& to) {
    for (const auto& entry : list) {
      if (const auto value = value_of(entry)) to.push_back(text_of(*value));
    }
  }

  template <std::size_t Count>
  void unknown(const toml::key& key, const std::array<std::string_view, Count>& known) {
    problems_.add(lines_.place(key.source().begin),
                  fmt::format("{}: there is no such key{}", printable(key.str()),
                              did_you_mean(key.str(), known)));
  }

  [[nodiscard]] std::string place_text(const toml::node& node) const {
    const auto place = lines_.place(node.source().begin);
    return fmt::format("{}:{}:{}", name_, place.line, place.column);
  }

  void complain(const toml::node& node, std::string what) {
    problems_.add(lines_.place(node.source().begin), std::move(what));
  }

  std::string name_;
  TomlLines lines_;
  Problems problems_;
  ClaimsFile file_;
};

}  // namespace

bool counts_a_job(const Claim& claim) {
  return std::find(kCountsAJob.begin(), kCountsAJob.end(), claim.metric) !=
         kCountsAJob.end();
}

ClaimsFile read_claims(const std::string& name, std::string_view text) {
  const auto root = parse_toml(name, text);
  return ClaimsReader(name, text).read(root);
}

std::vector<std::string> sweeps_of(const ClaimsFile& file) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const auto& claim : file.claims) {
    for (const auto& name : claim.sweeps) add(name);
    for (const auto& name : claim.base_sweeps) add(name);
  }
  return names;
}

}  // namespace berth::study
