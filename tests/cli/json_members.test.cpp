// Every member of every JSON file that is read: of another type, absent, and twice.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/output/sha256.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using berth::test::berth_says;
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
    "2 0 -1 10 4 -1 -1 4 10 -1 1 2 1 1 1 1 -1 -1\n"
    "3 1 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n";

// Whether the members are of one form, as those of a table of metrics.
bool is_table(const Json& json) {
  return json.size() > 2 &&
         std::all_of(json.begin(), json.end(), [&](const Json& each) {
           return each.is_object() && each.size() == json.begin()->size();
         });
}

// Of a list, and of a table, the first element stands for all.
void add_pointers(const Json& json, const Pointer& at, std::vector<Pointer>& all) {
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) {
      all.push_back(at / name);
      add_pointers(value, at / name, all);
      if (is_table(json)) break;
    }
  } else if (json.is_array() && !json.empty()) {
    all.push_back(at / 0);
    add_pointers(json.front(), at / 0, all);
  }
}

std::vector<Pointer> pointers(const Json& json) {
  std::vector<Pointer> all{Pointer()};
  add_pointers(json, Pointer(), all);
  return all;
}

const std::vector<Json>& values() {
  static const std::vector<Json> kAll{nullptr,          true,          -1, 1e300, "x",
                                      Json::array({1}), Json::object()};
  return kAll;
}

// The text with one member changed in each way.
std::vector<std::string> changed(const Json& json, const Pointer& at) {
  std::vector<std::string> all;
  for (const auto& value : values()) {
    auto other = json;
    other[at] = value;
    all.push_back(other.dump());
  }
  const bool is_member = !at.empty() && json.at(at.parent_pointer()).is_object();
  if (!is_member) return all;
  auto without = json;
  without[at.parent_pointer()].erase(at.back());
  all.push_back(without.dump());
  auto twice = json;
  twice[at] = "@twice@";
  auto text = twice.dump();
  const auto member = fmt::format("{}:", Json(at.back()).dump());
  const auto place = text.find(member + "\"@twice@\"");
  text.replace(place, member.size() + 9,
               fmt::format("{0}{1},{0}{1}", member, json.at(at).dump()));
  all.push_back(text);
  return all;
}

// A point.json has its own checksum, which is put right again.
std::string summed(std::string text) {
  const auto at = text.find("\"sha256\":\"");
  if (at == std::string::npos || text.size() < at + 74) return text;
  text.replace(at + 10, 64, std::string(64, '0'));
  return text.replace(at + 10, 64, berth::sha256(text));
}

struct Read {
  std::string file;
  std::vector<std::vector<std::string>> commands;
  bool is_summed = false;
};

int tried(const fs::path& root, const Read& read) {
  const auto file = root / read.file;
  const auto text = berth::test::text_of_file(file);
  const auto json = Json::parse(text);
  // A sweep with a failed run is merged with the status of its failure.
  std::vector<int> untouched;
  for (const auto& command : read.commands) {
    untouched.push_back(berth_says(command).code);
  }
  int count = 0;
  for (const auto& at : pointers(json)) {
    for (const auto& other : changed(json, at)) {
      std::ofstream(file, std::ios::binary) << (read.is_summed ? summed(other) : other);
      for (std::size_t i = 0; i < read.commands.size(); ++i) {
        const auto& command = read.commands[i];
        CAPTURE(read.file);
        CAPTURE(command.front());
        CAPTURE(at.to_string());
        CAPTURE(other);
        const auto said = berth_says(command);
        CAPTURE(said.err);
        CHECK((said.code == 0 || said.code == 3 || said.code == untouched[i]));
        CHECK((said.code == 0 || !said.err.empty()));
        ++count;
      }
    }
  }
  std::ofstream(file, std::ios::binary) << text;
  return count;
}

}  // namespace

TEST_SUITE("cli/json_members") {
  TEST_CASE(
      "F31: any member of any type, absent or twice is accepted or exit 3, in each "
      "JSON file") {
    const berth::test::ScratchFolder folder;
    const auto& root = folder.path();
    const auto in = [&](const char* name) { return (root / name).string(); };
    (void)folder.file("t.swf", kTrace);
    (void)folder.file("bad.lua", "return { schedule = function() error('no') end }\n");
    const auto plain = folder.file(
        "s.toml", "[workload]\ntrace = \"t.swf\"\n[run]\npolicies = [\"fcfs\"]\n");
    const auto sweep =
        folder.file("w.toml",
                    "[workload]\ntrace = \"t.swf\"\n[run]\npolicies = [\"fcfs\", "
                    "\"./bad.lua\"]\n[sweep]\nseed = [1]\n");
    REQUIRE(berth_says({"run", plain, "--out", in("run")}).code == 0);
    REQUIRE(berth_says({"sweep", sweep, "--out", in("sw")}).code != 0);
    const std::vector<std::string> report{"report", in("run"), "--force", "-o",
                                          in("page.html")};
    const std::vector<std::string> of_sweep{"report", in("sw"), "--force", "-o",
                                            in("page.html")};
    const std::vector<std::string> explain{"explain", in("run"), "2"};
    const std::vector<std::string> merge{"merge", in("sw")};
    (void)folder.file(
        "c/w.toml",
        "[workload]\nmodel = \"lublin\"\njobs = 60\nload = 0.9\n[machine]\nprocessors "
        "= "
        "16\n[run]\npolicies = [\"fcfs\", \"easy\"]\n[sweep]\nseed = [1, 2]\n");
    (void)folder.file(
        "c/claims.lua",
        "claim { '1', says = 'x', sweep = 'w.toml', of = 'easy', against = "
        "'fcfs', metric = 'mean_wait', rule = 'on_average' }");
    (void)berth_says({"claims", in("c"), "--out", in("cl")});
    const std::vector<std::string> of_claims{"report", in("cl"), "--force", "-o",
                                             in("page.html")};
    const auto point = std::string("sw/points/0001-seed=1/");
    int count = 0;
    for (const auto& read : std::vector<Read>{
             {"run/summary.json", {report}},
             {"run/manifest.json", {report, explain}},
             {"cl/claims.json", {of_claims}},
             {"sw/sweep.json", {of_sweep, merge}},
             {point + "point.json", {merge}, true},
             {point + "bad/failed.json", {merge}},
             {point + "fcfs/summary.json", {merge}},
             {point + "fcfs/manifest.json", {merge}},
         }) {
      CAPTURE(read.file);
      REQUIRE(fs::exists(root / read.file));
      count += tried(root, read);
    }
    CHECK(count > 1000);
  }
}
