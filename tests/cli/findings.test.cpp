// The inputs of the red team, as they were found.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

struct Finding {
  const char* policy;
  bool is_checked;  // with its cases, else run
  int code;
  const char* says;
};

constexpr Finding kFindings[] = {
    {"F1_hash_order.lua", false, 0, ""},
    {"F1b_slips_order.lua", false, 4, "there is no field 'nme' (did you mean 'name'?)"},
    {"F1c_case_fields.lua", true, 4, "test.lua: case: there is no field 'aa'"},
    {"F2_values_shared.lua", false, 4, "values has 100000 texts, at most 1024"},
    {"F2b_cases_shared.lua", true, 4, "100000 cases, at most 10000 are allowed"},
    {"F3_order_names.lua", false, 4, "a name in orders has 1048575 bytes, at most 200"},
    {"F4_cases_processors.lua", true, 4, "processors: 4294967295 is above 10000000"},
    {"F5_escape_in_load_error.lua", false, 4, "there is no 'x\\x1b]0;OWNED\\x07"},
    {"F5b_case_name.lua", true, 4, "evil\\x1b]0;OWNED\\x07"},
    {"F13_book_in_key.lua", false, 4,
     "not allowed in an order's key or a function passed in"},
    {"F13b_wrong_audit_failure.lua", false, 4,
     "not allowed in an order's key or a function passed in"},
    {"F15_plans_memory.lua", false, 6, "65,537 plans in one decision (limit 65,536)"},
    {"F16_late_stop_objname.lua", false, 4, "more than 200 accesses in a row"},
    {"F17_log_flood.lua", false, 5, "time limit"},
    {"F18_fifo/p.lua", false, 3, "F18_fifo/lib/fifo.lua: is no regular file"},
    {"F21_symlink/p.lua", false, 3, "F21_symlink/lib/pw.lua: is a link to a file out"},
};

using test::berth_says;

// A copy that can be written to, with the FIFO and the link that an archive cannot
// hold.
void copy_to_scratch(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive);
  for (const char* folder : {"F18_fifo", "F21_symlink"}) {
    fs::permissions(to / folder, fs::perms::owner_all);
    fs::create_directory(to / folder / "lib");
  }
  REQUIRE(::mkfifo((to / "F18_fifo/lib/fifo.lua").c_str(), 0600) == 0);
  fs::create_symlink("/etc/passwd", to / "F21_symlink/lib/pw.lua");
}

std::uintmax_t bytes_below(const fs::path& folder) {
  std::uintmax_t sum = 0;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.is_regular_file()) sum += entry.file_size();
  }
  return sum;
}

void check(const Finding& finding, const fs::path& folder) {
  CAPTURE(finding.policy);
  const auto policy = (folder / finding.policy).string();
  const auto out = folder / "out";
  // Only those that are to meet the limit of time may meet it.
  const char* seconds = finding.code == 5 ? "1" : "60";
  const auto begin = std::chrono::steady_clock::now();
  const auto said =
      finding.is_checked
          ? berth_says({"check", policy})
          : berth_says({"run", "--trace", (folder / "t.swf").string(), "--policy",
                        policy, "--time-limit", seconds, "--memory-limit", "256",
                        "--audit", "full", "--log", "--out", out.string()});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CAPTURE(said.err);
  CHECK(said.code == finding.code);
  CHECK(said.err.find(finding.says) != std::string::npos);
  CHECK(said.err.find("root:") == std::string::npos);
  CHECK(said.err.size() <= 16 * 1024);
  for (const auto& text : {said.out, said.err}) {
    CHECK(std::all_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t';
    }));
  }
  CHECK(took.count() < 120);
  CHECK(bytes_below(out) < (std::uintmax_t{64} << 20U));
  fs::remove_all(out);
}

}  // namespace

TEST_SUITE("cli/findings") {
  TEST_CASE("every script that broke a promise ends as documented") {
    const auto readme = test::shared_data("findings/README.md");
    if (!readme) return;
    const test::ScratchFolder scratch;
    const auto folder = scratch.path() / "findings";
    copy_to_scratch(readme->parent_path(), folder);
    for (const auto& finding : kFindings) check(finding, folder);
  }

  TEST_CASE("a policy that decides by the text of an error decides the same always") {
    const auto policy = test::shared_data("findings/F1_hash_order.lua");
    if (!policy) return;
    const auto trace = policy->parent_path() / "t.swf";
    const auto run = [&] {
      return berth_says(
                 {"run", "--trace", trace.string(), "--policy", policy->string()})
          .out;
    };
    const auto first = run();
    CHECK(first.find("mean_wait") != std::string::npos);
    for (int i = 0; i < 10; ++i) CHECK(run() == first);
  }
}
