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
  made.answer = json.text_or("answer", made.verdict);
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

ClaimFigure::Series series_of(const JsonReader& json, std::size_t points) {
  ClaimFigure::Series made{json.text("name"), {}, {}, {}};
  const auto cells = json.member("values").elements();
  if (cells.size() != points) json.fail("it has not a value for each point");
  // Bounded: the three lists.
  for (auto* column : {&made.values, &made.half_widths, &made.numbers}) {
    column->reserve(points);
  }
  // Bounded: the points, which were charged for.
  for (const auto& one : cells) {
    made.values.push_back(one.number_or_null("value"));
    made.half_widths.push_back(one.number_or_null("half_width"));
    made.numbers.push_back(one.number_or_null("number"));
  }
  return made;
}

ClaimFigure figure(const JsonReader& json, Budget& budget) {
  ClaimFigure made{json.text("id"),
                   json.text("says"),
                   json.text("unit"),
                   json.text("axis"),
                   json.texts("points"),
                   {},
                   {}};
  for (const auto& one : json.member("series").elements()) {
    budget.charge_each(1 + made.points.size());
    made.series.push_back(series_of(one, made.points.size()));
  }
  if (!json.has("compared")) return made;
  for (const auto& one : json.member("compared").elements()) {
    budget.charge();
    made.compared.push_back({one.text("at"), one.text("of"), one.text("base"),
                             one.number("value"), one.number_or_null("half_width"),
                             one.number("number"), one.text("unit")});
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
  if (!json.has("figures")) return made;
  for (const auto& one : json.member("figures").elements()) {
    budget.charge();
    made.figures.push_back(figure(one, budget));
  }
  return made;
}

}  // namespace berth::report
