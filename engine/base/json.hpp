#pragma once
// JSON values to be written; what reads JSON uses nlohmann/json.
//
// Members stand in the order in which they were added.  Names are not compared: adding
// one twice writes it twice.  Equal values give equal bytes on every machine.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace berth {

class Json {
 public:
  struct Member;

  // NOLINTBEGIN(google-explicit-constructor): values stand for their JSON
  Json(std::nullptr_t = nullptr) : text_("null") {}
  Json(bool value) : text_(value ? "true" : "false") {}
  // The digits that read back as the same number; null if it is not finite.
  Json(double value);
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) Json(Number value)
      : text_(std::to_string(value)) {}
  // Bytes that are not UTF-8 are replaced by U+FFFD.
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  // null if there is none.
  template <class Value>
  Json(const std::optional<Value>& value) : Json() {
    if (value) *this = Json(*value);
  }
  template <class Value>
  Json(const std::vector<Value>& values) : kind_(Kind::kArray) {
    for (const auto& value : values) append(value);
  }
  template <class Value>
  Json(const std::map<std::string, Value>& members) : kind_(Kind::kObject) {
    for (const auto& [name, value] : members) add(name, value);
  }
  // An object: {{"name", "easy"}, {"jobs", 28480}}.
  Json(std::initializer_list<Member> members);
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] static Json array();
  [[nodiscard]] static Json object();

  // REQUIRES: an array.
  void append(Json value);
  // REQUIRES: an object.
  void add(std::string_view name, Json value);

  // On one line.
  [[nodiscard]] std::string compact() const;
  // As a file holds it: indented by two, with a line end.
  [[nodiscard]] std::string file_text() const;

 private:
  enum class Kind : std::uint8_t { kScalar, kArray, kObject };
  void print(std::string& out, std::optional<std::size_t> indent) const;

  Kind kind_ = Kind::kScalar;
  std::string text_;                // of a scalar, as it is written
  std::vector<std::string> names_;  // of an object's members, as they are written
  std::vector<Json> values_;        // of an array or an object
};

struct Json::Member {
  std::string_view name;
  Json value;
};

}  // namespace berth
