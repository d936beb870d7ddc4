// Words from outside leave the program in each of its formats, and are read back.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/slurm_script.hpp"
#include "engine/base/csv_reader.hpp"
#include "engine/base/csv_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/shell_text.hpp"
#include "engine/compare/text_table.hpp"
#include "report/page.hpp"
#include "study/results/own_files.hpp"
#include "study/tests/test_files.hpp"
#include "tests/support/berth_says.hpp"

namespace berth {

namespace {

namespace fs = std::filesystem;
using test::berth_says;

// The cells of one line of CSV.
std::vector<std::string> cells_of(const std::string& line) {
  bool is_read = false;
  CsvReader reader("line.csv", [&]() -> std::optional<std::string_view> {
    if (std::exchange(is_read, true)) return std::nullopt;
    return line;
  });
  std::vector<std::string> cells;
  const auto fields = reader.next().value();
  for (const auto& field : fields) cells.emplace_back(field.text);
  return cells;
}

// Each may be the name of a file.
const std::vector<std::string> kWords{
    "plain",
    "it's",
    "say \"when\"",
    "'quoted'",
    "$(touch PWNED)",
    "`touch PWNED`",
    "$HOME",
    "${IFS}x",
    "a;touch PWNED",
    "a|b",
    "a&&b",
    "a>b<c",
    "a\nb",
    "PART\nMERGE\nEOF",
    "tab\tbetween",
    "100%",
    "%a-%j",
    "=1+1",
    "=cmd|' C'!A0",
    "+1",
    "-1+2",
    "-rf",
    "--out",
    "@SUM(A1)",
    "'=1",
    "''@x",
    "back\\slash",
    "two\\\\slashes",
    "ends in \\",
    "\\x1b",
    "a,b",
    "*star*",
    "[link](x)",
    "<b>bold<",
    "&amp;",
    "a_b^c~d",
    "#hash",
    "{curly}",
    "a--b",
    "caf\xc3\xa9 \xe2\x82\xac",
};

// An empty folder, in which the test works.
class Folder {
 public:
  Folder() : before_(fs::current_path()) {
    auto pattern = (fs::temp_directory_path() / "berth-words-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    fs::current_path(path_);
  }
  ~Folder() {
    fs::current_path(before_);
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path before_;
  fs::path path_;
};

void put(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text, char end = '\n') {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto to = std::min(text.find(end, at), text.size());
    lines.push_back(text.substr(at, to - at));
    at = to + 1;
  }
  return lines;
}

// As it stands in a table, on one line.
std::string shown(std::string_view word) { return plain_text(word, Newlines::kEscape); }

std::string without_backslashes(std::string_view text) {
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    word += text[i];
  }
  return word;
}

using Codes = std::vector<std::pair<std::string_view, std::string_view>>;

// With each of the codes, wherever it stands, replaced by what it means.
std::string decoded(std::string_view text, const Codes& codes) {
  std::string word;
  while (!text.empty()) {
    const auto code = std::find_if(codes.begin(), codes.end(), [&](const auto& each) {
      return text.starts_with(each.first);
    });
    word += code == codes.end() ? text.substr(0, 1) : code->second;
    text.remove_prefix(code == codes.end() ? 1 : code->first.size());
  }
  return word;
}

const Codes kLatex{{"\\textbackslash{}", "\\"},
                   {"\\textasciitilde{}", "~"},
                   {"\\textasciicircum{}", "^"},
                   {"\\textless{}", "<"},
                   {"\\textgreater{}", ">"},
                   {"\\textbar{}", "|"},
                   {"\\textasciigrave{}", "`"},
                   {"\\textquotesingle{}", "'"},
                   {"{*}", "*"},
                   {"{[}", "["},
                   {"-{}-", "--"},
                   {"\\&", "&"},
                   {"\\%", "%"},
                   {"\\$", "$"},
                   {"\\#", "#"},
                   {"\\_", "_"},
                   {"\\{", "{"},
                   {"\\}", "}"}};
const Codes kMarkup{{"&amp;", "&"}, {"&lt;", "<"},   {"&gt;", ">"}, {"&quot;", "\""},
                    {"&#39;", "'"}, {"&#10;", "\n"}, {"&#9;", "\t"}};

// Runs `command` by sh; what it printed.
std::string output_of(const std::string& command) {
  put("command", command);
  REQUIRE(std::system("sh ./command > printed 2> complaints") == 0);
  CHECK(file_text("complaints").empty());
  return file_text("printed");
}

void put_program(const fs::path& file, std::string_view text) {
  put(file, text);
  fs::permissions(file, fs::perms::owner_all);
}

}  // namespace

TEST_SUITE("cli/words") {
  TEST_CASE("cells of CSV: every word is read back") {
    std::string row;
    for (const auto& word : kWords) {
      CAPTURE(word);
      const auto cell = csv_text(word);
      CHECK(cells_of(cell).front() == word);
      CHECK(std::string("=+-@\t\r").find(cell.front()) == std::string::npos);
      row += (row.empty() ? "" : ",") + cell;
    }
    CHECK(cells_of(row) == kWords);
  }

  TEST_CASE("JSON, Markdown, LaTeX and HTML: every word is read back") {
    for (const auto& word : kWords) {
      CAPTURE(word);
      CHECK(nlohmann::json::parse(Json(word).compact()).get<std::string>() == word);
      CHECK(without_backslashes(for_markdown(word)) == shown(word));
      CHECK(for_markdown(word).find('\n') == std::string::npos);
      CHECK(decoded(for_latex(word), kLatex) == shown(word));
      CHECK(decoded(report::html_text(word), kMarkup) == word);
    }
  }

  TEST_CASE("JUnit XML and TAP: every word is read back") {
    study::TestReport report;
    for (const auto& word : kWords) report.tests.push_back({"x.test.lua", word});
    const auto xml = study::test_junit(report);
    const auto tap = lines_of(study::test_tap(report));
    std::size_t at = 0;
    for (std::size_t i = 0; i < kWords.size(); ++i) {
      CAPTURE(kWords[i]);
      constexpr std::string_view kBefore = " name=\"";
      at = xml.find(kBefore, xml.find("<testcase", at)) + kBefore.size();
      const auto name = xml.substr(at, xml.find('"', at) - at);
      CHECK(name.find('<') == std::string::npos);
      CHECK(decoded(name, kMarkup) == kWords[i]);
      const auto line = fmt::format("ok {} - x.test.lua: ", i + 1);
      REQUIRE(tap.at(i + 2).starts_with(line));
      CHECK(without_backslashes(tap[i + 2].substr(line.size())) == shown(kWords[i]));
    }
  }

  TEST_CASE("a shell passes every word on") {
    const Folder folder;
    CHECK(lines_of(output_of("printf '%s\\0' " + shell_words(kWords)), '\0') == kWords);
    std::vector<ShellValue> values;
    std::string body;
    for (std::size_t i = 0; i < kWords.size(); ++i) {
      static std::array<std::string, 64> names;
      names.at(i) = fmt::format("w{}", i);
      values.push_back({names.at(i), kWords[i]});
      body += fmt::format("printf '%s\\0' \"$w{}\"\n", i);
    }
    CHECK(lines_of(output_of(shell_script("", values, body)), '\0') == kWords);
    CHECK_FALSE(fs::exists("PWNED"));
  }

  // What berth is asked for by the jobs that the script submits.
  TEST_CASE("F30: the jobs of a sweep on Slurm get the words that were given") {
    const Folder folder;
    fs::create_directory("bin");
    put_program("bin/scontrol", "#!/bin/sh\nexit 0\n");
    put_program("bin/sbatch",
                "#!/bin/sh\ncat > job\nSLURM_ARRAY_TASK_ID=1 sh ./job >&2\necho 7\n");
    for (const auto& word : kWords) {
      CAPTURE(word);
      fs::remove("asked");
      const auto berth = folder.path() / word;
      put_program(berth, "#!/bin/sh\nprintf '%s\\0' \"$@\" >> asked\n");
      const auto script = cli::slurm_script({folder.path().string(),
                                             berth.string(),
                                             {"--set=" + word, "--", word},
                                             word,
                                             3,
                                             1.0});
      const auto said = output_of("PATH=$PWD/bin:$PATH\nexport PATH\n" + script);
      CHECK(said.starts_with("parts: job 7, 1 to 1; merge: job 7; "));
      const std::vector<std::string> asked{
          "run", "-j", "1",     "--shard", "1/1", "--set=" + word,
          "--",  word, "merge", "--",      word};
      CHECK(lines_of(file_text("asked"), '\0') == asked);
      fs::remove(berth);
    }
    CHECK_FALSE(fs::exists("PWNED"));
  }

  // A policy is called as its file.
  TEST_CASE("F32: labels are one text in all formats, and a report reads them") {
    const Folder folder;
    put("=cmd.swf", "; MaxProcs: 4\n1 0 -1 10 2 -1 -1 2 20 -1 1 1 1 -1 -1 -1 -1 -1\n");
    std::vector<std::string> args{"run", "--trace", "=cmd.swf"};
    std::vector<std::string> labels;
    for (const auto& word : kWords) {
      put(word + ".lua",
          "return { schedule = function(queue, cluster) cluster:start_all(queue) end "
          "}\n");
      args.insert(args.end(), {"--policy", "./" + word + ".lua"});
      labels.push_back(shown(word));
    }
    const auto table = [&](const char* format) {
      auto words = args;
      words.insert(words.end(), {"--table", format, "--metric", "mean_wait"});
      const auto said = berth_says(words);
      CHECK(said.code == 0);
      return said.out;
    };

    std::vector<std::string> found;
    for (const auto& line : lines_of(table("csv"))) {
      const auto cells = cells_of(line);
      if (cells.front() == "mean_wait") found.push_back(cells.at(3));
    }
    CHECK(found == labels);
    CHECK(nlohmann::json::parse(table("json")).at("policies") == labels);

    const auto markdown = lines_of(table("markdown"));
    const auto has = [](const std::vector<std::string>& lines,
                        const std::string& cell) {
      return std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
        return line.find(cell) != std::string::npos;
      });
    };
    const auto latex = lines_of(table("latex"));
    const auto text = lines_of(table("text"));
    for (const auto& label : labels) {
      CAPTURE(label);
      CHECK(has(markdown, " | " + for_markdown(label) + " |"));
      CHECK(has(latex, " & " + for_latex(label) + " "));
      CHECK(has(text, label + " "));
    }

    args.insert(args.end(), {"--out", "o"});
    REQUIRE(berth_says(args).code == 0);
    const auto report = berth_says({"report", "o", "--json"});
    CHECK(report.code == 0);
    found.clear();
    const auto page = nlohmann::json::parse(report.out);
    for (const auto& run : page.at("runs")) {
      found.push_back(run.at("label"));
    }
    CHECK(found == labels);
    CHECK(file_text("o/plain/jobs.csv").find("\n1,'=cmd.swf,") != std::string::npos);
  }

  TEST_CASE("F33: no output replaces a file without --force") {
    const Folder folder;
    put("t.swf", "; MaxProcs: 4\n1 0 0 10 2 -1 -1 2 20 -1 1 1 1 -1 -1 -1 -1 -1\n");
    put("x.lua",
        "return { schedule = function(queue, cluster) cluster:start_all(queue) end "
        "}\n");
    put("x.test.lua",
        "return { { \"one\", processors = 4, jobs = { { 0, 3, 10 } }, starts = { 0 } } "
        "}\n");
    REQUIRE(berth_says({"run", "--trace", "t.swf", "--policy", "easy", "--out", "r"})
                .code == 0);
    struct Case {
      std::vector<std::string> args;
      std::string file;
    };
    const std::vector<Case> cases{
        {{"test", "x.lua", "--junit", "victim"}, "victim"},
        {{"generate", "lublin", "--jobs", "5", "-o", "victim"}, "victim"},
        {{"report", "r", "-o", "victim"}, "victim"},
        {{"expectations", "--trace", "t.swf", "-o", "d"}, "d/users.csv"},
        {{"expectations", "--trace", "t.swf", "-o", "d"}, "d/expectations.csv"},
        {{"expectations", "--trace", "t.swf", "-o", "d"}, "d/heatmap.csv"},
        {{"explain", "--trace", "t.swf", "--policy", "easy", "--out", "d"},
         "d/waits.csv"},
        {{"run", "--trace", "t.swf", "--policy", "easy", "--out", "victim"}, "victim"},
    };
    for (const auto& [args, file] : cases) {
      const auto& of_args = args;
      CAPTURE(of_args.front());
      const auto& of_file = file;
      CAPTURE(of_file);
      fs::remove_all("d");
      fs::create_directory("d");
      fs::remove_all("victim");
      put(file, "precious");
      CHECK(berth_says(args).code == 2);
      CHECK(file_text(file) == "precious");
      auto forced = args;
      forced.emplace_back("--force");
      // A file is no folder of results: it is never replaced by one.
      CHECK(berth_says(forced).code == (args.front() == "run" ? 2 : 0));
      CHECK((file_text(file) == "precious") == (args.front() == "run"));
    }

    // The folder of claims is taken up again: its own file is no victim.
    put("d/claims.json", "precious");
    CHECK_THROWS_AS(study::check_claims_ours("d"), Error);
    put("d/claims.json", R"({"format":1,"claims":[]})");
    CHECK_NOTHROW(study::check_claims_ours("d"));
  }
}

}  // namespace berth
