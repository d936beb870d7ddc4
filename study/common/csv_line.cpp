#include "study/common/csv_line.hpp"

namespace berth::study {

namespace {

// The text between the quotes; `at` comes to lie behind the closing one.
std::string quoted_part(std::string_view line, std::size_t& at) {
  std::string text;
  for (++at; at < line.size(); ++at) {
    if (line[at] == '"' && line.substr(at + 1, 1) != "\"") break;
    if (line[at] == '"') ++at;
    text += line[at];
  }
  at = std::min(at + 1, line.size());
  return text;
}

}  // namespace

std::vector<CsvField> split_csv(std::string_view line) {
  std::vector<CsvField> fields;
  std::size_t at = 0;
  while (true) {
    CsvField field{{}, at + 1};
    if (at < line.size() && line[at] == '"') field.text = quoted_part(line, at);
    const auto comma = std::min(line.find(',', at), line.size());
    field.text += line.substr(at, comma - at);
    fields.push_back(std::move(field));
    if (comma == line.size()) return fields;
    at = comma + 1;
  }
}

}  // namespace berth::study
