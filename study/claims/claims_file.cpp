#include "study/claims/claims_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/metrics/metric_record.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

namespace {

constexpr std::array<std::string_view, 4> kTop{"title", "paper", "assumptions",
                                               "claim"};
constexpr std::array<std::string_view, 15> kKeys{
    "id",         "says",      "given",  "sweeps", "base_sweeps",
    "policies",   "base",      "metric", "over",   "where",
    "reproduced", "direction", "best",   "expect", "assumptions"};
constexpr std::string_view kBest = "best";
constexpr std::array<std::string_view, 3> kCounts{"kills_a_job", "migrations_a_job",
                                                  "swaps_a_job"};

class ClaimsReader {
 public:
  ClaimsReader(const std::string& name, std::string_view text)
      : name_(printable_name(name)), lines_(text), problems_(name) {}

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
    const auto at = lines_.place(table.source().begin);
    claim.place = fmt::format("{}:{}:{}: ", name_, at.line, at.column);
    for (const auto& [key, node] : table) read_key(claim, key, node);
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
    if (claim.sweeps.empty() || claim.policies.empty() || claim.base.empty() ||
        claim.metric.empty()) {
      return complain(table,
                      "a claim that is judged needs sweeps, policies, base and metric");
    }
    auto& bases = claim.base_sweeps;
    if (bases.empty()) bases = claim.sweeps;
    if (bases.size() == 1) bases.resize(claim.sweeps.size(), bases.front());
    if (bases.size() != claim.sweeps.size()) {
      complain(table, "base_sweeps: name one, or one for each of sweeps");
    }
    find_direction(table, claim.rule);
  }

  // The side claimed, from the paper's value where the file does not say it.
  void find_direction(const toml::table& table, ClaimRule& rule) {
    if (table.contains("direction")) return;
    const auto& value = rule.reproduced;
    if (table.contains("reproduced") && value.least >= 0 && value.most > 0) {
      rule.direction.least = 0;
    } else if (table.contains("reproduced") && value.most <= 0 && value.least < 0) {
      rule.direction.most = 0;
    } else {
      complain(table,
               "direction: say which side is claimed, such as [0, 100000] for better; "
               "it follows from reproduced where that lies on one side of 0");
    }
  }

  void read_metric(const toml::node& node, std::string& to) {
    read_text("metric", node, to);
    if (to.empty() || is_claim_metric(to)) return;
    std::vector<std::string_view> known(kCounts.begin(), kCounts.end());
    for (const auto& record : metric_records()) known.push_back(record.name);
    complain(node, fmt::format("metric: there is no metric '{}'{}", printable(to),
                               did_you_mean(to, known)));
  }

  void read_expected(const toml::node& node, Claim& claim) {
    constexpr std::array<std::string_view, 3> kWords{"reproduced", "direction only",
                                                     "not reproduced"};
    ClaimVerdict verdict{};
    const auto problems = problems_.size();
    read_word("expect", node, kWords, verdict);
    if (problems_.size() == problems) claim.expected = verdict;
  }

  void read_key(Claim& claim, const toml::key& key, const toml::node& node) {
    const auto name = key.str();
    if (name == "id") return read_text(name, node, claim.id);
    if (name == "says") return read_text(name, node, claim.says);
    if (name == "given") return read_text(name, node, claim.given);
    if (name == "sweeps") return read_texts(name, node, claim.sweeps);
    if (name == "base_sweeps") return read_texts(name, node, claim.base_sweeps);
    if (name == "policies") return read_texts(name, node, claim.policies);
    if (name == "base") return read_text(name, node, claim.base);
    if (name == "metric") return read_metric(node, claim.metric);
    if (name == "expect") return read_expected(node, claim);
    if (name == "assumptions") return read_texts(name, node, claim.assumptions);
    if (name == "reproduced") return read_bounds(name, node, claim.rule.reproduced);
    if (name == "direction") return read_bounds(name, node, claim.rule.direction);
    if (name == "over") return read_over(node, claim.rule.over);
    if (name == "where") return read_where(node, claim.where);
    if (name == kBest) return read_best(node, claim.rule.best);
    unknown(key, kKeys);
  }

  void read_text(std::string_view name, const toml::node& node, std::string& to) {
    const auto* text = node.as_string();
    if (text == nullptr) {
      return complain(node, fmt::format("{}: {} is not text", name, kind_of(node)));
    }
    to = text->get();
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
      return complain(node, fmt::format("{}: must be [least, most] in per cent", name));
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

  void read_over(const toml::node& node, Over& to) {
    constexpr std::array<std::string_view, 3> kWords{"mean", "largest", "smallest"};
    read_word("over", node, kWords, to);
  }

  void read_best(const toml::node& node, ClaimVerdict& to) {
    constexpr std::array<std::string_view, 2> kWords{"reproduced", "direction only"};
    read_word(kBest, node, kWords, to);
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

  void complain(const toml::node& node, std::string what) {
    problems_.add(lines_.place(node.source().begin), std::move(what));
  }

  std::string name_;
  TomlLines lines_;
  Problems problems_;
  ClaimsFile file_;
};

}  // namespace

ClaimsFile read_claims(const std::string& name, std::string_view text) {
  try {
    const auto root = toml::parse(text, std::string_view(name));
    return ClaimsReader(name, text).read(root);
  } catch (const toml::parse_error& error) {
    Problems problems(name);
    problems.add(TomlLines(text).place(error.source().begin),
                 syntax_problem(error.description()));
    problems.throw_if_any();
    throw;
  }
}

bool is_claim_metric(std::string_view name) {
  if (std::find(kCounts.begin(), kCounts.end(), name) != kCounts.end()) return true;
  const auto records = metric_records();
  return std::any_of(records.begin(), records.end(), [&](const auto& record) {
    return record.name == name.substr(0, name.find('@'));
  });
}

void keep_claims(ClaimsFile& file, const std::vector<std::string>& ids) {
  std::vector<std::string_view> known;
  for (const auto& claim : file.claims) known.push_back(claim.id);
  for (const auto& id : ids) {
    if (std::find(known.begin(), known.end(), id) != known.end()) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--claim: there is no claim '{}'{}",
                                               printable(id), did_you_mean(id, known)));
  }
  std::erase_if(file.claims, [&](const Claim& claim) {
    return std::find(ids.begin(), ids.end(), claim.id) == ids.end();
  });
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
