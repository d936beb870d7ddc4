#include "engine/machines/network/tree/tree_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/base/error.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

std::string complaint(const std::string& rows,
                      const std::string& header = "node,parent,capacity,slots") {
  try {
    (void)tree_from_text(header + "\n" + rows, "tree.csv");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("machines/network/tree/tree_text") {
  TEST_CASE("servers are numbered as the tree is walked, switches by height") {
    const auto tree = tree_from_text(
        "slots,node,parent,capacity\r\n,root,,\r\n2,c,root,30\r\n0,rack,root,50\r\n"
        "4,a,rack,10\r\n4,b,rack,20.5\r\n",
        "tree.csv");
    CHECK(tree.servers() == 3);
    CHECK(tree.processors() == 10);
    CHECK(tree.levels() == 2);
    CHECK(tree.slots(0) == 2);
    CHECK(tree.capacity(2) == 20'500);
    CHECK(tree.name(3) == "node rack");
    CHECK(tree.name(4) == "node root");
    CHECK(tree.below(3).first == 1);
    CHECK(tree.below(4).size() == 3);
    CHECK(tree.route(4, 1) == Topology::Route{1, 3});
  }

  TEST_CASE("each fault is named at its place") {
    contains(complaint("", "node,parent,capacity"),
             "tree.csv:1:1: column slots is missing; the first line must name node, "
             "parent, capacity, slots");
    contains(complaint(""), "there is no node");
    contains(complaint("a,,,\nb,a,10,2\nb,a,10,2\n"),
             "tree.csv:4:1: node 'b' is already on line 3");
    contains(complaint("a,,,\nb,,,2\n"),
             "tree.csv:3:3: a second node without a parent");
    contains(complaint("a,,,\nb,x,10,2\n"), "tree.csv:3:3: there is no node 'x'");
    contains(complaint("r,,,\ns,r,5,1\na,b,10,\nb,a,10,\n"),
             "tree.csv:4:1: node 'a' is below itself");
    contains(complaint("a,b,10,\nb,a,10,\n"), "every node has a parent");
    contains(complaint("a,,,3\nb,a,10,2\n"),
             "tree.csv:2:1: node 'a' has slots and children");
    contains(complaint("a,,,\nb,a,10,\n"), "node 'b' has neither slots nor children");
    contains(complaint("a,,,3\n"), "node 'a' is alone");
    contains(complaint("a,,,\nb,a,0,2\n"), "tree.csv:3:5: capacity: 0 is not between");
    contains(complaint("a,,,\nb,a,-1,2\n"),
             "tree.csv:3:5: capacity: -1 is not between");
    contains(complaint("a,,,\nb,a,nan,2\n"),
             "tree.csv:3:5: capacity: 'nan' is not a number");
    contains(complaint("a,,,\nb,a,x,2\n"),
             "tree.csv:3:5: capacity: 'x' is not a number");
    contains(complaint("a,,,\nb,a,10,65\n"),
             "tree.csv:3:8: slots: '65' is not a whole number from 0 to 64");
    contains(complaint("a,,,\nb,a,10\n"), "tree.csv:3:1: 3 fields where 4 are needed");
  }

  TEST_CASE("a chain of many switches is refused, not followed") {
    std::string rows = "n0,,,\n";
    for (int i = 1; i < 70; ++i) {
      rows += "n" + std::to_string(i) + ",n" + std::to_string(i - 1) + ",10,\n";
    }
    contains(complaint(rows + "s,n69,10,1\n"), "has no root within 64 levels");
  }
}
