#pragma once
// Reads JSON whose top is an object of lists, one record at a time: {"jobs": [{...}]},
// {"profiles": {"name": {...}}} and {"shares": {"name": [{...}]}}.
//
// Memory       one record and the names at the top, whatever the length of the lists
// Limits       64 levels, 1 MiB for a key, a text or what is between two values, 65,536
//              values a record

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/formats/log_builder.hpp"

namespace berth {

struct JsonField {
  std::string path;  // "time.submission"; items of lists by number: "flags.0"
  std::string text;  // a number as it stands; null is empty
};

struct JsonRecord {
  LogPlace place{};
  std::string name{};  // in an object of records, or of lists of them
  std::vector<JsonField> fields{};

  // The text at this path; empty: there is none.
  [[nodiscard]] std::string_view text(std::string_view path) const;
  [[nodiscard]] bool has(std::string_view path) const;
};

class JsonListener {
 public:
  virtual ~JsonListener() = default;
  // `list`: the name at the top.  The record is valid until the call returns.
  virtual void record(std::string_view list, const JsonRecord& record) = 0;
  // What follows has this name at the top, and may be an empty list.
  virtual void named(std::string_view) {}
  // A number or text at the top.
  virtual void value(std::string_view, std::string_view, const LogPlace&) {}
};

// Throws Error{kInput} "file:line:column: what" for what is no JSON, and beyond the
// limits.
void read_json(ByteSource& source, const std::string& file, JsonListener& to,
               Budget& budget);

// Whether a text begins as JSON whose top has this name, within the text.
[[nodiscard]] bool has_top_name(std::string_view head, std::string_view name);

}  // namespace berth
