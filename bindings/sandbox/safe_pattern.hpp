#pragma once
// Lua patterns with a step counter.
//
// The pattern language of Lua 5.4; character classes are ASCII in every locale.
// Backtracking can take exponential time, so every step is counted and charged, and the
// guard stops a match that exceeds a limit.
//
// Every member function may raise; the class has no destructor.

#include <array>
#include <cstddef>
#include <lua.hpp>
#include <string_view>

#include "bindings/sandbox/guard.hpp"

namespace berth::bindings {

class Matcher {
 public:
  // REQUIRES: both texts outlive the matcher; `pattern` has no leading anchor.
  Matcher(lua_State* lua, std::string_view text, std::string_view pattern);

  // The end of the match that begins at `at`; null: no match.
  // Raises for a malformed pattern.
  const char* match(const char* at);

  // Pushes the captures of the last match, [from, to), and returns their number.
  // Without captures the whole match counts as one, unless `from` is null.
  int push_captures(const char* from, const char* to);
  // Pushes capture `index`, from 0.
  void push_capture(int index, const char* from, const char* to);

  // Charges the steps not yet charged; call it when done.
  void settle();

 private:
  // Position in text and pattern; `at` null: no match.
  struct Cursor {
    const char* at;
    const char* item;
  };
  enum class Go { kOn, kDone };  // kDone: `at` is the answer
  struct Capture {
    const char* from;
    std::ptrdiff_t length;  // or kOpen, kPosition
  };

  static constexpr int kMaxCaptures = 32;
  static constexpr int kMaxDepth = 180;
  static constexpr std::ptrdiff_t kStepsPerCharge = 1024;
  static constexpr std::ptrdiff_t kBytesPerStep = 16;
  static constexpr std::ptrdiff_t kOpen = -1;
  static constexpr std::ptrdiff_t kPosition = -2;

  void step(std::ptrdiff_t count = 1) {
    steps_ += count;
    if (steps_ >= kStepsPerCharge) settle();
  }
  // Scanning a large set costs more than one step.
  void step_over_set(std::ptrdiff_t bytes) { step(bytes / kBytesPerStep); }
  [[nodiscard]] char peek(const char* item) const {
    return item < pattern_end_ ? *item : '\0';
  }

  static Go answer(Cursor& cursor, const char* at) {
    cursor.at = at;
    return Go::kDone;
  }

  const char* run(const char* at, const char* item);
  Go next(Cursor& cursor);
  Go escape(Cursor& cursor);
  Go single(Cursor& cursor);
  Go balance(Cursor& cursor);
  Go frontier(Cursor& cursor);
  Go back_reference(Cursor& cursor);
  const char* most(const char* at, const char* item, const char* end, int minimum);
  const char* least(const char* at, const char* item, const char* end);
  const char* open(Cursor cursor);
  const char* close(Cursor cursor);
  const char* item_end(const char* item);
  [[nodiscard]] bool fits(const char* at, const char* item, const char* end);
  [[nodiscard]] static bool in_set(char c, const char* item, const char* last);

  lua_State* lua_;
  Guard* guard_;
  const char* text_;
  const char* text_end_;
  const char* pattern_;
  const char* pattern_end_;
  int depth_ = 0;
  std::ptrdiff_t steps_ = 0;  // since the last charge
  int level_ = 0;             // captures opened
  std::array<Capture, kMaxCaptures> captures_;
};

}  // namespace berth::bindings
