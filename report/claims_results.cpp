#include "report/claims_results.hpp"

#include "engine/output/json_reading.hpp"

namespace berth::report {

namespace {

ClaimMeasured measured(const JsonReader& json) {
  ClaimMeasured made;
  made.base = json.text_or("base", {});
  made.verdict = json.text("verdict");
  made.value = json.number_or_null("value");
  made.half_width = json.number_or_null("half_width");
  made.points = json.whole<std::int64_t>("points");
  made.seeds = json.whole<std::int64_t>("seeds");
  made.at = json.text_or("at", {});
  return made;
}

ClaimRow row(const JsonReader& json, Budget& budget) {
  ClaimRow made;
  made.id = json.text("id");
  made.says = json.text("says");
  made.is_own = json.flag("own");
  made.verdict = json.text("verdict");
  made.given = json.text_or("given", {});
  made.metric = json.text_or("metric", {});
  made.unit = json.text_or("unit", {});
  made.assumptions = json.texts("assumptions");
  if (const auto reproduced = json.find("reproduced")) {
    made.least = reproduced->number_or_null("least");
    made.most = reproduced->number_or_null("most");
  }
  made.published = json.number_or_null("published");
  const auto results = json.find("results");
  if (!results) return made;
  for (const auto& result : results->elements()) {
    budget.charge();
    made.results.push_back(measured(result));
  }
  return made;
}

}  // namespace

ClaimsResults read_claims_results(const std::string& name, std::string_view text,
                                  Budget& budget) {
  const JsonReader json(name, text);
  json.need_format_1("claims.json");
  ClaimsResults made;
  made.title = json.text("title");
  made.paper = json.text("paper");
  made.assumptions = json.texts("assumptions");
  for (const auto& claim : json.member("claims").elements()) {
    made.claims.push_back(row(claim, budget));
  }
  return made;
}

}  // namespace berth::report
