#include "study/claims/claims_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/machines/metric_list.hpp"

namespace berth::study {

namespace {

std::string in_table(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string unit_of(const Claim& claim) {
  if (claim.rule.over == Over::kWins || claim.rule.as == As::kPercent) return "%";
  if (claim.rule.as == As::kPoints) return "points";
  return counts_a_job(claim) ? "a job" : metric_record(claim.metric).unit;
}

using EachPoint = std::vector<JudgedPoint>::const_iterator;

// "0.3 to 0.5, 0.9": the points for which `wanted` holds, neighbours as a range.
template <class Wanted>
std::string ranges(EachPoint from, EachPoint to, Wanted wanted) {
  std::vector<std::string> texts;
  while ((from = std::find_if(from, to, wanted)) != to) {
    const auto last = std::find_if_not(from, to, wanted) - 1;
    texts.push_back(from == last ? from->at
                                 : fmt::format("{} to {}", from->at, last->at));
    from = last + 1;
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// "holds at 0.3 to 0.7 of 0.3 to 0.9", for each series.
std::string where_it_holds(const std::vector<JudgedPoint>& each) {
  std::vector<std::string> texts;
  for (auto from = each.begin(); from != each.end();) {
    const auto to = std::find_if(from, each.end(), [&](const JudgedPoint& point) {
      return point.series != from->series;
    });
    const auto holds =
        ranges(from, to, [](const JudgedPoint& point) { return point.holds; });
    const auto all = ranges(from, to, [](const JudgedPoint&) { return true; });
    auto text = fmt::format("holds at {}", holds.empty() ? "none" : holds);
    const bool is_only = from->at.empty();  // the only point: it has no name
    if (is_only) text = from->holds ? "holds" : "does not hold";
    if (!is_only && holds != all) text += fmt::format(" of {}", all);
    const bool is_alone = from == each.begin() && to == each.end();
    texts.push_back(is_alone ? text : fmt::format("{} {}", from->series, text));
    from = to;
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string measured_text(const Claim& claim, const ClaimResult& result) {
  if (!result.value) return "no value";
  const bool is_value = claim.rule.as == As::kValue || claim.rule.over == Over::kWins;
  // A fraction, or a count a job, says nothing with one decimal.
  const auto unit = unit_of(claim);
  const int decimals = unit == "fraction" || unit == "a job" ? 3 : 1;
  auto text = is_value
                  ? fmt::format("{:.{}f} {}", *result.value, decimals, unit_of(claim))
                  : fmt::format("{:+.1f} {}", *result.value, unit_of(claim));
  if (result.half_width) {
    text += fmt::format(" ± {:.{}f}", *result.half_width, decimals);
  }
  text += fmt::format(" ({} {}, {} {})", result.points,
                      result.points == 1 ? "point" : "points", result.seeds,
                      result.seeds == 1 ? "seed" : "seeds");
  if (!result.point.empty()) text += fmt::format(" at {}", result.point);
  if (claim.rule.over == Over::kEach) {
    text += fmt::format(", {}", where_it_holds(result.each));
  }
  if (result.full_points > 0) {
    text += fmt::format(
        "; the queue is full for most of the time at {} of {} points: the value "
        "depends "
        "on the length of the workload",
        result.full_points, result.points);
  }
  return text;
}

std::string measured_text(const JudgedClaim& judged) {
  const auto& [claim, results] = judged;
  if (!claim.given.empty()) return claim.given;
  if (results.size() == 1) return measured_text(claim, results.front());
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    text += fmt::format("{}against {}: {}", i == 0 ? "" : "; ", claim.bases[i],
                        measured_text(claim, results[i]));
  }
  return text;
}

std::string_view verdict_text(const JudgedClaim& judged) {
  return judged.claim.given.empty() ? text_of(judged.verdict()) : "given";
}

Json json_of(const std::vector<JudgedPoint>& each) {
  auto list = Json::array();
  for (const auto& point : each) {
    list.append(
        Json{{"series", point.series}, {"at", point.at}, {"holds", point.holds}});
  }
  return list;
}

Json json_of(const JudgedClaim& judged) {
  const auto& [claim, results] = judged;
  Json json{{"id", claim.id},
            {"says", claim.says},
            {"own", claim.is_own},
            {"verdict", verdict_text(judged)}};
  if (claim.expected) json.add("expected", text_of(*claim.expected));
  if (!claim.given.empty()) {
    json.add("given", claim.given);
  } else {
    json.add("metric", claim.metric);
    json.add("unit", unit_of(claim));
    const auto& band = claim.rule.reproduced;
    json.add("reproduced", {{"least", band.least}, {"most", band.most}});
    if (claim.published) json.add("published", claim.published);
    auto list = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto& result = results[i];
      Json entry{{"verdict", text_of(result.verdict)},
                 {"value", result.value},
                 {"half_width", result.half_width},
                 {"points", result.points},
                 {"seeds", result.seeds},
                 {"full_points", result.full_points}};
      if (!claim.bases.empty()) entry.add("base", claim.bases[i]);
      if (!result.point.empty()) entry.add("at", result.point);
      if (claim.rule.over == Over::kEach) entry.add("each", json_of(result.each));
      list.append(std::move(entry));
    }
    json.add("results", std::move(list));
  }
  json.add("assumptions", claim.assumptions);
  return json;
}

std::string table_of(const ClaimsOutcome& outcome, std::string_view says, bool own) {
  auto text = fmt::format(
      "| claim | {} | berth measures | verdict | assumptions |\n"
      "|---|---|---|---|---|\n",
      says);
  for (const auto& judged : outcome.claims) {
    if (judged.claim.is_own != own) continue;
    text += fmt::format(
        "| {} | {} | {} | {} | {} |\n", in_table(judged.claim.id),
        in_table(judged.claim.says), in_table(measured_text(judged)),
        verdict_text(judged),
        in_table(fmt::format("{}", fmt::join(judged.claim.assumptions, "; "))));
  }
  return text;
}

}  // namespace

std::string claims_table(const ClaimsOutcome& outcome) {
  auto text = table_of(outcome, "the paper says", false);
  const bool has_own =
      std::any_of(outcome.claims.begin(), outcome.claims.end(),
                  [](const JudgedClaim& judged) { return judged.claim.is_own; });
  if (has_own) {
    text += "\nNot of the paper:\n\n" + table_of(outcome, "what is claimed", true);
  }
  if (!outcome.file.assumptions.empty()) {
    text += "\nFor all claims:\n\n";
    for (const auto& assumption : outcome.file.assumptions) {
      text += fmt::format("* {}\n", assumption);
    }
  }
  return text;
}

Json claims_json(const ClaimsOutcome& outcome) {
  auto claims = Json::array();
  for (const auto& judged : outcome.claims) claims.append(json_of(judged));
  return {{"format", 1},
          {"title", outcome.file.title},
          {"paper", outcome.file.paper},
          {"assumptions", outcome.file.assumptions},
          {"claims", std::move(claims)}};
}

}  // namespace berth::study
