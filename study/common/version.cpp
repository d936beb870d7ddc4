#include "study/common/version.hpp"

#include "study/common/source_sha256.hpp"

namespace berth::study {

std::string_view version() { return BERTH_VERSION; }

std::string_view source_sha256() { return kSourceSha256; }

}  // namespace berth::study
