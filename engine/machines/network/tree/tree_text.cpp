#include "engine/machines/network/tree/tree_text.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/amount.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"

namespace berth {

namespace {

class TreeReader {
 public:
  TreeReader(std::string_view text, const std::string& name)
      : table_(name, lines_of(text, budget_),
               {{"node"}, {"parent"}, {"capacity"}, {"slots"}}) {}

  Topology read() {
    while (table_.next()) read_row();
    if (nodes_.empty()) {
      table_.wrong(TablePlace{table_.line()},
                   "there is no node; it needs at least two");
    }
    find_parents();
    check_tree();
    return Topology::tree(nodes_);
  }

 private:
  enum Column : std::size_t { kNode, kParent, kCapacity, kSlots };

  [[noreturn]] void fail_node(std::size_t node, std::string_view what) const {
    table_.wrong(places_[node].node,
                 fmt::format("node '{}' {}", printable(nodes_[node].name), what));
  }

  [[nodiscard]] std::int64_t capacity() const {
    const auto rate = table_.real(kCapacity);
    if (rate >= 0.001 && rate <= 1e9) return whole_units(rate, 1000);
    table_.wrong(kCapacity, fmt::format("{} is not between 0.001 and 1000000000 Mb/s",
                                        printable(table_.text(kCapacity))));
  }

  [[nodiscard]] std::int32_t slots() const {
    if (table_.text(kSlots).empty()) return 0;
    return static_cast<std::int32_t>(table_.whole(kSlots, 0, 64));
  }

  void read_row() {
    const bool is_root = table_.text(kParent).empty();
    if (table_.text(kNode).empty())
      table_.wrong(table_.place(kNode), "a node needs a name");
    const TreeNode node{std::string(table_.text(kNode)), -1, is_root ? 0 : capacity(),
                        slots()};
    const auto [at, is_new] = numbers_.try_emplace(node.name, nodes_.size());
    if (!is_new) {
      table_.wrong(table_.place(kNode),
                   fmt::format("node '{}' is already on line {}", printable(node.name),
                               places_[at->second].node.line));
    }
    if (is_root && root_) {
      table_.wrong(
          table_.place(kParent),
          fmt::format("a second node without a parent; the root is '{}', line {}",
                      printable(nodes_[*root_].name), places_[*root_].node.line));
    }
    if (is_root) root_ = nodes_.size();
    parents_.emplace_back(table_.text(kParent));
    nodes_.push_back(node);
    places_.push_back({table_.place(kNode), table_.place(kParent)});
  }

  void find_parents() {
    children_.assign(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (parents_[i].empty()) continue;
      const auto at = numbers_.find(parents_[i]);
      if (at == numbers_.end()) {
        table_.wrong(places_[i].parent,
                     fmt::format("there is no node '{}'", printable(parents_[i])));
      }
      nodes_[i].parent = static_cast<std::int32_t>(at->second);
      ++children_[at->second];
    }
    if (root_) return;
    table_.wrong(TablePlace{}, "every node has a parent; one must have none, the root");
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

  struct NodePlaces {
    TablePlace node;
    TablePlace parent;
  };

  Budget budget_;
  TableReader table_;
  std::vector<TreeNode> nodes_;
  std::vector<NodePlaces> places_;
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
