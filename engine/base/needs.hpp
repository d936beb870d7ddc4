#pragma once
// What a job asks of the machine, with the values drawn for it.  A sharing model sees
// this and never the job, so that hosts/ need not know jobs/.

#include <cstdint>

namespace berth {

struct Needs {
  std::int32_t processors;  // >= 1
};

}  // namespace berth
