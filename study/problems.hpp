#pragma once
// Everything that is wrong with one file, gathered and then told in one go.

#include <cstdint>
#include <string>
#include <vector>

namespace berth::study {

struct Place {
  std::int64_t line = 0;    // from 1; 0: no place
  std::int64_t column = 0;  // byte, from 1; 0: no column
  friend auto operator<=>(const Place&, const Place&) = default;
};

class Problems {
 public:
  // `file` as the user typed it.
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(Place place, std::string what);
  [[nodiscard]] bool empty() const { return all_.empty(); }

  // Throws Error{kInput} with one line each, "file:line:column: what", in the order of
  // the file; returns if there is nothing to tell.
  void throw_if_any() const;

 private:
  struct Problem {
    Place place;
    std::string what;
  };
  std::string file_;
  std::vector<Problem> all_;
};

}  // namespace berth::study
