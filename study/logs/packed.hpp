#pragma once
// Text that is written packed.

#include <functional>

#include "engine/output/sink.hpp"

namespace berth::study {

enum class Compression : std::uint8_t { kPlain, kGzip };

// Whether a file of this name is packed by gzip: by its ending.
[[nodiscard]] Compression compression_of(std::string_view name);

// Passes on what `write` writes.  The same text gives the same bytes, compressed too.
// Throws what the sink and `write` throw.
void write_packed(Sink& sink, Compression compression,
                  const std::function<void(Sink&)>& write);

}  // namespace berth::study
