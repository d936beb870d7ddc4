#pragma once
// What a page answers first: which policy does better, by how much, and how sure that
// is.
//
// Sentences follow the verdicts of a comparison and never say more: with one run there
// is none, and the sentence is about this run alone.  The schedule that a log recorded
// is neither base nor best nor headline.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/compare/comparison.hpp"

namespace berth::report {

// A sentence whose verdict, if there is one, is set off: before + verdict + after.
struct Sentence {
  std::string before;
  Verdict verdict = Verdict::kOneRun;  // gives its word; kOneRun: there is no word
  std::string after{};
};

// "better", "worse", ...; empty for kOneRun.
[[nodiscard]] std::string_view word_of(const Sentence& sentence);

struct Answer {
  Sentence headline;
  std::string lead;              // the metric, and what the interval is over
  std::vector<Sentence> others;  // at most three policies, then "and 4 more"
};

// The metric that decides: the primary one, else the first of the comparison.
[[nodiscard]] std::string_view deciding_metric(const Comparison& comparison);

// By the deciding metric.  REQUIRES: a policy and a row at least.
[[nodiscard]] Answer answer_of(const Comparison& comparison, Budget& budget);

// Whether no value has an interval, for there is one replication.
[[nodiscard]] bool is_one_run(const Comparison& comparison);

// The policy that replays the log.
[[nodiscard]] bool is_recorded(std::string_view label);

}  // namespace berth::report
