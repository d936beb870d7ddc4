#include "engine/base/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/csv_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

constexpr std::size_t kLongestField = std::size_t{1} << 20U;

}  // namespace

std::optional<std::string_view> CsvReader::next_line() {
  auto line = next_line_();
  if (line) ++read_;
  return line;
}

std::optional<std::span<const CsvField>> CsvReader::next() {
  auto line = next_line();
  while (line && line->empty()) line = next_line();
  line_ = std::max<std::int64_t>(read_, 1);
  if (!line) return std::nullopt;
  fields_.clear();
  texts_.clear();
  split(*line);
  return fields_;
}

void CsvReader::split(std::string_view line) {
  for (std::size_t at = 0; at <= line.size();) {
    CsvField field{{}, at + 1};
    if (at < line.size() && line[at] == '"') field.text = quoted(line, at);
    const auto end = std::min(line.find(delimiter_, at), line.size());
    const auto plain = line.substr(std::min(at, line.size()), end - at);
    if (field.text.data() == nullptr) {
      field.text = plain;
    } else if (!plain.empty()) {
      field.text = texts_.emplace_back(std::string(field.text) + std::string(plain));
    }
    at = end;
    field.text = read_csv_text(field.text);
    fields_.push_back(field);
    ++at;
  }
}

// The text between the quotes; `at` comes to lie behind the closing one, on the line
// where it is, which `line` then is.
std::string_view CsvReader::quoted(std::string_view& line, std::size_t& at) {
  const auto column = at + 1;
  auto& text = texts_.emplace_back();
  ++at;
  while (true) {
    const auto is_end = [&] {
      return line[at] == '"' && line.substr(at + 1, 1) != "\"";
    };
    for (; at < line.size() && !is_end(); ++at) {
      if (line[at] == '"') ++at;
      text += line[at];
    }
    if (at < line.size()) {
      ++at;
      return text;
    }
    // The fields so far show parts of this line, which the next one replaces.
    for (auto& field : fields_) {
      field.text = texts_.emplace_front(field.text);
    }
    const auto more = next_line();
    if (!more || text.size() > kLongestField) fail_open(column);
    text += '\n';
    rest_ = *more;
    line = rest_;
    at = 0;
  }
}

void CsvReader::fail_open(std::size_t column) const {
  throw Error(ErrorCode::kInput,
              fmt::format("{}:{}:{}: the quote that begins here is not closed",
                          printable_name(name_), line_, column));
}

CsvReader::NextLine lines_of(std::string_view text, Budget& budget) {
  return [text, &budget]() mutable -> std::optional<std::string_view> {
    if (text.empty()) return std::nullopt;
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    budget.charge_each(1 + line.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  };
}

}  // namespace berth
