#pragma once
// What a reservation is made for.

#include <cstdint>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth {

struct Request {
  JobId job;
  std::int32_t size;
  Duration planned;  // > 0
  friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace berth
