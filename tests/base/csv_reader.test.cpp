#include "engine/base/csv_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/base/error.hpp"

using namespace berth;

namespace {

using Record = std::vector<std::string>;

// The records of a text; of an error its words alone.
std::vector<Record> records(std::string_view text) {
  Budget budget;
  CsvReader reader("x.csv", lines_of(text, budget));
  std::vector<Record> all;
  try {
    while (const auto record = reader.next()) {
      auto& made = all.emplace_back();
      for (const auto& field : *record) made.emplace_back(field.text);
      made.push_back(std::to_string(reader.line()));
    }
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return {{error.what()}};
  }
  return all;
}

}  // namespace

TEST_SUITE("base/csv_reader") {
  TEST_CASE("fields are split at commas, empty lines are passed over") {
    CHECK(records("a,b,\n\n,c\n") ==
          std::vector<Record>{{"a", "b", "", "1"}, {"", "c", "3"}});
    CHECK(records("").empty());
    CHECK(records("\n\n").empty());
  }

  TEST_CASE("a field in quotes holds commas, quotes and ends of line") {
    CHECK(records("\"a,b\",\"say \"\"x\"\"\",c\n\"\",d\n") ==
          std::vector<Record>{{"a,b", "say \"x\"", "c", "1"}, {"", "d", "2"}});
    CHECK(
        records("first,\"one\ntwo\n\nfour\",last\nnext\n") ==
        std::vector<Record>{{"first", "one\ntwo\n\nfour", "last", "1"}, {"next", "5"}});
    CHECK(records("p,q,\"x\ny\",\"z\nw\",e\n") ==
          std::vector<Record>{{"p", "q", "x\ny", "z\nw", "e", "1"}});
  }

  TEST_CASE("a quote elsewhere is a letter, and text behind a closing one is kept") {
    CHECK(records("5\",a\"b\n") == std::vector<Record>{{"5\"", "a\"b", "1"}});
    CHECK(records("\"a\"b,c\n") == std::vector<Record>{{"ab", "c", "1"}});
  }

  TEST_CASE("a quote that is never closed is told where it begins") {
    CHECK(records("a,b\nc,\"d\ne\n") ==
          std::vector<Record>{{"x.csv:2:3: the quote that begins here is not closed"}});
  }
}
