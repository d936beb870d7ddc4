#include "engine/jobs/job_file_form.hpp"

#include <fmt/format.h>

namespace berth {

std::string not_a_part(double part) {
  if (part > 0 && part <= 1) return {};
  return fmt::format("{} is not above 0 and at most 1", part);
}

}  // namespace berth
