#include "engine/output/json_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 32;

[[noreturn]] void refuse(const std::string& file, std::string_view what) {
  throw Error(ErrorCode::kInput, fmt::format("{}: {}", printable_name(file), what));
}

// Watches the text while it is parsed.
class Watch {
 public:
  explicit Watch(const std::string& file) : file_(file) {}

  bool operator()(int depth, ordered_json::parse_event_t event, ordered_json& value) {
    using Event = ordered_json::parse_event_t;
    if (depth > kDeepest) refuse(file_, "nested deeper than 32 levels");
    if (event == Event::object_start) members_.emplace_back();
    if (event == Event::object_end) members_.pop_back();
    if (event != Event::key) return true;
    const auto& name = value.get_ref<const std::string&>();
    if (members_.back().insert(name).second) return true;
    refuse(file_, fmt::format("the member {} stands twice in one object",
                              printable_name(name)));
  }

 private:
  const std::string& file_;
  std::vector<std::set<std::string>> members_;  // of the objects that are open
};

std::string_view kind_of(const ordered_json& json) {
  if (json.is_null()) return "null";
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list";
  if (json.is_string()) return "text";
  if (json.is_boolean()) return "a truth value";
  return "a number";
}

const ordered_json& at(const void* value) {
  return *static_cast<const ordered_json*>(value);
}

ordered_json parsed(const std::string& file, std::string_view text) {
  try {
    return ordered_json::parse(text, Watch(file));
  } catch (const ordered_json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    const std::string_view what = error.what();
    const auto begin = what.find("] ");
    refuse(file,
           fmt::format("is no JSON: {}",
                       printable(begin == what.npos ? what : what.substr(begin + 2))));
  }
}

}  // namespace

struct JsonReader::Tree {
  Tree(std::string name, std::string_view text)
      : file(std::move(name)), root(parsed(file, text)) {}
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  std::string file;
  ordered_json root;
};

JsonReader::JsonReader(std::string file, std::string_view text) {
  auto tree = std::make_shared<Tree>(std::move(file), text);
  value_ = &tree->root;
  tree_ = std::move(tree);
}

void JsonReader::fail(std::string_view what) const {
  refuse(tree_->file, path_.empty() ? std::string(what)
                                    : fmt::format("{}: {}", printable(path_), what));
}

void JsonReader::wrong_type(std::string_view needed) const {
  fail(fmt::format("{} stands here, and {} is needed", kind_of(at(value_)), needed));
}

JsonReader JsonReader::inner(Value value, std::string_view name) const {
  return {tree_, value,
          path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name)};
}

JsonReader::Value JsonReader::found(std::string_view name) const {
  const auto& json = at(value_);
  if (!json.is_object()) wrong_type("an object");
  const auto found = json.find(name);
  return found == json.end() ? nullptr : &*found;
}

bool JsonReader::has(std::string_view name) const { return found(name) != nullptr; }

JsonReader JsonReader::member(std::string_view name) const {
  const auto value = found(name);
  if (value == nullptr) {
    fail(fmt::format("the member {} is missing", printable(name)));
  }
  return inner(value, name);
}

std::optional<JsonReader> JsonReader::find(std::string_view name) const {
  const auto value = found(name);
  if (value == nullptr || at(value).is_null()) return std::nullopt;
  return inner(value, name);
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  const auto& json = at(value_);
  if (!json.is_object()) wrong_type("an object");
  std::vector<std::pair<std::string, JsonReader>> all;
  for (const auto& [name, value] : json.items()) {
    all.emplace_back(name, inner(&value, name));
  }
  return all;
}

std::vector<JsonReader> JsonReader::elements() const {
  const auto& json = at(value_);
  if (!json.is_array()) wrong_type("a list");
  std::vector<JsonReader> all;
  for (const auto& value : json) {
    all.push_back(inner(&value, fmt::format("{}", all.size())));
  }
  return all;
}

bool JsonReader::is_object() const { return at(value_).is_object(); }

std::string JsonReader::text() const {
  if (!at(value_).is_string()) wrong_type("text");
  return at(value_).get<std::string>();
}

double JsonReader::number() const {
  if (!at(value_).is_number()) wrong_type("a number");
  return at(value_).get<double>();
}

bool JsonReader::flag() const {
  if (!at(value_).is_boolean()) wrong_type("true or false");
  return at(value_).get<bool>();
}

std::int64_t JsonReader::whole_between(std::int64_t least, std::int64_t most) const {
  const auto& json = at(value_);
  if (!json.is_number_integer()) wrong_type("a whole number");
  const bool is_held = !json.is_number_unsigned() ||
                       std::in_range<std::int64_t>(json.get<std::uint64_t>());
  const auto value = is_held ? json.get<std::int64_t>() : least - 1;
  if (!is_held || value < least || value > most) {
    fail(fmt::format("{} is not from {} to {}", json.dump(), least, most));
  }
  return value;
}

std::string JsonReader::dump() const { return at(value_).dump(); }

std::string JsonReader::text(std::string_view name) const {
  return member(name).text();
}

std::string JsonReader::text_or(std::string_view name, std::string other) const {
  const auto found = find(name);
  return found ? found->text() : std::move(other);
}

std::vector<std::string> JsonReader::texts(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& each : member(name).elements()) all.push_back(each.text());
  return all;
}

double JsonReader::number(std::string_view name) const { return member(name).number(); }

std::optional<double> JsonReader::number_or_null(std::string_view name) const {
  const auto found = find(name);
  return found ? std::optional(found->number()) : std::nullopt;
}

bool JsonReader::flag(std::string_view name) const { return member(name).flag(); }

bool JsonReader::flag_or(std::string_view name, bool other) const {
  const auto found = find(name);
  return found ? found->flag() : other;
}

void JsonReader::need_format_1(std::string_view what) const {
  if (is_object() && whole_or<std::int64_t>("format", 0) == 1) return;
  fail(fmt::format("is no {} of format 1; make the results again with this berth",
                   what));
}

}  // namespace berth
