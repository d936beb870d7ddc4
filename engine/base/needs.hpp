#pragma once
// What a job asks of the machine, and whose draws are its own.  A sharing model sees
// this and never the job, so that hosts/ need not know jobs/.

#include <cstdint>

namespace berth {

struct Needs {
  std::int32_t processors;  // >= 1
  // The trace's own number: what is drawn for a job is a function of it.
  std::int64_t number = 0;
};

}  // namespace berth
