#include "engine/base/table_reader.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "engine/base/error.hpp"

using namespace berth;

namespace {

Budget budget;

// The message of what is done with the first row; "accepted" without one.
std::string complaint(
    std::string_view text, const std::vector<TableColumn>& columns,
    const std::function<void(const TableReader&)>& read = [](const auto&) {},
    std::string_view unknown = {}) {
  try {
    TableReader table("x.csv", lines_of(text, budget), columns, unknown);
    while (table.next()) read(table);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("base/table_reader") {
  TEST_CASE("columns are known by their index in the list, others come behind them") {
    const std::string_view text = "note,to,from,more\nn,2,1,m\n\n,4,3,\n";
    TableReader table("x.csv", lines_of(text, budget),
                      {{"from"}, {"to"}, {"kind", false}});
    REQUIRE(table.columns() == 5);
    CHECK_FALSE(table.has(2));
    CHECK(table.name(3) == "note");
    REQUIRE(table.next());
    CHECK(table.whole(0) == 1);
    CHECK(table.whole(1) == 2);
    CHECK(table.text(2).empty());
    CHECK(table.text(4) == "m");
    REQUIRE(table.next());
    CHECK(table.line() == 4);
    CHECK(table.place(0).column == 4);
    CHECK_FALSE(table.next());
  }

  TEST_CASE("a column is found by each of its names, the best first") {
    const std::string_view text = "end,start,begin\n1,2,3\n";
    TableReader table("x.csv", lines_of(text, budget),
                      {{"begin", true, {"start"}}, {"finish", true, {"stop", "end"}}});
    REQUIRE(table.next());
    CHECK(table.text(0) == "3");
    CHECK(table.text(1) == "1");
    CHECK(table.name(1) == "end");
  }

  TEST_CASE("what is wrong with the first line is told with its place") {
    CHECK(complaint("", {{"a"}, {"b", false}, {"c"}}) ==
          "x.csv:1:1: column a is missing; the first line must name a, c");
    CHECK(complaint("\nb,a,b\n", {{"a"}, {"b", false}}) ==
          "x.csv:2:5: the column b stands here twice");
    CHECK(complaint(
              "cpu,memmory\n", {{"cpu"}, {"memory", false}}, [](const auto&) {},
              "unknown column") ==
          "x.csv:1:5: unknown column 'memmory' (did you mean 'memory'?)");
    CHECK(complaint("a,z,z\n", {{"a"}}) == "accepted");
  }

  TEST_CASE("what is wrong with a row is told with its place and its column") {
    CHECK(complaint("a,b\n1\n", {{"a"}}) == "x.csv:2:1: 1 fields where 2 are needed");
    const auto of_row = [](const std::string& row, const auto& read) {
      return complaint("a,b\n" + row, {{"a"}, {"b"}}, read);
    };
    CHECK(of_row("1.0,1e3", [](const auto& t) { (void)t.whole(1); }) == "accepted");
    CHECK(of_row("1,x", [](const auto& t) { (void)t.whole(1); }) ==
          "x.csv:2:3: b: 'x' is not a whole number");
    CHECK(of_row("1,", [](const auto& t) { (void)t.whole(1, 1, 9); }) ==
          "x.csv:2:3: b: '' is not a whole number from 1 to 9");
    CHECK(of_row("1,nan", [](const auto& t) { (void)t.real(1); }) ==
          "x.csv:2:3: b: 'nan' is not a number");
    CHECK(of_row("1e99,", [](const auto& t) { (void)t.time(0); }) ==
          "x.csv:2:1: a: '1e99' is not a time");
    CHECK(of_row("1,2 3", [](const auto& t) { t.wrong(t.place(1, 2), "no"); }) ==
          "x.csv:2:5: no");
  }
}
