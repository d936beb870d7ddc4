#pragma once
// A report: one HTML file with everything in it.
//
// Head, tables, warnings and captions are plain HTML; charts are drawn by the script
// (bundle.hpp) from the figures (figures.hpp).  All text from outside is escaped.  The
// page's content security policy allows its own script alone and no request but of data
// inside the page.
//
// Determinism  Equal results and options give equal bytes: no clock, path or host name.

#include <string>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/output/sink.hpp"
#include "report/page_options.hpp"
#include "report/results.hpp"

namespace berth::report {

// What is in it, as JSON: {"format", "bytes", "panels", "runs", "warnings"}.  Throws
// Error{kUsage} without the bundle, and what the sink throws.
Json write_page(const Results& results, const PageOptions& options, Sink& sink,
                Budget& budget);

// Text as HTML shows it, in an element or in an attribute with double quotes; control
// characters as "\x1b".
[[nodiscard]] std::string html_text(std::string_view text);

// A label or another text from outside: its direction does not reach its surroundings,
// and a long one can be scrolled.
[[nodiscard]] std::string isolated(std::string_view text);

}  // namespace berth::report
