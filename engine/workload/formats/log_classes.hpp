#pragma once
// The classes of what a reader repairs or leaves out, counted while it reads.

#include <map>
#include <string>
#include <string_view>

#include "engine/workload/formats/log.hpp"

namespace berth {

struct LogPlace;

class LogFindings {
 public:
  // REQUIRES: the options outlive this.
  explicit LogFindings(const LogOptions& options) : options_(options) {}

  // Throws Error{kInput} where reading is strict and the class is one that matters.
  // REQUIRES: there is such a class.
  void note(std::string_view of_class, const LogPlace& at, std::string_view id,
            std::string_view text, std::int64_t count = 1);
  // Beside what the workload has.
  void move_to(Workload& workload);

 private:
  const LogOptions& options_;
  std::map<std::string_view, Finding> found_;
  std::vector<LogRepair> list_;
};

}  // namespace berth
