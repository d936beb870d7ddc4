#pragma once
// Where written text goes: a file, a string, a checksum.

#include <string>
#include <string_view>

namespace berth {

class Sink {
 public:
  virtual ~Sink() = default;
  // Takes all of it, or throws Error{kOutput} naming the target and the reason.
  virtual void write(std::string_view text) = 0;
};

// Keeps what is written.
class StringSink : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace berth
