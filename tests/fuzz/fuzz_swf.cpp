// Bytes as a trace, plain or gzip.  The first byte chooses how it is read.
//
// Promises: jobs keep the invariants of a workload; pieces of any length, and packing,
// change nothing; writing and reading again gives the same; what is refused is refused
// in one printable line with its place.

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "engine/base/error.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/swf_reader.hpp"
#include "engine/workload/swf_writer.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

constexpr Duration kLongest = static_cast<Duration>(kMaxSeconds) * kSecond;

struct Reading {
  std::optional<Workload> workload;
  std::string error;  // if there is none
};

void check_error(const Error& error) {
  const std::string_view text = error.what();
  expect(error.code() == ErrorCode::kInput, "a wrong trace is wrong input", text);
  expect(text.size() < 500, "a message has less than 500 bytes", text);
  expect(text.starts_with("x.swf:"), "a message begins with the place", text);
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  expect(is_plain, "control bytes are escaped", text);
}

Reading read(std::string_view bytes, SwfOptions options, std::size_t step) {
  options.name = "x.swf";
  test::MemorySource packed{std::string(bytes), step};
  GzipSource source(packed, options.name, test::unlimited());
  Reading reading;
  try {
    reading.workload = read_swf(source, options, test::unlimited());
  } catch (const Error& error) {
    check_error(error);
    reading.error = error.what();
  }
  return reading;
}

void check_jobs(const Workload& workload) {
  std::set<std::int64_t> ids;
  const auto in_range = [](Duration d) { return d >= 0 && d <= kLongest; };
  for (const Job& job : workload.jobs) {
    const auto what = fmt::format("job {}", job.id);
    expect(job.size >= 1, "a job has a processor", what);
    expect(job.id >= 0 && job.id <= kLargestId, "ids are in range", what);
    expect(ids.insert(job.id).second, "ids are unique", what);
    expect(in_range(job.submit) && in_range(job.length) && in_range(job.walltime),
           "times are in range", what);
    expect(job.walltime_given || job.walltime == job.length,
           "a walltime that is not given is the length", what);
  }
  expect(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first),
         "jobs are by submit and id");
  expect(!workload.processors || *workload.processors >= 1, "a machine has a size");
  expect(workload.recorded.empty() || workload.recorded.size() == workload.jobs.size(),
         "each job has its record");
}

bool same_job(const Job& a, const Job& b) {
  return a.id == b.id && a.submit == b.submit && a.length == b.length &&
         a.walltime == b.walltime && a.walltime_given == b.walltime_given &&
         a.size == b.size && a.memory_kib == b.memory_kib && a.user == b.user &&
         a.group == b.group && a.executable == b.executable &&
         a.queue_class == b.queue_class && a.partition == b.partition;
}

void expect_same(const Workload& a, const Workload& b, std::string_view promise) {
  expect(
      std::equal(a.jobs.begin(), a.jobs.end(), b.jobs.begin(), b.jobs.end(), same_job),
      promise, "jobs");
  expect(a.recorded == b.recorded, promise, "records");
  expect(a.processors == b.processors, promise, "processors");
  expect(a.unix_start == b.unix_start, promise, "start");
}

void expect_same(const Reading& a, const Reading& b, std::string_view promise) {
  expect(a.workload.has_value() == b.workload.has_value(), promise, a.error + b.error);
  if (a.workload) return expect_same(*a.workload, *b.workload, promise);
  expect(a.error == b.error, promise, a.error + "\n" + b.error);
}

std::string written(const Workload& workload) {
  std::string text;
  write_swf(
      workload, {}, [&](std::string_view piece) { text += piece; }, test::unlimited());
  return text;
}

std::string gzipped(std::string_view text) {
  constexpr int kGzipFormat = 15 + 16;
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, kGzipFormat, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  std::string plain(text);
  stream.next_in = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

void check_again(const Workload& workload, const SwfOptions& options) {
  const auto again = read(written(workload), options, std::string::npos);
  expect(again.workload.has_value(), "what was written can be read", again.error);
  if (options.keep_recorded) {
    expect_same(workload, *again.workload, "writing loses nothing");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const int choice = bytes.byte();
  const auto text = bytes.rest();
  SwfOptions options;
  options.strict = (choice & 1) != 0;
  options.keep_lines = (choice & 2) != 0;
  options.keep_recorded = (choice & 4) != 0;
  const auto step = static_cast<std::size_t>(choice / 8 + 1);

  const auto whole = read(text, options, std::string::npos);
  expect_same(whole, read(text, options, step), "pieces of any length read the same");
  const bool is_gzip = text.starts_with("\x1f\x8b");
  if (!is_gzip && !text.empty()) {
    expect_same(whole, read(gzipped(text), options, step * 7),
                "packing reads the same");
  }
  if (!whole.workload) return 0;
  check_jobs(*whole.workload);
  expect(!options.strict || whole.workload->left_out.empty(),
         "strict reading leaves no job out");
  check_again(*whole.workload, options);
  return 0;
}
