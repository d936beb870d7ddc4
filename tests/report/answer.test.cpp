#include "report/answer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

#include "report/board.hpp"
#include "report/words.hpp"

using namespace berth;
using report::answer_of;
using report::difference_words;
using report::span_words;
using report::value_words;

namespace {

using Entry = Comparison::Entry;

Entry entry(const char* policy, double value, double half, Verdict verdict,
            double difference = 0, double of_difference = 0) {
  Entry made;
  made.policy = policy;
  made.value = Comparison::Value{value, half};
  made.verdict = verdict;
  if (verdict != Verdict::kBase) {
    made.difference = Comparison::Value{difference, of_difference};
  }
  return made;
}

// The mean waits of five shaken seeds: easy, conservative, fairshare_easy, recorded.
Comparison seeds() {
  Comparison made;
  made.replications = 5;
  made.basis = "95 % intervals over 5 seeds";
  made.cells = {{}};
  made.policies = {"easy", "conservative", "fairshare_easy", "recorded"};
  Comparison::Row row;
  row.metric = "mean_wait";
  row.unit = "s";
  row.better = Better::kLower;
  row.entries = {
      entry("easy", 6858.3, 101, Verdict::kBase),
      entry("conservative", 7420.1, 80, Verdict::kWorse, 561.8, 116),
      entry("fairshare_easy", 7094.3, 389, Verdict::kNotShown, 236, 385),
      entry("recorded", 15318, 1, Verdict::kWorse, 8460, 90),
  };
  made.rows = {row};
  return made;
}

std::string whole(const report::Sentence& sentence) {
  return sentence.before + std::string(report::word_of(sentence)) + sentence.after;
}

Comparison one_run() {
  auto made = seeds();
  made.replications = 1;
  made.basis = "one run: no intervals";
  for (auto& each : made.rows.front().entries) {
    each.value->half_width.reset();
    if (each.difference) each.difference->half_width.reset();
    if (each.verdict != Verdict::kBase) each.verdict = Verdict::kOneRun;
  }
  return made;
}

}  // namespace

TEST_SUITE("report/answer") {
  TEST_CASE("a span has two neighbouring units, the second rounded") {
    const std::pair<double, const char*> cases[] = {{0.4, "0"},
                                                    {59.6, "1 min"},
                                                    {561.8, "9 min 22 s"},
                                                    {6858.3, "1 h 54 min"},
                                                    {38084.1, "10 h 35 min"},
                                                    {86399, "1 d"},
                                                    {262194, "3 d 1 h"},
                                                    {980040, "11 d 8 h"},
                                                    {1878704, "21 d 18 h"},
                                                    {195291356, "2,260 d"},
                                                    {3599.9, "1 h"},
                                                    {-90, "\u22121 min 30 s"}};
    for (const auto& [seconds, words] : cases) CHECK(span_words(seconds) == words);
  }

  TEST_CASE("numbers have four digits, separators, and a sign where they differ") {
    CHECK(value_words(14805.2, "ratio") == "14,805");
    CHECK(value_words(91.7149, "ratio") == "91.71");
    CHECK(value_words(999.96, "ratio") == "1,000");
    CHECK(value_words(0.69921, "fraction") == "69.9 %");
    CHECK(difference_words(561.8, "s") == "+9 min 22 s");
    CHECK(difference_words(-0.004, "fraction") == "\u22120.4 points");
    CHECK(difference_words(0, "ratio") == "0");
    CHECK(report::metric_words("p95_wait") == "95 % wait");
    CHECK(report::metric_words("mean_lost_time") == "mean lost time");
    CHECK(report::day_words(858'124'800) == "12 Mar 1997");
  }

  TEST_CASE(
      "the headline is the largest difference that is shown, not that of the log") {
    Budget budget;
    const auto answer = answer_of(seeds(), budget);
    CHECK(
        whole(answer.headline) ==
        "conservative waits 8.2 % longer than easy: worse, by 9 min 22 s \u00b1 1 min "
        "56 s");
    CHECK(answer.lead == "Mean wait, 95 % intervals over 5 seeds.");
    REQUIRE(answer.others.size() == 1);
    CHECK(whole(answer.others[0]) ==
          "fairshare_easy: no difference shown (+3 min 56 s \u00b1 6 min 25 s)");
  }

  TEST_CASE("a larger mean without a verdict is no headline") {
    auto of = seeds();
    auto& entries = of.rows.front().entries;
    entries[1].verdict = Verdict::kNotShown;
    Budget budget;
    CHECK(whole(answer_of(of, budget).headline) ==
          "no difference shown between easy, conservative and fairshare_easy");
  }

  TEST_CASE("one run has no verdict word and says that it has no interval once") {
    const auto of = one_run();
    Budget budget;
    const auto answer = answer_of(of, budget);
    CHECK(whole(answer.headline) ==
          "conservative waits 8.2 % longer than easy in this run");
    const auto html = report::answer_html(of, budget);
    const auto first = html.find("One run: no interval.");
    REQUIRE(first != std::string::npos);
    CHECK(html.find("no interval", first + 15) == std::string::npos);
    for (const auto* word : {"better", "worse"}) {
      CHECK(html.find(word) == std::string::npos);
    }
  }

  TEST_CASE("other jobs finished: no sentence, no difference, no dot") {
    auto of = seeds();
    auto& changed = of.rows.front().entries[1];
    changed.verdict = Verdict::kNotComparable;
    changed.not_comparable = "380 of 400 jobs";
    Budget budget;
    CHECK(whole(answer_of(of, budget).headline).find("conservative waits") ==
          std::string::npos);
    const auto board = report::board_html(of, {0, 1, 2, 3});
    const auto row = board.substr(board.find("data-number=\"1\""));
    const auto cells = row.substr(0, row.find("</tr>"));
    CHECK(cells.find("380 of 400 jobs") != std::string::npos);
    CHECK(cells.find("data-difference") == std::string::npos);
    CHECK(cells.find("class=\"dot\"") == std::string::npos);
  }

  TEST_CASE(
      "on 50 comparisons of random numbers, dots and sentences follow the verdicts") {
    std::mt19937 random(20);
    std::uniform_real_distribution<double> number(-500, 500);
    constexpr std::array kVerdicts{Verdict::kBetter, Verdict::kWorse,
                                   Verdict::kNotShown, Verdict::kDiffers,
                                   Verdict::kEqual};
    for (int round = 0; round < 50; ++round) {
      auto of = seeds();
      std::size_t better = 0;
      const Entry* largest = nullptr;
      for (std::size_t i = 1; i < 4; ++i) {
        auto& each = of.rows.front().entries[i];
        each.verdict = kVerdicts.at(random() % kVerdicts.size());
        each.difference->mean = number(random);
        if (i == 3) continue;  // the log's own
        better += each.verdict == Verdict::kBetter ? 1U : 0U;
        const bool is_shown =
            each.verdict != Verdict::kNotShown && each.verdict != Verdict::kEqual;
        if (is_shown &&
            (largest == nullptr ||
             std::abs(each.difference->mean) > std::abs(largest->difference->mean))) {
          largest = &each;
        }
      }
      Budget budget;
      const auto answer = answer_of(of, budget);
      const auto word = report::word_of(answer.headline);
      CHECK(word == (largest == nullptr ? "" : text_of(largest->verdict)));
      if (largest != nullptr)
        CHECK(answer.headline.before.starts_with(largest->policy));
      const auto board = report::board_html(of, {0, 1, 2, 3});
      const auto body = board.substr(0, board.find("</tbody>"));
      std::size_t dots = 0;
      for (auto at = body.find("class=\"dot\""); at != std::string::npos;
           at = body.find("class=\"dot\"", at + 1)) {
        ++dots;
      }
      CHECK(dots == better);
    }
  }

  TEST_CASE("over the points of a sweep the sentence counts verdicts") {
    auto of = seeds();
    of.policies = {"easy", "sjf"};
    of.keys = {"workload.load"};
    of.cells = {{"0.6"}, {"0.7"}};
    auto row = of.rows.front();
    row.entries = {entry("easy", 100, 1, Verdict::kBase),
                   entry("sjf", 55, 1, Verdict::kBetter, -45, 5)};
    auto second = row;
    second.cell = 1;
    second.entries[1].difference->mean = -56;
    of.rows = {row, second};
    Budget budget;
    CHECK(whole(answer_of(of, budget).headline) ==
          "sjf waits 45 to 56 % less than easy at every load: better");
    of.rows[1].entries[1].verdict = Verdict::kNotShown;
    CHECK(whole(answer_of(of, budget).headline) ==
          "sjf against easy: better at 1 of 2 loads, no difference shown at 1");
  }
}
