#pragma once
// Where a thing that one folder alone knows names its parts: members of a JSON line,
// columns of a table.

#include <cstdint>
#include <span>
#include <string_view>

namespace berth {

// Texts are given bare; the writer quotes.  Names are as in result files.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  virtual void text(std::string_view name, std::string_view value) = 0;
  virtual void number(std::string_view name, double value) = 0;
  virtual void whole(std::string_view name, std::int64_t value) = 0;
  virtual void texts(std::string_view name, std::span<const std::string_view>) = 0;
  virtual void numbers(std::string_view name, std::span<const double>) = 0;
};

}  // namespace berth
