#include "study/version.hpp"

namespace berth::study {

std::string_view version() { return BERTH_VERSION; }

}  // namespace berth::study
