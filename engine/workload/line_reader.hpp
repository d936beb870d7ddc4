#pragma once
// Reads a source line by line, without copying.  A byte order mark at its beginning is
// passed over; lines end in LF or CR LF.
//
// Cost         linear; one buffer of 256 KiB
// Units        one for each line, and one for each 16 bytes of it; the budget is asked
//              before each read, too, which may wait

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth {

class LineReader {
 public:
  static constexpr std::size_t kLongestLine = 65'535;  // bytes

  // `name` is the file as the user typed it, for messages.
  // REQUIRES: `source` and the budget outlive this reader.
  LineReader(ByteSource& source, std::string name, Budget& budget);

  // The next line without LF or CR LF, valid until the next call; nullopt at the end.
  // Throws Error{kInput} for a line longer than kLongestLine, and for UTF-16.
  std::optional<std::string_view> next();

  // Of the last line returned: its number, from 1, and whether the source ended without
  // an end of line.
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] bool cut_short() const { return cut_short_; }

 private:
  bool refill();
  void skip_mark();
  std::string_view take(std::size_t length, std::size_t with_end);
  [[noreturn]] void too_long(std::int64_t number) const;

  ByteSource& source_;
  Budget& budget_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // of the next line
  std::size_t end_ = 0;       // of the bytes read
  std::size_t searched_ = 0;  // no end of line before this index
  std::int64_t number_ = 0;
  bool cut_short_ = false;
  bool has_begun_ = false;
};

// The lines of a source one by one, for readers of tables.
// REQUIRES: as of LineReader.
[[nodiscard]] std::function<std::optional<std::string_view>()> lines_of(
    ByteSource& source, std::string name, Budget& budget);

}  // namespace berth
