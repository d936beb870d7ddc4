// Text as a claims file.
//
// Promises: what is wrong is told in lines that name the file; what is right has at
// least one claim, each with what it needs to be judged, and reads the same again.

#include <string>

#include "study/claims/claims_file.hpp"
#include "tests/fuzz/messages.hpp"

using namespace berth;
using namespace berth::study;
using fuzz::expect;

namespace {

void check_claim(const Claim& claim) {
  expect(!claim.id.empty() && !claim.says.empty(), "a claim has an id and a text");
  if (!claim.given.empty()) return;
  expect(!claim.sweeps.empty() && !claim.policies.empty() && !claim.metric.empty(),
         "a claim that is judged says by what", claim.id);
  expect(claim.base_sweeps.size() == claim.sweeps.size(),
         "each sweep of a claim has a base", claim.id);
}

std::string read(std::string_view text) {
  try {
    const auto file = read_claims("x.toml", text);
    expect(!file.claims.empty(), "there is a claim");
    for (const auto& claim : file.claims) check_claim(claim);
    return std::to_string(sweeps_of(file).size());
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
  expect(read(text) == read(text), "the same text reads the same");
  return 0;
}
