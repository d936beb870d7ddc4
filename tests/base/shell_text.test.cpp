#include "engine/base/shell_text.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace berth {

TEST_SUITE("base/shell_text") {
  TEST_CASE("a word without meaning to a shell is bare") {
    CHECK(shell_word("results/easy_2.toml") == "results/easy_2.toml");
    CHECK(shell_word("--set=workload.load=0.9") == "--set=workload.load=0.9");
    CHECK(shell_word("17") == "17");
  }

  TEST_CASE("any other word is in single quotes") {
    CHECK(shell_word("") == "''");
    CHECK(shell_word("a b") == "'a b'");
    CHECK(shell_word("$(touch x)") == "'$(touch x)'");
    CHECK(shell_word("it's") == "'it'\\''s'");
    CHECK(shell_word("~") == "'~'");
    CHECK(shell_word("=ls") == "'=ls'");  // a path to zsh
    CHECK(shell_word("a\nb") == "'a\nb'");
    CHECK(shell_word("\xc3\xa4") == "'\xc3\xa4'");
  }

  TEST_CASE("a script begins with its values") {
    const std::vector<ShellValue> values{{"out", "o$HOME"}, {"parts", "4"}};
    CHECK(shell_script("# A test.\n", values, "echo \"$out\"\n") ==
          "#!/bin/sh\n# A test.\nout='o$HOME'\nparts=4\necho \"$out\"\n");
    const std::vector<std::string> words{"rm", "--", "a b"};
    CHECK(shell_words(words) == "rm -- 'a b'");
  }
}

}  // namespace berth
