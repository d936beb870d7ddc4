#pragma once
// Text in the cells of CSV files: RFC 4180, and safe for a spreadsheet.
//
// A spreadsheet computes a cell that begins with =, +, -, @, a tab or a return.  Such a
// text, unless it is a number, is written with an apostrophe in front of it, which
// read_csv_text() takes away.  A text that already has apostrophes in front of such a
// beginning gets one more, so that every text is read back as it was.

#include <string>
#include <string_view>

namespace berth {

// The cell of this text.  It is in quotes, with inner quotes doubled, if it holds a
// comma, a quote or an end of line.
[[nodiscard]] std::string csv_text(std::string_view text);

// The text of a cell whose quotes have been taken away: a part of `cell`.
[[nodiscard]] std::string_view read_csv_text(std::string_view cell);

}  // namespace berth
