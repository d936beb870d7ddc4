#pragma once
// Ctrl-C: the first asks the program to stop, the second ends it.

namespace berth::cli {

void catch_interrupt();
[[nodiscard]] bool was_interrupted();

}  // namespace berth::cli
