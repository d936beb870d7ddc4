#include "engine/compare/renderers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "bindings/tools/comparison_page.hpp"

namespace berth {

using bindings::as_latex;
using bindings::as_markdown;
using bindings::as_text;

namespace {

using Entry = Comparison::Entry;

Entry entry(std::optional<double> value, std::int64_t n, bool best,
            std::optional<double> improvement) {
  Entry made;
  if (value) made.value = Comparison::Value{*value, {}, false};
  made.n = n;
  made.best = best;
  made.improvement = improvement;
  return made;
}

Comparison small_comparison() {
  Comparison table;
  table.layout = Layout::kRun;
  table.policies = {"fcfs", "sjf(a=1,b=2)"};
  table.cells = {{}};
  table.loads = {0.839};
  table.rows = {
      {"mean_wait",
       "s",
       Better::kLower,
       0,
       {entry(73.5, 3, false, {}), entry(30.0, 3, true, 59.5)}},
      {"utilisation",
       "fraction",
       Better::kHigher,
       0,
       {entry(0.5, 4, false, {}), entry(0.5, 5, false, 0.0)}},
      {"mean_slowdown",
       "ratio",
       Better::kLower,
       0,
       {entry({}, 0, false, {}), entry({}, 0, false, {})}},
  };
  for (auto& row : table.rows) {
    for (std::size_t i = 0; i < 2; ++i) row.entries[i].policy = table.policies[i];
  }
  table.notes = {"jobs that exceeded their walltime: 0 (overrun = run_on)"};
  return table;
}

}  // namespace

TEST_SUITE("compare/renderers") {
  TEST_CASE("text has aligned columns, a mark for the best and the notes below") {
    CHECK(as_text(small_comparison()) ==
          "load 0.839\n"
          "\n"
          "metric         unit          fcfs  sjf(a=1,b=2)\n"
          "mean_wait                1 m 13 s          30 s*\n"
          "                         73.500 s      30.000 s\n"
          "utilisation    fraction    0.5000        0.5000\n"
          "mean_slowdown  ratio            -             -\n"
          "\n"
          "* best\n"
          "n = 3 jobs\n"
          "jobs that exceeded their walltime: 0 (overrun = run_on)\n");
  }

  TEST_CASE("a table without a best has no legend") {
    auto table = small_comparison();
    table.rows.erase(table.rows.begin());
    CHECK(as_text(table).find("* best") == std::string::npos);
  }

  TEST_CASE("a table wider than the terminal has its policies below each other") {
    auto table = small_comparison();
    const auto text = as_text(table, {40, false});
    CHECK(text.find("\nsjf(a=1,b=2)  ") != std::string::npos);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      CHECK(text.find('\n', at) - at <= 40);
    }
  }

  TEST_CASE("a turned table has no load that is the same for all: it stands above") {
    auto table = small_comparison();
    table.rows.push_back({"load", "fraction", Better::kNeither, 0, {}, false});
    for (const auto& policy : table.policies) {
      table.rows.back().entries.push_back(entry(0.839, 3, false, {}));
      table.rows.back().entries.back().policy = policy;
    }
    CHECK(as_text(table).find("\nload           fraction") != std::string::npos);
    const auto narrow = as_text(table, {40, false});
    CHECK(narrow.find("load", 4) == std::string::npos);
    table.rows.back().entries.back().value->mean = 0.5;
    CHECK(as_text(table, {40, false}).find("load", 4) != std::string::npos);
  }

  TEST_CASE("the best value is coloured where colours are wanted, and nothing moves") {
    const auto plain = as_text(small_comparison());
    auto text = as_text(small_comparison(), {80, true});
    CHECK(text.find("\x1b[32m30 s*\x1b[0m") != std::string::npos);
    for (const std::string_view code : {"\x1b[32m", "\x1b[0m"}) {
      text.erase(text.find(code), code.size());
    }
    CHECK(text == plain);
  }

  TEST_CASE("control bytes in a label do not reach the terminal") {
    auto table = small_comparison();
    table.policies[0] = "a\x1b[31m";
    CHECK(as_text(table).find('\x1b') == std::string::npos);
  }

  TEST_CASE("a sweep may have more points than a script can unpack") {
    constexpr std::size_t kPoints = 5000;
    std::vector<ComparedRun> runs(2);
    runs[0].summary.metrics = {{"mean_wait", 10.0, "s", 3}};
    runs[1].summary.metrics = {{"mean_wait", 9.0, "s", 3}};
    std::vector<ComparedCell> cells(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
      cells[i] = {{{"workload.jobs", std::to_string(i)}},
                  {{"a", {&runs[0], &runs[0]}}, {"b", {&runs[1], &runs[1]}}}};
    }
    constexpr std::string_view kNames[] = {"mean_wait"};
    auto table = compare(cells, kNames);
    table.notes = bindings::notes_on(table, cells, sim::Overrun::kRunOn);
    const auto text = as_text(table);
    CHECK(std::count(text.begin(), text.end(), '\n') > 2 * kPoints);
    CHECK(text.find("\nmean_wait: b against a: no interval at 5000 of 5000 jobs\n") !=
          std::string::npos);
  }

  TEST_CASE("all tables of a sweep are folded as the widest is") {
    std::vector<ComparedRun> runs(2);
    runs[0].summary.metrics = {{"mean_wait", 10.0, "s", 3},
                               {"utilisation", 0.7, "fraction", 3}};
    runs[1].summary.metrics = {{"mean_wait", 123456789.0, "s", 3},
                               {"utilisation", 0.7, "fraction", 3}};
    const std::vector<ComparedCell> cells{
        {{{"workload.jobs", "3"}}, {{"easy", {&runs[0]}}, {"fcfs", {&runs[1]}}}}};
    constexpr std::string_view kNames[] = {"mean_wait", "utilisation"};
    const auto table = compare(cells, kNames);
    const auto heads = [&](std::size_t columns) {
      std::vector<std::string> found;
      std::istringstream lines(as_text(table, {.columns = columns}));
      for (std::string line; std::getline(lines, line);) {
        if (line.find("policy") != std::string::npos) found.push_back(line);
      }
      return found;
    };
    // The longer numbers alone have no room beside the words in so many columns.
    std::size_t folded = 0;
    for (std::size_t columns = 40; columns < 120; ++columns) {
      const auto all = heads(columns);
      CAPTURE(columns);
      REQUIRE(all.size() == 2);
      CHECK(all[0].substr(0, all[0].find("  ")) == all[1].substr(0, all[1].find("  ")));
      folded += all[0].starts_with("policy") ? 1 : 0;
    }
    CHECK(folded > 0);
    CHECK(folded < 80);
  }

  TEST_CASE("CSV has a row for each metric and policy") {
    CHECK(as_csv(small_comparison()) ==
          "metric,unit,better,policy,value,n,best,improvement_percent,warning\n"
          "mean_wait,s,lower,fcfs,73.5,3,0,,\n"
          "mean_wait,s,lower,\"sjf(a=1,b=2)\",30,3,1,59.5,\n"
          "utilisation,fraction,higher,fcfs,0.5,4,0,,\n"
          "utilisation,fraction,higher,\"sjf(a=1,b=2)\",0.5,5,0,0,\n"
          "mean_slowdown,ratio,lower,fcfs,,0,0,,\n"
          "mean_slowdown,ratio,lower,\"sjf(a=1,b=2)\",,0,0,,\n");
  }

  TEST_CASE("JSON holds the same") {
    const auto json = nlohmann::json::parse(as_json(small_comparison()));
    CHECK(json["format"] == 1);
    CHECK(json["policies"] == nlohmann::json{"fcfs", "sjf(a=1,b=2)"});
    const auto& cell = json["metrics"][0]["cells"][1];
    CHECK(cell["policy"] == "sjf(a=1,b=2)");
    CHECK(cell["value"] == 30.0);
    CHECK(cell["n"] == 3);
    CHECK(cell["best"] == true);
    CHECK(cell["improvement_percent"] == 59.5);
    CHECK(json["metrics"][2]["cells"][0]["value"].is_null());
    CHECK(json["metrics"][1]["better"] == "higher");
    CHECK(json["notes"].size() == 1);
  }

  TEST_CASE("Markdown has the best in bold and no letter that means something else") {
    CHECK(as_markdown(small_comparison()) ==
          "load 0.839\n"
          "\n"
          "| metric | unit | fcfs | sjf(a=1,b=2) |\n"
          "|---|---|---:|---:|\n"
          "| mean\\_wait | s | 73.500 | **30.000** |\n"
          "| utilisation | fraction | 0.5000 | 0.5000 |\n"
          "| mean\\_slowdown | ratio | - | - |\n"
          "\n"
          "* n = 3 jobs\n"
          "* jobs that exceeded their walltime: 0 (overrun = run\\_on)\n");
  }

  TEST_CASE("LaTeX has the best in bold and the notes as comments") {
    auto table = small_comparison();
    table.policies[0] = "50%_a&b";
    CHECK(as_latex(table) ==
          "% load 0.839\n"
          "\\begin{tabular}{llrr}\n"
          "\\toprule\n"
          "metric & unit & 50\\%\\_a\\&b & sjf(a=1,b=2) \\\\\n"
          "\\midrule\n"
          "mean\\_wait & s & 73.500 & \\textbf{30.000} \\\\\n"
          "utilisation & fraction & 0.5000 & 0.5000 \\\\\n"
          "mean\\_slowdown & ratio & - & - \\\\\n"
          "\\bottomrule\n"
          "\\end{tabular}\n"
          "% n = 3 jobs\n"
          "% jobs that exceeded their walltime: 0 (overrun = run_on)\n");
  }
}

}  // namespace berth
