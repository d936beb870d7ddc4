#pragma once
// Judged claims, from the claims.json of `berth claims --out`.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth::report {

struct ClaimRow {
  std::string id;
  std::string says;  // of a reading: its name
  bool is_own = false;
  std::string verdict;
  std::string answer;  // as the verdict reads; of one's own questions in other words
  std::string given;   // not empty: built into the model
  std::string metric;  // empty if given
  std::string unit;
  std::string base;  // empty: the metric itself
  std::optional<double> value;
  std::optional<double> half_width;
  std::size_t points = 0;
  std::optional<double> least;  // bounds that the paper states
  std::optional<double> most;
  std::optional<double> number;  // the paper's value, where it gives one
  std::string size;              // the value beside it: "0.35 of it"
  std::vector<std::string> notes;
};

// A figure of the paper, from berth's points.
struct ClaimFigure {
  struct Series {
    std::string name;
    // One for each point; nullopt: none.
    std::vector<std::optional<double>> values, half_widths, numbers;
  };
  // A claim with a number that compares two series at a point, by their names.
  struct Compared {
    std::string at, of, base;
    double value = 0;
    std::optional<double> half_width;
    double number = 0;  // the paper's
    std::string unit;
  };
  std::string id;
  std::string says;
  std::string unit;
  std::string axis;
  std::vector<std::string> points;
  std::vector<Series> series;
  std::vector<Compared> compared;
};

struct ClaimsResults {
  std::string title;
  std::string paper;
  std::vector<std::string> found;  // what holds and what does not, in words
  std::vector<std::string> assumptions;
  std::vector<ClaimRow> claims;
  std::vector<ClaimFigure> figures;
};

// `name` is what messages call the text.  Throws Error{kInput}.
[[nodiscard]] ClaimsResults read_claims_results(const std::string& name,
                                                std::string_view text, Budget& budget);

}  // namespace berth::report
