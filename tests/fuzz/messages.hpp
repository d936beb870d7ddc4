#pragma once
// What every message about a wrong input file promises.

#include <algorithm>
#include <string_view>

#include "engine/base/error.hpp"
#include "tests/fuzz/expect.hpp"

namespace berth::fuzz {

inline void check_message(const Error& error) {
  const std::string_view text = error.what();
  expect(error.code() == ErrorCode::kInput, "a wrong file is wrong input", text);
  expect(!text.empty(), "something is told");
  expect(text.size() <= 16'384, "a message has at most 16 KiB", text.substr(0, 2000));
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  });
  expect(is_plain, "control bytes are escaped", text);
}

}  // namespace berth::fuzz
