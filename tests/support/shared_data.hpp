#pragma once
// Traces and schedules that are too large for the repository.

#include <filesystem>
#include <optional>
#include <string_view>

namespace berth::test {

// The file `relative` ("traces/x.swf.gz") below BERTH_DATA, or where that is not set
// below
// ../shared/data beside the project.  nullopt with a message, once for each file, where
// it is absent; but with BERTH_DATA set an absent file fails the test.
[[nodiscard]] std::optional<std::filesystem::path> shared_data(
    std::string_view relative);

}  // namespace berth::test
