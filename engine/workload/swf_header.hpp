#pragma once
// What the comment lines of an SWF file say about the machine ("; MaxProcs: 128").

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/workload/swf_line.hpp"

namespace berth {

// A value counts by its leading whole number ("1024 (32 of them spare)" is 1024); of
// two lines with one key the first counts.  0, negative values and words say nothing.
class SwfHeader {
 public:
  // Takes note of one comment line, with its semicolon; other keys are ignored.  Throws
  // Error{kInput} for a size or a time that no machine can have.
  void read_line(std::string_view text, const SwfPlace& place);

  // MaxProcs, else MaxNodes; nullopt if neither is there.
  [[nodiscard]] std::optional<std::int32_t> processors() const;

  // UnixStartTime; nullopt if it is not there.
  [[nodiscard]] std::optional<std::int64_t> unix_start() const { return unix_start_; }

 private:
  std::optional<std::int64_t> max_procs_;
  std::optional<std::int64_t> max_nodes_;
  std::optional<std::int64_t> unix_start_;
};

}  // namespace berth
