#pragma once
// The program's own three streams, and what can be wrong with them.

#include <array>
#include <streambuf>
#include <string>

namespace berth::cli {

inline constexpr int kOutputFailed = 8;

// Gives a stream that was closed before the program began to /dev/null, so that no file
// opened later takes its number.
void open_missing_streams();

// Whether a line of progress may move on standard error: a terminal that is not dumb.
[[nodiscard]] bool shows_progress();

// Standard output.  A reader that went away ends it quietly; what else goes wrong is
// kept.
class StandardOutput final : public std::streambuf {
 public:
  StandardOutput() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  // Why text was lost; empty: nothing was, or nobody wants it any more.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 protected:
  int_type overflow(int_type next) override;
  int sync() override;

 private:
  void write_out();

  std::array<char, 65536> buffer_{};
  bool closed_ = false;
  std::string problem_;
};

}  // namespace berth::cli
