#include "engine/base/error.hpp"

#include <fmt/format.h>

#include <string_view>

namespace berth {

void assertion_failed(const char* condition, const char* file, int line) {
  std::string_view path(file);
  if (const auto at = path.rfind("engine/"); at != std::string_view::npos) {
    path.remove_prefix(at);
  }
  throw Error(ErrorCode::kDefect,
              fmt::format("{}:{}: assertion failed: {}", path, line, condition));
}

}  // namespace berth
