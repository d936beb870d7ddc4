#pragma once
// The script and the style of every report, made by report/web/build.
//
// The script's first line is a comment that ends in the SHA-256 of what it was made of.

#include <string>
#include <string_view>

namespace berth::report {

struct Bundle {
  std::string script;
  std::string loader;  // of the script, which is in the page deflated
  std::string style;
};

// From BERTH_REPORT, from share/berth/report beside the program, or from the source
// tree.  Throws Error{kUsage} if it is in none of them.
[[nodiscard]] Bundle load_bundle();

// What a script-src of the content security policy calls this script.
[[nodiscard]] std::string script_hash(std::string_view script);

}  // namespace berth::report
