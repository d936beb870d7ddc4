// Text as a claims.toml of an earlier version, which is converted.
//
// Promises: what is wrong is told in lines that name the file; what is right gives Lua
// that declares a claim, and gives the same again.

#include <string>

#include "study/claims/conversion.hpp"
#include "tests/fuzz/messages.hpp"

using namespace berth;
using namespace berth::study;
using fuzz::expect;

namespace {

std::string converted(std::string_view text) {
  try {
    auto made = converted_claims("x.toml", text);
    expect(made.find("claim {") != std::string::npos, "there is a claim", made);
    return made;
  } catch (const Error& error) {
    fuzz::check_message(error);
    expect(std::string_view(error.what()).starts_with("x.toml:"),
           "a message names the file", error.what());
    return error.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect(converted(text) == converted(text), "the same text converts the same");
  return 0;
}
