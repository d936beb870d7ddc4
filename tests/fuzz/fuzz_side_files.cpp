// Bytes as a file of windows, of arrays or of dependencies, beside a few jobs.
//
// Promises: pieces of any length read the same; windows end after they begin, are known
// before that, share neither user nor host with one that overlaps, and together fit the
// machine; links are between jobs that are there, none twice, and make no cycle; what
// is refused is refused in one printable line with its place.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "study/life/machine_windows.hpp"
#include "study/links/trace_links.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

constexpr std::uint32_t kJobs = 6;

Workload six_jobs() {
  Workload workload;
  for (std::uint32_t i = 0; i < kJobs; ++i) {
    Job job;
    job.id = i + 1;
    job.size = 1;
    workload.jobs.push_back(job);
    workload.of_trace.push_back(i);
  }
  return workload;
}

// What `read` makes of the source, whole and in pieces; nullopt: it is refused.
template <class Read>
auto both(std::string_view bytes, const Read& read) {
  using Made = decltype(read(std::declval<ByteSource&>()));
  const auto once = [&](std::size_t step, std::string& error) -> std::optional<Made> {
    test::MemorySource source{std::string(bytes), step};
    try {
      return read(source);
    } catch (const Error& found) {
      fuzz::check_message(found);
      error = found.what();
      expect(error.starts_with("x.csv"), "a message names the file", error);
      return std::nullopt;
    }
  };
  std::string error;
  std::string error_of_parts;
  auto whole = once(std::string::npos, error);
  const auto parts = once(1 + bytes.size() % 13, error_of_parts);
  expect(error == error_of_parts && whole.has_value() == parts.has_value(),
         "pieces of any length read the same", error_of_parts);
  return whole;
}

bool share(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

void check_windows(const std::vector<MachineWindow>& windows,
                   const study::RoomOfWindows& room) {
  for (const auto& each : windows) {
    expect(each.from >= 0 && each.to > each.from, "a window ends after it begins");
    expect(each.announced <= each.from, "a window is known before it begins");
    expect(each.hosts.empty() == room.hosts.empty(), "windows have hosts or none do");
    expect(std::is_sorted(each.hosts.begin(), each.hosts.end()), "hosts are sorted");
    std::int64_t together = 0;
    for (const auto& other : windows) {
      if (other.from > each.from || each.from >= other.to) continue;
      together += other.processors;
      if (&other == &each) continue;
      expect(!share(each.users, other.users), "windows that overlap share no user");
      expect(!share(each.hosts, other.hosts), "windows that overlap share no host");
    }
    expect(together <= room.processors, "windows fit the machine together");
  }
}

void check_links(const study::TraceLinks& of) {
  for (const auto& link : of.links) {
    expect(link.parent < kJobs && link.child < kJobs, "both jobs are there");
    expect(link.parent != link.child, "no job waits for itself");
    expect(link.delay() >= 0 && link.delay() <= kLongestDelay, "a delay is in range");
    const auto same = std::count_if(of.links.begin(), of.links.end(), [&](auto& other) {
      return other.parent == link.parent && other.child == link.child &&
             other.kind() == link.kind();
    });
    expect(same == 1, "no link is there twice");
  }
  expect(cycle_of(of.links, kJobs, test::unlimited()).empty(), "there is no cycle");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const int choice = bytes.byte();
  const auto text = bytes.rest();
  const auto workload = six_jobs();
  if (choice % 4 < 2) {
    study::RoomOfWindows room{8, {}};
    if (choice % 4 == 1) room.hosts = {{0, 2}, {3, 5}, {6, 7}};
    const auto windows = both(text, [&](ByteSource& source) {
      return study::read_machine_windows(source, "x.csv", room, test::unlimited());
    });
    if (windows) check_windows(*windows, room);
  } else if (choice % 4 == 2) {
    const auto arrays = both(text, [&](ByteSource& source) {
      return study::read_arrays(source, "x.csv", workload, test::unlimited());
    });
    std::size_t members = 0;
    if (arrays) {
      for (const auto& [name, array] : arrays->by_name) members += array.members.size();
    }
    expect(members <= kJobs, "a job is a member of one array");
  } else {
    study::TraceArrays arrays;
    arrays.by_name["a"].members = {0, 1};
    const auto links = both(text, [&](ByteSource& source) {
      return study::read_links(source, "x.csv", workload, &arrays, test::unlimited());
    });
    if (links) check_links(*links);
  }
  return 0;
}
