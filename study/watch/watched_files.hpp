#pragma once
// Whether files have changed, by what they hold.

#include <map>
#include <string>
#include <vector>

#include "study/scenario/scenario.hpp"

namespace berth::study {

class WatchedFiles {
 public:
  // From now on these, as they are now.  Files that are known already stay as they
  // were last seen, so that no change between two calls is lost.
  void watch(const std::vector<std::string>& paths);
  // Those whose content is another than when they were last seen, or watched first, by
  // name; from now on that is what they hold.  A file that is not there, or cannot be
  // read, is not reported: an editor may be about to rename another one.
  // Cost: files above 1 MiB are read only if size or time of change are others.
  [[nodiscard]] std::vector<std::string> changed();

 private:
  struct Seen {
    std::string mark;    // of size and time
    std::string digest;  // empty: it was not there
  };
  static bool look(const std::string& path, Seen& seen);

  std::map<std::string, Seen> files_;
};

// What a run of the scenario reads, or may read: its file, its inputs as they are named
// and where they are found (study/common/input_path.hpp), the tables (.csv) beside it,
// the policies, and the Lua files beside these and in lib/.
[[nodiscard]] std::vector<std::string> files_of(const Scenario& scenario);

}  // namespace berth::study
