#pragma once
// What a page shows.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/time.hpp"

namespace berth::report {

enum class GanttData : std::uint8_t {
  kAuto,   // every rectangle, or beyond most_rectangles bins of a share in use
  kExact,  // every rectangle
  kOff,    // no Gantt chart
};

struct PageWindow {
  Time from = 0;
  Time to = 0;
};

// A part behind the panels, whose script may compile WebAssembly.
struct Extra {
  std::string section;  // HTML
  std::string script;
};

struct PageOptions {
  std::string title;                 // empty: the scenario's
  std::optional<PageWindow> window;  // shown first; nullopt: all
  GanttData gantt = GanttData::kAuto;
  std::optional<Extra> extra{};
  std::int64_t most_rectangles = 4'000'000;  // in the page, of all runs together
};

}  // namespace berth::report
