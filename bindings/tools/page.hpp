#pragma once
// What a tool answers: a page of texts, tables, notes and files, or an object for
// programs.  The tool gives values; how they are written is decided here.
//
// Forms for people round and group numbers; CSV and JSON write them in full.

#include <cstdint>
#include <limits>
#include <lua.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/tools/column.hpp"
#include "engine/base/json.hpp"
#include "engine/base/time.hpp"
#include "engine/compare/text_table.hpp"

namespace berth::bindings {

// How the values of a column are shown.
struct CellShape {
  enum class As : std::uint8_t {
    kText,      // as it is; numbers in full
    kId,        // whole, not grouped; a negative one is none
    kWhole,     // grouped: "15,885"
    kSeconds,   // grouped: "15,885", "0.5"
    kTicks,     // a whole number of ticks, shown as seconds
    kClock,     // "1-04:00:00"
    kHuman,     // "2 d 13 h"
    kPercent,   // "12.3 %"
    kPp,        // "+1.2 pp"
    kInterval,  // "12.3 ± 0.4", decimals by the values of the column
    kP,         // "0.0123", "<0.0001"
    kFixed,     // with `decimals`
  };
  As as = As::kText;
  int decimals = 0;
  bool has_sign = false;
  [[nodiscard]] bool is_words() const { return as == As::kText || as == As::kId; }
};

struct TickTime {
  Time time;
};
using CellValue =
    std::variant<std::monostate, bool, std::int64_t, double, TickTime, std::string>;

struct PageCell {
  CellValue value{};
  std::optional<double> half{};  // the half-width of an interval
  std::optional<CellShape> shape{};
  bool is_best = false;
  Colour colour = Colour::kNone;      // on a terminal
  std::string mark{};                 // behind the value: "!"
  std::string aside{};                // in parentheses; on a terminal it is below
  std::optional<std::string> text{};  // stands for the value on a terminal
  std::vector<std::string> below{};   // on a terminal, lines below the row
};

struct PageColumn {
  PageCell head{};  // a text
  CellShape shape{};
};

struct PageTable {
  enum class Wide : std::uint8_t { kAsItIs, kFold, kTranspose };
  std::string title{};
  std::string corner{};  // the head of the names where the table is transposed
  std::vector<PageColumn> columns{};
  std::vector<std::vector<PageCell>> rows{};  // as long as the columns
  Wide wide = Wide::kAsItIs;
  std::size_t words = 0;  // columns from the left that are aligned to the left
  std::size_t left_out =
      0;                   // the row, from 1, that a transposed table has not; 0: none
  bool is_padded = false;  // cells of a pipe table, where it then fits
};

struct PageFile {
  std::string name{};
  std::vector<std::pair<PageColumn, ColumnPtr>> columns{};  // equally long
};

struct PagePart {
  enum class Kind : std::uint8_t { kTitle, kText, kTable, kNotes, kNumbered, kFile };
  Kind kind = Kind::kText;
  std::string text{};
  std::vector<std::string> lines{};  // of notes
  PageTable table{};
  PageFile file{};
};

struct Page {
  std::vector<PagePart> parts{};
  bool is_plain = false;   // Markdown: only what would end a line or cell is escaped
  bool is_spaced = false;  // Markdown: one more empty line below a table
};

struct PageStyle {
  std::size_t columns = std::numeric_limits<std::size_t>::max();  // of a line
  bool colour = false;
  Fold least_fold = Fold::kNone;  // of tables that fold
};

// How far as_text() folds the tables of a page; kNone: not, or it has none that fold.
[[nodiscard]] Fold fold_for(const Page& page, const PageStyle& style);

// Each with line ends; an empty line stands between parts.  Bytes that are not
// printable are escaped.
[[nodiscard]] std::string as_text(const Page& page, const PageStyle& style = {});
[[nodiscard]] std::string as_markdown(const Page& page, std::size_t columns = 160);
// Tabulars for the package booktabs, an empty line below those with a title; what is no
// table is a comment.
[[nodiscard]] std::string as_latex(const Page& page);
// Its tables alone.
[[nodiscard]] std::string as_csv(const Page& page);
[[nodiscard]] Json as_json(const Page& page);
[[nodiscard]] std::string as_csv(const PageFile& file);

// As a column shows it; "-" or "" for none.
[[nodiscard]] std::string shown_text(const PageCell& cell, const CellShape& shape);

// The global `out` of scripts.  Its parts are tables; each is read as it is made, so
// that what cannot be written is refused there, and once more with the page.
void install_out(lua_State* lua);
[[nodiscard]] const Family& out_family();

constexpr std::int64_t kMostCellDecimals = 17;
// Each at a stack index.  As TableReader: for run_reader alone.
[[nodiscard]] CellShape read_shape(TableReader& reader, int at);
[[nodiscard]] PageCell read_cell(TableReader& reader, int at, const CellShape& shape);
[[nodiscard]] PagePart read_part(TableReader& reader, int at);
[[nodiscard]] Page read_page(TableReader& reader, int at);
[[nodiscard]] Json read_json(TableReader& reader, int at);
// A list of texts.
[[nodiscard]] std::vector<std::string> read_texts(TableReader& reader, int at);

}  // namespace berth::bindings
