#include "bindings/sandbox/code_lines.hpp"

#include <algorithm>
#include <lua.hpp>
#include <memory>
#include <vector>

namespace berth::bindings {

namespace {

// Reads what lua_dump writes (Lua 5.4, ldump.c): Lua itself tells the lines only of
// functions that exist, not of those that a function would make.
class Dump {
 public:
  Dump(std::string_view bytes, std::set<int>& lines) : bytes_(bytes), lines_(lines) {}

  void read() {
    constexpr std::size_t kHeader = 4 + 1 + 1 + 6 + 3 + 8 + 8;
    skip(kHeader + 1);
    function();
  }

 private:
  static constexpr int kDeepest = 250;  // more than the compiler nests

  int byte() {
    if (at_ >= bytes_.size()) return 0;
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  void skip(std::size_t count) { at_ = std::min(bytes_.size(), at_ + count); }
  // Seven bits a byte, the highest first; the last byte has its high bit set.
  std::size_t number() {
    std::size_t value = 0;
    while (at_ < bytes_.size()) {
      const auto next = static_cast<std::size_t>(byte());
      value = value << 7U | (next & 0x7FU);
      if (next >= 0x80U) break;
    }
    return value;
  }
  void string() {
    const auto size = number();
    if (size > 0) skip(size - 1);
  }

  void constants() {
    constexpr int kFloat = 0x13;
    constexpr int kInteger = 0x03;
    constexpr int kShort = 0x04;
    constexpr int kLong = 0x14;
    for (auto left = number(); left > 0 && at_ < bytes_.size(); --left) {
      const int kind = byte();
      if (kind == kFloat || kind == kInteger) skip(8);
      if (kind == kShort || kind == kLong) string();
    }
  }

  void function() {
    string();
    const auto defined = number();
    (void)number();
    (void)byte();
    const bool is_vararg = byte() != 0;
    (void)byte();
    skip(4 * number());
    constants();
    skip(3 * number());
    ++depth_;
    for (auto left = number(); left > 0 && depth_ < kDeepest; --left) function();
    --depth_;
    lines(static_cast<int>(defined), is_vararg);
    for (auto left = number(); left > 0 && at_ < bytes_.size(); --left) {
      string();
      (void)number();
      (void)number();
    }
    for (auto left = number(); left > 0 && at_ < bytes_.size(); --left) string();
  }

  void lines(int defined, bool is_vararg) {
    constexpr int kAbsolute = -128;
    const auto count = std::min(number(), bytes_.size() - at_);
    const auto steps = bytes_.substr(at_, count);
    skip(count);
    std::vector<int> absolute;
    for (auto left = number(); left > 0 && at_ < bytes_.size(); --left) {
      (void)number();
      absolute.push_back(static_cast<int>(number()));
    }
    int line = defined;
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const int byte = static_cast<unsigned char>(steps[i]);
      const int step = byte < 128 ? byte : byte - 256;
      if (step != kAbsolute) {
        line += step;
      } else if (next < absolute.size()) {
        line = absolute[next++];
      }
      // The first instruction of a vararg function is no code of the text.
      if (i > 0 || !is_vararg) lines_.insert(line);
    }
  }

  std::string_view bytes_;
  std::set<int>& lines_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

int append(lua_State*, const void* part, std::size_t size, void* to) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(part), size);
  return 0;
}

// Whether the line only closes a block: `end`, `})`, `else`.
bool only_closes(std::string_view line) {
  std::string word;
  for (const char c : line) {
    if (c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';') continue;
    if (c == ')' || c == '}') continue;
    word += c;
  }
  return word.empty() || word == "end" || word == "else" || word == "endend";
}

}  // namespace

std::set<int> code_lines(std::string_view text) {
  std::set<int> lines;
  const std::unique_ptr<lua_State, decltype(&lua_close)> lua(luaL_newstate(),
                                                             &lua_close);
  if (lua == nullptr) return lines;
  const int status = luaL_loadbufferx(lua.get(), text.data(), text.size(), "=", "t");
  if (status != LUA_OK) return lines;
  std::string bytes;
  (void)lua_dump(lua.get(), append, &bytes, 0);
  Dump(bytes, lines).read();
  int number = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (only_closes(text.substr(at, end - at))) lines.erase(number + 1);
    ++number;
    at = end + 1;
  }
  lines.erase(lines.begin(), lines.lower_bound(1));
  lines.erase(lines.upper_bound(number), lines.end());
  return lines;
}

}  // namespace berth::bindings
