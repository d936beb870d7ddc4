#pragma once
// Sets an environment variable for one test case and restores it afterwards.

#include <stdlib.h>

#include <optional>
#include <string>

namespace berth::test {

class Variable {
 public:
  // REQUIRES: no other thread runs.
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace berth::test
