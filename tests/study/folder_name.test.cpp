#include "study/common/folder_name.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace berth::study;

TEST_SUITE("study/folder_name") {
  TEST_CASE("an ordinary label is its own folder") {
    CHECK(folder_name("easy") == "easy");
    CHECK(folder_name("sjf(block=false)") == "sjf(block=false)");
    CHECK(folder_name("0001-workload.load=0.8,seed=1") ==
          "0001-workload.load=0.8,seed=1");
  }

  TEST_CASE("no label names the folder itself, its parent or a hidden file") {
    CHECK(folder_name("") == "%");
    CHECK(folder_name(".") == "%2E");
    CHECK(folder_name("..") == "%2E.");
    CHECK(folder_name(".hidden") == "%2Ehidden");
  }

  TEST_CASE("no label leads into another folder") {
    CHECK(folder_name("../x") == "%2E.%2Fx");
    CHECK(folder_name(std::string_view("a\0b", 3)) == "a%00b");
  }

  TEST_CASE("different labels have different folders") {
    std::set<std::string> names;
    for (const char* label : {"x(p=/)", "x(p=_)", "x(p=%2F)", "x(p=~)", "%", "", "~"}) {
      names.insert(folder_name(label));
    }
    CHECK(names.size() == 7);
  }

  TEST_CASE("long labels are cut and still differ") {
    const std::string long_label(1000, 'a');
    const auto name = folder_name(long_label + "b");
    CHECK(name.size() == 160);
    CHECK(name != folder_name(long_label + "c"));
    CHECK(name != folder_name(name));
  }
}
