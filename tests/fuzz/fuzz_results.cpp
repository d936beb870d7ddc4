// Bytes as a file of a sweep's results: the first byte says which.
//
// Promises: a point either reads or does not, the same every time; merging ends with a
// result or a message; a file that berth did not write is never taken for one of ours.

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "study/results/finished_point.hpp"
#include "study/results/own_files.hpp"
#include "study/results/sweep_merge.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;
using namespace berth::study;
using fuzz::expect;
namespace fs = std::filesystem;

namespace {

constexpr std::array kFiles{"sweep.json", "points/0001-seed=1/point.json",
                            "points/0001-seed=1/fcfs/manifest.json",
                            "points/0001-seed=1/fcfs/summary.json",
                            "points/0001-seed=1/fcfs/failed.json"};

std::string merged(const fs::path& folder) {
  try {
    const auto merge = merge_sweep({folder}, Gaps::kMark);
    return std::to_string(merge.missing.size());
  } catch (const Error& error) {
    fuzz::check_message(error);
    return "refused";
  }
}

bool is_ours(const fs::path& folder) {
  try {
    check_all_ours(folder);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const test::ScratchFolder scratch;
  const std::string file = kFiles[data[0] % kFiles.size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  static_cast<void>(scratch.file("sweep.json",
                                 "{\"format\":1,\"sweep\":[{\"key\":\"seed\","
                                 "\"values\":[\"1\"]}]}"));
  static_cast<void>(scratch.file(file, text));
  const auto point = scratch.path() / "points/0001-seed=1";
  const auto first = read_point(point, {Keep::kSummary}).has_value();
  expect(first == read_point(point, {Keep::kSummary}).has_value(),
         "the same files read the same");
  expect(merged(scratch.path()) == merged(scratch.path()), "a merge is repeatable");
  const auto canary = scratch.file("points/0001-seed=1/fcfs/mine.txt", "alive");
  expect(!is_ours(scratch.path()), "a stranger's file is never ours", file);
  fs::remove_all(scratch.path() / "points");
  return 0;
}
