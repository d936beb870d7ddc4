#pragma once
// Traces and schedules that are too large for the repository.

#include <filesystem>
#include <optional>
#include <string_view>

namespace berth::test {

// The file `relative` ("traces/x.swf.gz") in BERTH_DATA, else in ../shared/data.
// nullopt with one message if the file is absent; if BERTH_DATA is set, the test fails
// instead.
[[nodiscard]] std::optional<std::filesystem::path> shared_data(
    std::string_view relative);

}  // namespace berth::test
