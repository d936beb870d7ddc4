#include "study/tests/luacheck.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "study/common/program_output.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// The options are those of the .luacheckrc that `berth new policy` writes.  A file of
// that name is not read: it is a script of its own, which would run outside of the
// sandbox.
constexpr std::array kCommand{"luacheck",
                              "--no-color",
                              "--no-cache",
                              "--no-config",
                              "--formatter",
                              "plain",
                              "--codes",
                              "--std",
                              "lua54",
                              "--max-line-length",
                              "100",
                              "--not-globals",
                              "collectgarbage",
                              "coroutine",
                              "debug",
                              "dofile",
                              "io",
                              "load",
                              "loadfile",
                              "os",
                              "package",
                              "utf8",
                              "warn",
                              "--"};

}  // namespace

std::vector<std::string> luacheck(const std::string& path) {
  std::vector<std::string> words(kCommand.begin(), kCommand.end());
  words.push_back(path);
  const auto output = output_of_program(std::move(words), {std::chrono::seconds(10)});
  if (output.how != ProgramOutput::ProgramEnd::kEnded) return {};
  const auto& text = output.text;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(path + ":")) continue;
    lines.push_back(fs::path(path).filename().string() + line.substr(path.size()));
  }
  return lines;
}

}  // namespace berth::study
