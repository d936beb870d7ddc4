#pragma once
// What went wrong, as a berth_error, and the one place that catches exceptions.

#include <cstddef>
#include <string>
#include <string_view>

#include "capi/berth.h"
#include "engine/base/error.hpp"
#include "engine/base/plain_locale.hpp"
#include "study/common/exit_code.hpp"

namespace berth::capi {

// The place that a message begins with, "file:line:column: " or "file:line: ", is kept
// apart as well.
[[nodiscard]] berth_error error_of(const study::Failure& failure);

// Error{kUsage}.
[[noreturn]] void wrong_use(const std::string& what);

// The text; throws Error{kUsage} naming the argument for null.
[[nodiscard]] std::string_view text_of(const char* text, const char* argument);

// The result of `work()`, or the code of what it throws, told to `report(error)`.
template <class Work, class Report>
auto caught(const Work& work, const Report& report) noexcept -> decltype(work()) {
  study::Failure failure;
  try {
    const PlainLocale locale;
    return work();
  } catch (...) {
    try {
      failure = study::failure_now();
    } catch (...) {  // no memory for the message, or no exception of the library's
      failure.code = study::kDefectCode;
    }
  }
  const auto error = error_of(failure);
  report(error);
  return error.code;
}

// The same of a call without a run: `error` may be null.
template <class Work>
auto caught(const Work& work, berth_error* error) noexcept -> decltype(work()) {
  return caught(work, [error](const berth_error& made) {
    if (error != nullptr) *error = made;
  });
}

}  // namespace berth::capi
