#pragma once
// Files and folders of work under way, which no end of the process may leave behind.

#include <filesystem>

namespace berth {

// While it lives the path is removed, with all that is below it, if the process ends
// without unwinding.
class Leftover {
 public:
  explicit Leftover(std::filesystem::path path);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

 private:
  std::filesystem::path path_;
};

// Removes them all, best effort.  Only for the last act of a process.
// Threads: any.
void remove_leftovers() noexcept;

}  // namespace berth
