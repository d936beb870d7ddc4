// Bytes as a file of packing instances.
//
// Promises: what is wrong is told with its place; what is right is written as a file
// that reads back the same.

#include <sstream>
#include <string>

#include "engine/machines/fractional/pack/instances_csv.hpp"
#include "tests/fuzz/messages.hpp"

using namespace berth;
using fuzz::expect;

namespace {

// What is read, as a file; the message of an error.
std::string read(const std::string& text) {
  try {
    std::ostringstream out;
    Budget budget;
    pack::write_instances(out, pack::read_instances(text, "x.csv", budget), budget);
    return out.str();
  } catch (const Error& error) {
    fuzz::check_message(error);
    expect(std::string_view(error.what()).starts_with("x.csv:"),
           "a message names the file", error.what());
    return {};
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto written = read(text);
  if (!written.empty()) {
    expect(read(written) == written, "what is written reads back the same", written);
  }
  return 0;
}
