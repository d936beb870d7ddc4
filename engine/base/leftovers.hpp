#pragma once
// Where a process ends without unwinding: files and folders of work under way, which it
// may not leave behind, and what it says last.

#include <filesystem>
#include <functional>
#include <string>

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

// While it lives the process says this last if it ends without unwinding.
class LastWords {
 public:
  // Called from any thread, while others work; an empty text says nothing.  What it
  // throws is lost.
  explicit LastWords(std::function<std::string()> say);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  std::function<std::string()> say_;
};

// A line for each of those that live.  Threads: any.
[[nodiscard]] std::string last_words() noexcept;

// Removes the leftovers, best effort.  Only for the last act of a process.
// Threads: any.
void remove_leftovers() noexcept;

}  // namespace berth
