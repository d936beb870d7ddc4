#pragma once
// What a tool answers: a page of texts, tables and notes, or an object for programs.
// The tool gives values; how they are written is decided here.
//
// In Lua a page is a list of parts, each a table with `kind`:
//
//   "title", "text"   `text`
//   "table"           `columns`, the heads, and `rows`, lists of texts
//   "notes"           `notes`, numbered from 1 on; "list": the same without numbers
//
// An object is { object = { { name, value }, ... } }, whose order is kept; a table
// without that field is a list; values are numbers, texts, booleans, nil, and both.

#include <lua.hpp>
#include <string>
#include <vector>

#include "bindings/table_reader.hpp"
#include "engine/base/json.hpp"

namespace berth::bindings {

struct PagePart {
  std::string kind;
  std::string text{};
  std::vector<std::string> lines{};              // of notes; of a table the heads
  std::vector<std::vector<std::string>> rows{};  // as long as the heads
};
using Page = std::vector<PagePart>;

// The page and the value at a stack index.  As TableReader: for run_reader alone.
[[nodiscard]] Page read_page(TableReader& reader, int at);
[[nodiscard]] Json read_json(TableReader& reader, int at);
// A list of texts.
[[nodiscard]] std::vector<std::string> read_texts(TableReader& reader, int at);

// Pipe tables; bytes that are not printable are escaped.  Cells are padded where a
// table then fits into `columns`.
[[nodiscard]] std::string as_markdown(const Page& page, std::size_t columns = 160);

}  // namespace berth::bindings
