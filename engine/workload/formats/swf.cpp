// The Standard Workload Format, in the list of formats.

#include <algorithm>

#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "engine/workload/swf_reader.hpp"

namespace berth {

namespace {

constexpr std::string_view kBlanks = " \t";

// A text that begins with a comment, or with two numbers and a blank between them: what
// is wrong with its lines SWF's reader tells.  An empty text is a trace without jobs.
bool is_swf(std::string_view head) {
  const auto begin = head.find_first_not_of(" \t\r\n");
  if (begin == head.npos || head[begin] == ';') return true;
  auto line = first_line_of(head.substr(begin));
  // Bounded: the two first words of a line.
  for (int word = 0; word < 2; ++word) {
    const auto end = std::min(line.find_first_of(kBlanks), line.size());
    const auto number = line.substr(0, end);
    if (number.empty() || number.find_first_not_of("0123456789.-+e") != number.npos) {
      return false;
    }
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks, end), line.size()));
  }
  return true;
}

JobLog read_as_swf(ByteSource& source, const LogOptions& options, Budget& budget) {
  const SwfOptions swf{options.name,          options.strict,
                       options.keep_lines,    options.keep_recorded,
                       options.keep_left_out, options.keep_preceding};
  JobLog log;
  log.workload = read_swf(source, swf, budget);
  return log;
}

}  // namespace

extern const FormatRecord kSwfFormat{
    "swf", "the Parallel Workloads Archive", is_swf, read_as_swf, ".swf", true};

}  // namespace berth
