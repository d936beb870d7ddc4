#include "report/claims_results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/json_reading.hpp"

namespace berth::report {

namespace {

using nlohmann::ordered_json;

std::optional<double> number(const ordered_json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

ClaimMeasured measured(const ordered_json& json) {
  ClaimMeasured made;
  made.base = json.value("base", std::string());
  made.verdict = json.at("verdict").get<std::string>();
  made.value = number(json, "value");
  made.half_width = number(json, "half_width");
  made.points = json.at("points").get<std::int64_t>();
  made.seeds = json.at("seeds").get<std::int64_t>();
  made.at = json.value("at", std::string());
  return made;
}

ClaimRow row(const ordered_json& json) {
  ClaimRow made;
  made.id = json.at("id").get<std::string>();
  made.says = json.at("says").get<std::string>();
  made.is_own = json.at("own").get<bool>();
  made.verdict = json.at("verdict").get<std::string>();
  made.given = json.value("given", std::string());
  made.metric = json.value("metric", std::string());
  made.unit = json.value("unit", std::string());
  made.assumptions = json.at("assumptions").get<std::vector<std::string>>();
  if (json.contains("reproduced")) {
    made.least = number(json.at("reproduced"), "least");
    made.most = number(json.at("reproduced"), "most");
  }
  made.published = number(json, "published");
  if (!json.contains("results")) return made;
  for (const auto& result : json.at("results"))
    made.results.push_back(measured(result));
  return made;
}

}  // namespace

ClaimsResults read_claims_results(const std::string& name, std::string_view text) {
  try {
    const auto json = parse_json(text);
    if (json.value("format", 0) != 1) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: is no claims.json of format 1; judge the claims "
                              "again with this berth",
                              printable_name(name)));
    }
    ClaimsResults made;
    made.title = json.at("title").get<std::string>();
    made.paper = json.at("paper").get<std::string>();
    made.assumptions = json.at("assumptions").get<std::vector<std::string>>();
    for (const auto& claim : json.at("claims")) made.claims.push_back(row(claim));
    return made;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: cannot be read: {}", printable_name(name),
                            printable(error.what())));
  }
}

}  // namespace berth::report
