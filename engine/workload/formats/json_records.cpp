#include "engine/workload/formats/json_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"

namespace berth {

namespace {

constexpr std::size_t kLongestPiece = std::size_t{1} << 20U;
constexpr std::size_t kMostFields = std::size_t{1} << 16U;
constexpr std::size_t kDeepestLevel = 64;

// The bytes of a source with the place of the next one.
class JsonBytes {
 public:
  JsonBytes(ByteSource& source, const std::string& file, Budget& budget)
      : source_(source), file_(file), budget_(budget) {
    buffer_.resize(std::size_t{64} << 10U);
    refill();
    at_ = byte_order_mark({buffer_.data(), end_}, file_);
  }

  [[nodiscard]] bool has_ended() const { return at_ == end_; }
  [[nodiscard]] const char& byte() const { return buffer_[at_]; }
  void advance() {
    if (buffer_[at_] == '\n') {
      ++place_.line;
      place_.column = 0;
    }
    ++place_.column;
    if (++piece_ > kLongestPiece) {
      refuse_log(file_, place_, "a text or a gap is longer than 1 MiB");
    }
    if (++at_ == end_) refill();
  }
  // A value ends here.
  void begin_piece() { piece_ = 0; }
  [[nodiscard]] const LogPlace& place() const { return place_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  void refill() {
    at_ = 0;
    end_ = source_.read(buffer_.data(), buffer_.size());
    budget_.charge_each(1 + end_ / 4);
  }

  ByteSource& source_;
  const std::string& file_;
  Budget& budget_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t piece_ = 0;
  LogPlace place_{1, 1};
};

// What the parser of the library reads from; the end is the one without bytes.
class JsonCursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  explicit JsonCursor(JsonBytes* bytes = nullptr) : bytes_(bytes) {}
  reference operator*() const { return bytes_->byte(); }
  JsonCursor& operator++() {
    bytes_->advance();
    return *this;
  }
  friend bool operator==(const JsonCursor& a, const JsonCursor& b) {
    return a.ends() == b.ends();
  }
  friend bool operator!=(const JsonCursor& a, const JsonCursor& b) { return !(a == b); }

 private:
  [[nodiscard]] bool ends() const { return bytes_ == nullptr || bytes_->has_ended(); }

  JsonBytes* bytes_;
};

// Turns the events of the parser into records.
class RecordEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  RecordEvents(JsonBytes& bytes, JsonListener& to) : bytes_(bytes), to_(to) {}

  bool null() override { return leaf({}); }
  bool boolean(bool value) override { return leaf(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return leaf(fmt::format("{}", value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return leaf(fmt::format("{}", value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return leaf(text);
  }
  bool string(string_t& text) override { return leaf(text); }
  bool binary(binary_t&) override { return leaf({}); }
  bool start_object(std::size_t) override { return open(true); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    bytes_.begin_piece();
    auto& level = levels_.back();
    path_.resize(level.path);
    if (levels_.size() == 1) {
      list_ = name;
      if (!seen_.insert(name).second) {
        refuse_log(bytes_.file(), bytes_.place(),
                   fmt::format("'{}' stands twice at the top", printable(name)));
      }
      to_.named(name);
    } else if (levels_.size() == 2) {
      name_ = name;
    } else {
      add_to_path(name);
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string& token,
                   const nlohmann::detail::exception&) override {
    refuse_log(bytes_.file(), bytes_.place(),
               bytes_.has_ended()
                   ? std::string("the JSON is broken off here")
                   : fmt::format("this is no JSON: '{}'", printable(token)));
  }

  void finish() const {
    if (seen_.empty()) refuse_log(bytes_.file(), {1, 1}, "the JSON holds no object");
  }

 private:
  struct JsonLevel {
    bool is_object;
    std::size_t path;  // bytes of the path above
    std::size_t count = 0;
  };

  void add_to_path(std::string_view name) {
    if (!path_.empty()) path_ += '.';
    path_ += name;
  }

  // Before a value, within a record.
  void step() {
    bytes_.begin_piece();
    if (levels_.empty()) return;
    auto& level = levels_.back();
    if (level.is_object || levels_.size() <= depth_) return;
    path_.resize(level.path);
    add_to_path(fmt::format("{}", level.count++));
  }

  bool open(bool is_object) {
    if (levels_.empty() && !is_object) {
      refuse_log(bytes_.file(), bytes_.place(), "the top of the JSON is no object");
    }
    if (levels_.size() == kDeepestLevel) {
      refuse_log(bytes_.file(), bytes_.place(), "nested deeper than 64 levels");
    }
    step();
    const bool is_list_of_object =
        levels_.size() == 2 && levels_.back().is_object && !is_object;
    if (is_list_of_object) {
      depth_ = 3;
    } else if (levels_.size() == depth_) {
      record_.place = bytes_.place();
      record_.place.column -= record_.place.column > 1 ? 1 : 0;
      record_.name = name_;
      used_ = 0;
      path_.clear();
    }
    levels_.push_back({is_object, path_.size()});
    return true;
  }

  bool close() {
    bytes_.begin_piece();
    path_.resize(levels_.back().path);
    levels_.pop_back();
    if (levels_.size() == depth_) {
      record_.fields.resize(used_);
      to_.record(list_, record_);
    } else if (levels_.size() == 2) {
      depth_ = 2;
    } else if (levels_.size() == 1) {
      name_.clear();
    }
    return true;
  }

  bool leaf(std::string_view text) {
    if (levels_.empty()) {
      refuse_log(bytes_.file(), bytes_.place(), "the top of the JSON is no object");
    }
    step();
    if (levels_.size() == 1) to_.value(list_, text, bytes_.place());
    if (levels_.size() <= depth_ || path_.starts_with("steps.")) return true;
    if (used_ == kMostFields) {
      refuse_log(bytes_.file(), record_.place, "a record of more than 65536 values");
    }
    if (used_ == record_.fields.size()) record_.fields.emplace_back();
    auto& field = record_.fields[used_++];
    field.path = path_;
    field.text = text;
    return true;
  }

  JsonBytes& bytes_;
  JsonListener& to_;
  std::vector<JsonLevel> levels_;
  std::size_t depth_ = 2;       // levels around a record
  std::set<std::string> seen_;  // names at the top
  std::string list_;
  std::string name_;
  std::string path_;  // within the record
  JsonRecord record_;
  std::size_t used_ = 0;  // of its fields
};

}  // namespace

std::string_view JsonRecord::text(std::string_view path) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& each) { return each.path == path; });
  return found == fields.end() ? std::string_view() : found->text;
}

bool JsonRecord::has(std::string_view path) const {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& each) { return each.path == path; });
}

void read_json(ByteSource& source, const std::string& file, JsonListener& to,
               Budget& budget) {
  JsonBytes bytes(source, file, budget);
  RecordEvents events(bytes, to);
  nlohmann::json::sax_parse(JsonCursor(&bytes), JsonCursor(), &events);
  events.finish();
}

bool has_top_name(std::string_view head, std::string_view name) {
  const auto begin = head.find_first_not_of(" \t\r\n");
  if (begin == head.npos || head[begin] != '{') return false;
  int depth = 0;
  std::size_t text_at = head.npos;  // where the text that is open begins
  std::string_view last;            // the text that ended last, at depth 1
  // Bounded: the head of a log.
  for (auto at = begin; at < head.size(); ++at) {
    const char c = head[at];
    if (text_at != head.npos) {
      if (c == '\\') ++at;
      if (c != '"') continue;
      if (depth == 1) last = head.substr(text_at, at - text_at);
      text_at = head.npos;
    } else if (c == '"') {
      text_at = at + 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':' && depth == 1 && last == name) {
      return true;
    }
  }
  return false;
}

}  // namespace berth
