// Text files as editors and spreadsheets write them: each file that is read, with a
// byte order mark, with CR LF, with both, and as UTF-16.

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using berth::test::berth_says;
using berth::test::Said;

namespace {

using Spelling = std::function<std::string(const std::string&)>;

std::string with_mark(const std::string& text) { return "\xef\xbb\xbf" + text; }

std::string with_returns(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '\n' ? "\r\n" : std::string(1, c);
  return made;
}

std::string wide(const std::string& text) {
  std::string made = "\xff\xfe";
  for (const char c : text) made += {c, '\0'};
  return made;
}

struct File {
  std::string name;
  std::string text;
};

// Everything that one of these commands reads as text.
const std::vector<File>& files() {
  static const std::vector<File> kAll{
      {"t.swf",
       "; MaxProcs: 4\n"
       "1 0 -1 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1\n"
       "2 1 -1 50 4 -1 -1 4 50 -1 1 1 1 1 1 1 -1 -1\n"
       "3 2 -1 97 1 -1 -1 1 97 -1 1 1 1 1 1 1 -1 -1\n"},
      {"s.toml",
       "[machine]\nprocessors = 4\nmemory = 8\n[workload]\ntrace = \"t.swf\"\nneeds = "
       "\"n.csv\"\n[run]\npolicies = [\"./p.lua\"]\n"},
      {"n.csv", "job_id,memory\n1,1\n2,0.5\n"},
      {"p.lua",
       "local head = require 'head'\nreturn { schedule = function(queue, cluster)\n"
       "  head(queue, cluster)\nend }\n"},
      {"lib/head.lua",
       "return function(queue, cluster)\n  for job in queue:all() do\n    if not "
       "cluster:start(job) then return end\n  end\nend\n"},
      {"p.test.lua",
       "return {\n  { 'in order', processors = 4, jobs = { { 0, 3, 100 }, { 1, 4, 50 } "
       "},\n    starts = { 0, 100 } },\n}\n"},
      {"plan.csv", "job_id,starting_time,finish_time\n1,0,100\n2,100,150\n3,150,247\n"},
      {"jobs.csv",
       "job_id,submission_time,requested_number_of_resources,starting_time,finish_time,"
       "allocated_resources\n1,0,3,0,100,0-2\n2,1,4,100,150,0-3\n3,2,1,150,247,0\n"},
      {"i.csv", "instance,hosts,job,tasks,cpu,memory\n1,2,1,2,0.5,0.5\n"},
  };
  return kAll;
}

class Folder {
 public:
  Folder() {
    for (const auto& file : files()) write(file, file.text);
  }
  void write(const File& file, const std::string& text) const {
    (void)folder_.file(file.name, text);
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  // What the commands say, one after the other.
  [[nodiscard]] std::vector<Said> say() const {
    return {
        berth_says({"run", at("s.toml"), "--json"}),
        berth_says({"check", at("s.toml")}),
        berth_says({"test", at("p.lua")}),
        berth_says({"verify", "--trace", at("t.swf"), "--schedule", at("plan.csv")}),
        berth_says({"report", "--jobs", at("jobs.csv"), "--processors", "4", "--force",
                    "-o", at("page.html")}),
        berth_says({"check", at("i.csv")}),
    };
  }

 private:
  berth::test::ScratchFolder folder_;
};

// Without times, which differ.
std::vector<std::pair<int, std::string>> codes(const std::vector<Said>& all) {
  std::vector<std::pair<int, std::string>> made;
  for (const auto& said : all) made.emplace_back(said.code, said.err);
  return made;
}

}  // namespace

TEST_SUITE("cli/encodings") {
  TEST_CASE("each text file is read with a byte order mark, with CR LF and with both") {
    const Folder folder;
    const auto plain = folder.say();
    for (const auto& said : plain) {
      CAPTURE(said.err);
      CHECK(said.code == 0);
    }
    const std::vector<Spelling> kSpellings{
        with_mark, with_returns,
        [](const std::string& text) { return with_mark(with_returns(text)); }};
    for (const auto& file : files()) {
      for (const auto& spelling : kSpellings) {
        folder.write(file, spelling(file.text));
        CAPTURE(file.name);
        const auto said = folder.say();
        CHECK(codes(said) == codes(plain));
        CHECK(said.front().out == plain.front().out);
        CHECK(said[3].out == plain[3].out);
      }
      folder.write(file, file.text);
    }
  }

  TEST_CASE("UTF-16 is named, whichever file it is") {
    const Folder folder;
    for (const auto& file : files()) {
      folder.write(file, wide(file.text));
      CAPTURE(file.name);
      std::size_t named = 0;
      for (const auto& said : folder.say()) {
        const bool is_named = (said.out + said.err).find("UTF-16") != std::string::npos;
        named += is_named ? 1 : 0;
        CHECK((said.code == 0 || is_named));
      }
      CHECK(named > 0);
      folder.write(file, file.text);
    }
  }
}
