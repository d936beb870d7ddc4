#pragma once
// Files that tests read: those of the repository, and traces and schedules that are too
// large for it.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace berth::test {

// The root of the source tree, absolute.  The one place that is compiled with this
// path: the compiler cache then serves every checkout.
[[nodiscard]] std::string source_root();

// The file `relative` ("traces/x.swf.gz") in BERTH_DATA, else in ../shared/data.
// nullopt with one message if the file is absent; if BERTH_DATA is set, the test fails
// instead.
[[nodiscard]] std::optional<std::filesystem::path> shared_data(
    std::string_view relative);

}  // namespace berth::test
