// Platforms of SimGrid in XML, as Batsim takes them: how many hosts jobs run on.
//
// Of XML what they use: elements with attributes in quotes; comments, instructions and
// the document type are passed over, and text between elements says nothing.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "study/hosts/host_formats.hpp"

namespace berth::study {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_platform(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(kBlanks), head.size()));
  return head.starts_with("<?xml") || head.starts_with("<platform");
}

std::string whole_text(ByteSource& source, const std::string& file, Budget& budget) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
  constexpr std::size_t kPiece = std::size_t{64} << 10U;
  constexpr std::size_t kUnitsOfPiece = kPiece / 16;
  std::string text;
  std::string piece(kPiece, '\0');
  while (const auto count = source.read(piece.data(), piece.size())) {
    budget.charge(kUnitsOfPiece);
    text.append(piece, 0, count);
    if (text.size() > kMostBytes) refuse_log(file, {1, 1}, "holds more than 64 MiB");
  }
  return text.erase(0, byte_order_mark(text, file));
}

struct XmlTag {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::size_t at = 0;  // its first byte
  bool closes = false;
  bool is_empty = false;

  [[nodiscard]] std::string_view value(std::string_view of) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& each) { return each.first == of; });
    return found == attributes.end() ? std::string_view() : found->second;
  }
};

// The tags of a text, in their order.
class XmlTags {
 public:
  XmlTags(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  // nullopt: there is none any more.
  std::optional<XmlTag> next() {
    // Bounded: the text, of which each turn takes a part.
    while (true) {
      const auto open = text_.find('<', at_);
      if (open == text_.npos) return std::nullopt;
      at_ = open;
      if (!skip("<!--", "-->") && !skip("<?", "?>") && !skip_type()) return tag();
    }
  }

  [[noreturn]] void refuse(std::size_t at, std::string_view what) const {
    const auto before = text_.substr(0, at);
    const auto begin = before.rfind('\n');
    refuse_log(file_,
               {1 + std::count(before.begin(), before.end(), '\n'),
                begin == before.npos ? at + 1 : at - begin},
               what);
  }
  [[nodiscard]] LogPlace place(std::size_t at) {
    lines_ += std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                         text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    counted_ = at;
    return {1 + lines_, 1};
  }

 private:
  bool skip(std::string_view begin, std::string_view end) {
    if (!text_.substr(at_).starts_with(begin)) return false;
    const auto close = text_.find(end, at_ + begin.size());
    if (close == text_.npos) refuse(at_, fmt::format("'{}' has no '{}'", begin, end));
    at_ = close + end.size();
    return true;
  }

  // A document type may have declarations within brackets.
  bool skip_type() {
    if (!text_.substr(at_).starts_with("<!")) return false;
    const auto close = text_.find_first_of("[>", at_);
    const auto end =
        close != text_.npos && text_[close] == '[' ? text_.find("]>", close) : close;
    if (end == text_.npos) refuse(at_, "'<!' has no '>'");
    at_ = end + (text_[end] == ']' ? 2 : 1);
    return true;
  }

  XmlTag tag() {
    XmlTag made;
    made.at = at_++;
    if (peek() == '/') {
      made.closes = true;
      ++at_;
    }
    made.name = word();
    if (made.name.empty()) refuse(made.at, "'<' begins no element");
    // Bounded: the text, of which each turn takes a part.
    while (true) {
      at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
      if (peek() == '>') break;
      if (text_.substr(at_).starts_with("/>")) {
        made.is_empty = true;
        ++at_;
        break;
      }
      add_attribute(made);
    }
    ++at_;
    return made;
  }

  void add_attribute(XmlTag& to) {
    constexpr std::size_t kMost = 256;
    const auto name = word();
    skip_blanks_and('=');
    const char quote = peek();
    const bool is_right = !name.empty() && (quote == '"' || quote == '\'');
    const auto end = is_right ? text_.find(quote, at_ + 1) : text_.npos;
    if (end == text_.npos || to.attributes.size() == kMost) {
      refuse(to.at,
             fmt::format("the element {} does not end, or has an attribute that is "
                         "no name=\"value\"",
                         printable(to.name)));
    }
    to.attributes.emplace_back(name, text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
  }

  void skip_blanks_and(char c) {
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
    if (peek() == c) ++at_;
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view word() {
    const auto begin = std::min(at_, text_.size());
    at_ = std::min(text_.find_first_of(" \t\r\n=/>\"'<", begin), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  std::int64_t lines_ = 0;
};

class PlatformReader {
 public:
  PlatformReader(std::string_view text, const std::string& file, Budget& budget)
      : tags_(text, file), budget_(budget) {
    list_.file = file;
    list_.is_pool = true;
  }

  HostList read() {
    while (const auto tag = tags_.next()) {
      budget_.charge(kUnitsOfTag);
      if (!tag->closes) open(*tag);
      if (tag->closes || tag->is_empty) close(*tag);
    }
    if (!open_.empty()) {
      tags_.refuse(open_.back().at, fmt::format("the element {} is not closed",
                                                printable(open_.back().name)));
    }
    return std::move(list_);
  }

 private:
  static constexpr std::int64_t kUnitsOfTag = 4;

  struct OpenElement {
    std::string_view name;
    std::size_t at;
    ListedHost hosts;  // of no processors: it is none
    bool computes = true;
  };

  void open(const XmlTag& tag) {
    constexpr std::size_t kDeepest = 64;
    if (open_.size() == kDeepest) {
      tags_.refuse(tag.at, fmt::format("elements are more than {} deep", kDeepest));
    }
    const bool is_role = tag.name == "prop" && tag.value("id") == "role";
    if (is_role && !open_.empty()) {
      open_.back().computes = tag.value("value").find("compute_node") != tag.name.npos;
    }
    open_.push_back({tag.name, tag.at, hosts_of(tag)});
    if (tag.value("id") == "master_host") open_.back().computes = false;
  }

  ListedHost hosts_of(const XmlTag& tag) {
    ListedHost hosts;
    const auto radical = tag.value("radical");
    if (tag.name != "host" && radical.empty()) return hosts;
    hosts.name = tag.value("id");
    hosts.place = tags_.place(tag.at);
    hosts.processors = 1;
    if (radical.empty()) return hosts;
    hosts.count = count_of_list(radical);
    if (hosts.count == 0) {
      tags_.refuse(tag.at, fmt::format("radical: '{}' is no list of numbers such as "
                                       "0-31,40",
                                       printable(radical)));
    }
    return hosts;
  }

  void close(const XmlTag& tag) {
    if (open_.empty() || open_.back().name != tag.name) {
      tags_.refuse(tag.at,
                   fmt::format("the element {} is closed here, and {} is open",
                               printable(tag.name),
                               open_.empty() ? "none" : printable(open_.back().name)));
    }
    auto& last = open_.back();
    if (last.hosts.processors > 0 && last.computes) {
      list_.hosts.push_back(std::move(last.hosts));
    }
    open_.pop_back();
  }

  XmlTags tags_;
  Budget& budget_;
  HostList list_;
  std::vector<OpenElement> open_;
};

HostList read_platform(ByteSource& source, const std::string& file, Budget& budget) {
  const auto text = whole_text(source, file, budget);
  return PlatformReader(text, file, budget).read();
}

}  // namespace

extern const HostFormat kPlatformHosts;
const HostFormat kPlatformHosts{"platform", "SimGrid: a platform of Batsim in XML",
                                is_platform, read_platform};

}  // namespace berth::study
