#include "engine/machines/network/tree/tree_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

struct Field {
  std::string_view text;
  std::size_t column;  // from 1
};

std::vector<Field> split(std::string_view line) {
  std::vector<Field> fields;
  std::size_t from = 0;
  for (;;) {
    const auto to = line.find(',', from);
    fields.push_back({line.substr(from, to - from), from + 1});
    if (to == std::string_view::npos) return fields;
    from = to + 1;
  }
}

class TreeReader {
 public:
  TreeReader(std::string_view text, const std::string& name)
      : rest_(text), name_(printable_name(name)) {}

  Topology read() {
    read_header();
    while (const auto line = next_line()) {
      if (!line->empty()) read_line(split(*line));
    }
    if (nodes_.empty()) fail(line_, 1, "there is no node; it needs at least two");
    find_parents();
    check_tree();
    return Topology::tree(nodes_);
  }

 private:
  enum Column : std::size_t { kNode, kParent, kCapacity, kSlots, kColumns };
  static constexpr std::array<std::string_view, kColumns> kNames{"node", "parent",
                                                                 "capacity", "slots"};

  [[noreturn]] void fail(std::size_t line, std::size_t column,
                         std::string_view what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{}: {}", name_, line, column, what));
  }
  [[noreturn]] void fail_node(std::size_t node, std::string_view what) const {
    fail(places_[node].line, places_[node].column[kNode],
         fmt::format("node '{}' {}", printable(nodes_[node].name), what));
  }

  std::optional<std::string_view> next_line() {
    if (rest_.empty()) return std::nullopt;
    ++line_;
    const auto end = rest_.find('\n');
    auto line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void read_header() {
    const auto line = next_line();
    const auto fields = line ? split(*line) : std::vector<Field>{};
    width_ = fields.size();
    for (std::size_t i = 0; i < kColumns; ++i) {
      const auto at =
          std::find_if(fields.begin(), fields.end(),
                       [&](const auto& field) { return field.text == kNames[i]; });
      if (at == fields.end()) {
        fail(1, 1,
             fmt::format("the first line has no column '{}'; it must name node, "
                         "parent, capacity and slots",
                         kNames[i]));
      }
      columns_[i] = static_cast<std::size_t>(at - fields.begin());
    }
  }

  template <class T>
  T number(const Field& field) const {
    T value{};
    const auto* end = field.text.data() + field.text.size();
    const auto [at, code] = std::from_chars(field.text.data(), end, value);
    if (code != std::errc() || at != end || field.text.empty()) {
      fail(line_, field.column,
           fmt::format("'{}' is not a number", printable(field.text)));
    }
    return value;
  }

  std::int64_t capacity(const Field& field) const {
    const auto rate = number<double>(field);
    if (!(rate >= 0.001 && rate <= 1e9)) {
      fail(line_, field.column,
           fmt::format("a capacity of {} is not between 0.001 and 1000000000 Mb/s",
                       printable(field.text)));
    }
    return whole_units(rate, 1000);
  }

  std::int32_t slots(const Field& field) const {
    if (field.text.empty()) return 0;
    const auto count = number<std::int32_t>(field);
    if (count >= 0 && count <= 64) return count;
    fail(line_, field.column, fmt::format("{} slots are not between 0 and 64", count));
  }

  void read_line(const std::vector<Field>& fields) {
    if (fields.size() != width_) {
      fail(line_, 1,
           fmt::format("{} fields where {} are needed", fields.size(), width_));
    }
    const auto field = [&](Column column) { return fields[columns_[column]]; };
    const bool is_root = field(kParent).text.empty();
    if (field(kNode).text.empty())
      fail(line_, field(kNode).column, "a node needs a name");
    const TreeNode node{std::string(field(kNode).text), -1,
                        is_root ? 0 : capacity(field(kCapacity)), slots(field(kSlots))};
    Place place{line_, {}};
    for (std::size_t i = 0; i < kColumns; ++i)
      place.column[i] = fields[columns_[i]].column;
    const auto [at, is_new] = numbers_.try_emplace(node.name, nodes_.size());
    if (!is_new) {
      fail(line_, field(kNode).column,
           fmt::format("node '{}' is already on line {}", printable(node.name),
                       places_[at->second].line));
    }
    if (is_root) {
      if (root_) {
        fail(line_, field(kParent).column,
             fmt::format("a second node without a parent; the root is '{}', line {}",
                         printable(nodes_[*root_].name), places_[*root_].line));
      }
      root_ = nodes_.size();
    }
    parents_.emplace_back(field(kParent).text);
    nodes_.push_back(node);
    places_.push_back(place);
  }

  void find_parents() {
    children_.assign(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (parents_[i].empty()) continue;
      const auto at = numbers_.find(parents_[i]);
      if (at == numbers_.end()) {
        fail(places_[i].line, places_[i].column[kParent],
             fmt::format("there is no node '{}'", printable(parents_[i])));
      }
      nodes_[i].parent = static_cast<std::int32_t>(at->second);
      ++children_[at->second];
    }
    if (!root_) fail(1, 1, "every node has a parent; one must have none, the root");
  }

  void check_tree() const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const bool is_server = children_[i] == 0;
      if (!is_server && nodes_[i].slots > 0) {
        fail_node(i, "has slots and children; only a server has slots");
      }
      if (is_server && nodes_[i].slots == 0) {
        fail_node(i, "has neither slots nor children");
      }
      check_height(i);
    }
    if (nodes_.size() == 1) fail_node(0, "is alone; a server needs a switch above it");
  }

  void check_height(std::size_t from) const {
    std::size_t levels = 0;
    for (auto at = from; nodes_[at].parent >= 0;) {
      at = static_cast<std::size_t>(nodes_[at].parent);
      if (at == from) fail_node(from, "is below itself: its parents form a circle");
      if (std::cmp_less_equal(++levels, Topology::kMostLevels)) continue;
      fail_node(from, fmt::format("has no root within {} levels above it: its parents "
                                  "form a circle, or are too many",
                                  Topology::kMostLevels));
    }
  }

  struct Place {
    std::size_t line;
    std::array<std::size_t, kColumns> column;
  };

  std::string_view rest_;
  std::string name_;
  std::size_t line_ = 0;
  std::size_t width_ = 0;
  std::array<std::size_t, kColumns> columns_{};
  std::vector<TreeNode> nodes_;
  std::vector<Place> places_;
  std::vector<std::string> parents_;
  std::vector<std::int32_t> children_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::optional<std::size_t> root_;
};

}  // namespace

Topology tree_from_text(std::string_view text, const std::string& name) {
  return TreeReader(text, name).read();
}

}  // namespace berth
