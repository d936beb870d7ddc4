#pragma once
// What stands in a policy file, field by field, and idioms: the part of the policy API
// that is written, not registered.
//
// From the topics come the first part of docs/api.md, `berth api orders` and a test
// that runs every example.  The idioms are the files of docs/examples.

#include <span>
#include <string_view>

namespace berth::bindings {

struct Topic {
  std::string_view name;     // "orders"; of an idiom: its file in docs/examples
  std::string_view title;    // of an idiom: what it does; else empty
  std::string_view text;     // Markdown, paragraphs of whole sentences
  std::string_view example;  // a whole policy file
};

// The policy file, then its fields, in the order of the page.
[[nodiscard]] std::span<const Topic> policy_topics();
[[nodiscard]] std::span<const Topic> idioms();

}  // namespace berth::bindings
