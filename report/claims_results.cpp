#include "report/claims_results.hpp"

#include "engine/output/json_reading.hpp"

namespace berth::report {

namespace {

ClaimRow row(const JsonReader& json) {
  ClaimRow made;
  made.id = json.text("id");
  made.says = json.text_or("reading", json.text("says"));
  made.is_own = json.flag("own");
  made.verdict = json.text("verdict");
  made.given = json.text_or("given", {});
  made.metric = json.text_or("metric", {});
  made.unit = json.text_or("unit", {});
  made.base = json.text_or("base", {});
  made.value = json.number_or_null("value");
  made.half_width = json.number_or_null("half_width");
  made.points = json.member("points").elements().size();
  made.number = json.number_or_null("number");
  made.size = json.text("size");
  made.notes = json.texts("notes");
  if (const auto within = json.find("within")) {
    made.least = within->number_or_null("least");
    made.most = within->number_or_null("most");
  }
  return made;
}

}  // namespace

ClaimsResults read_claims_results(const std::string& name, std::string_view text,
                                  Budget& budget) {
  const JsonReader json(name, text);
  constexpr std::int64_t kFormat = 2;
  if (json.whole<std::int64_t>("format") != kFormat) {
    json.fail("is of another version; judge the claims again: berth claims --out");
  }
  ClaimsResults made;
  made.title = json.text("title");
  made.paper = json.text("paper");
  if (json.has("found")) made.found = json.texts("found");
  made.assumptions = json.texts("assumes");
  for (const auto& claim : json.member("claims").elements()) {
    budget.charge();
    made.claims.push_back(row(claim));
  }
  return made;
}

}  // namespace berth::report
