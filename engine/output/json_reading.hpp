#pragma once
// Reads JSON that this program wrote, from files that may hold anything else by now.
// The only reader of JSON: what is wrong is told with file and member.

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {

// A value of a JSON text, and where it stands.  Cheap to copy; the text is kept as long
// as one of its readers.  Each call that finds another type than it names, or no member
// where one must be, throws Error{kInput} "file: member.of.a.member: what is wrong".
//
// A member of null counts as none in the calls that return an optional or take a value
// to stand for it.
class JsonReader {
 public:
  // The whole text.  Throws Error{kInput} for text that is no JSON, that nests deeper
  // than 32 levels (every level takes stack), or in which an object has a member twice.
  JsonReader(std::string file, std::string_view text);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] JsonReader member(std::string_view name) const;
  // nullopt: there is no such member, or it is null.
  [[nodiscard]] std::optional<JsonReader> find(std::string_view name) const;
  // The members of this object, in the order of the text.
  [[nodiscard]] std::vector<std::pair<std::string, JsonReader>> members() const;
  // The elements of this list.
  [[nodiscard]] std::vector<JsonReader> elements() const;

  // This value itself.
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] std::int64_t whole_between(std::int64_t least, std::int64_t most) const;
  // As compact JSON.
  [[nodiscard]] std::string dump() const;

  // A member.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::string text_or(std::string_view name, std::string other) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::optional<double> number_or_null(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] bool flag_or(std::string_view name, bool other) const;
  // A whole number of this type; from 0 unless told.
  template <std::integral To>
  [[nodiscard]] To whole(std::string_view name, std::int64_t least = 0) const {
    return static_cast<To>(member(name).whole_between(least, most_of<To>()));
  }
  template <std::integral To>
  [[nodiscard]] To whole_or(std::string_view name, To other) const {
    const auto found = find(name);
    return found ? static_cast<To>(found->whole_between(0, most_of<To>())) : other;
  }
  // Throws unless the member `format` is 1.  `what`: "summary".
  void need_format_1(std::string_view what) const;

  // Throws Error{kInput} about this value.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  struct Tree;  // of the whole text
  // The library's own type, which no header names: what may be asked of a value is
  // here.
  using Value = const void*;
  JsonReader(std::shared_ptr<const Tree> tree, Value value, std::string path)
      : tree_(std::move(tree)), value_(value), path_(std::move(path)) {}

  template <std::integral To>
  static constexpr std::int64_t most_of() {
    constexpr auto kMost = std::numeric_limits<To>::max();
    constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::in_range<std::int64_t>(kMost)) return kMost;
    return kLargest;
  }
  [[nodiscard]] JsonReader inner(Value value, std::string_view name) const;
  // nullptr: this object has no such member.
  [[nodiscard]] Value found(std::string_view name) const;
  [[noreturn]] void wrong_type(std::string_view needed) const;

  std::shared_ptr<const Tree> tree_;
  Value value_;
  std::string path_;  // "points.3.label"; empty: the whole text
};

}  // namespace berth
