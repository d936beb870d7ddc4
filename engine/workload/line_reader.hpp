#pragma once
// The lines of a source, one after the other, without a copy for each.
//
// Cost  Linear; one buffer of 256 KiB, whatever the data.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/workload/byte_source.hpp"

namespace berth {

class LineReader {
 public:
  static constexpr std::size_t kLongestLine = 65'535;  // bytes

  // `name` is the file as the user typed it, for messages.
  // REQUIRES: `source` outlives this reader.
  LineReader(ByteSource& source, std::string name);

  // The next line without its LF or CR LF, valid until the next call; nullopt at the
  // end.  Throws Error{kInput} for a line longer than kLongestLine.
  std::optional<std::string_view> next();

  // Of the line given last: its number, from 1, and whether the source ended before an
  // end of line came.
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] bool cut_short() const { return cut_short_; }

 private:
  bool refill();
  std::string_view take(std::size_t length, std::size_t with_end);
  [[noreturn]] void too_long(std::int64_t number) const;

  ByteSource& source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // of what is not yet given
  std::size_t end_ = 0;       // of what was read
  std::size_t searched_ = 0;  // no line ends before this place
  std::int64_t number_ = 0;
  bool cut_short_ = false;
};

}  // namespace berth
