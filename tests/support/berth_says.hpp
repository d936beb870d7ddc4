#pragma once
// The command line as a process would see it: exit status and both streams.

#include <sstream>
#include <string>
#include <vector>

#include "cli/cli.hpp"

namespace berth::test {

struct Said {
  friend bool operator==(const Said&, const Said&) = default;
  int code = 0;
  std::string out;
  std::string err;
};

inline Said berth_says(const std::vector<std::string>& args) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(args, out, err);
  return {code, out.str(), err.str()};
}

}  // namespace berth::test
