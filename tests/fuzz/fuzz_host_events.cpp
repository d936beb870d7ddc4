// Bytes as a file of hosts that go down and come back.
//
// Promises: pieces of any length read the same; the events are sorted, of hosts that
// are there, and each host goes down and comes back by turns; what a run writes of them
// reads the same again; what is refused is refused in one printable line with its
// place.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "study/life/host_events.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

using EventsOfBytes = std::optional<std::vector<HostEvent>>;

EventsOfBytes read(std::string_view bytes, const study::HostsOfEvents& of,
                   std::size_t step, std::string& error) {
  test::MemorySource source{std::string(bytes), step};
  try {
    return study::read_host_events(source, "x.csv", of, test::unlimited());
  } catch (const Error& found) {
    fuzz::check_message(found);
    error = found.what();
    expect(error.starts_with("x.csv"), "a message names the file", error);
    return std::nullopt;
  }
}

void check(const std::vector<HostEvent>& events, std::int32_t hosts) {
  expect(std::is_sorted(events.begin(), events.end()), "events are sorted");
  using Kind = HostEvent::Kind;
  std::vector<Kind> states(static_cast<std::size_t>(hosts));
  for (const auto& event : events) {
    expect(event.host >= 0 && event.host < hosts, "a host is there");
    const auto host = static_cast<std::size_t>(event.host);
    const bool is_up = event.kind == Kind::kUp;
    expect(event.kind != states[host], "what happens to a host is new");
    expect(event.kind != Kind::kDrain || states[host] == Kind::kUp,
           "a host that drains was up");
    states[host] = event.kind;
    expect(is_up ? event.until == event.at : event.until > event.at,
           "a host that goes down or drains is expected later");
  }
}

// A row for each, as a run writes those that it draws.
std::string text_of(const std::vector<HostEvent>& events,
                    const study::HostsOfEvents& of) {
  auto text =
      fmt::format("time,event,{},until\n", of.are_processors ? "processors" : "hosts");
  using Kind = HostEvent::Kind;
  for (const auto& event : events) {
    const bool is_up = event.kind == Kind::kUp;
    text += fmt::format("{},{},{},{}\n", seconds_text(event.at),
                        is_up                        ? "up"
                        : event.kind == Kind::kDrain ? "drain"
                                                     : "down",
                        event.host, is_up ? "" : seconds_text(event.until));
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const int choice = bytes.byte();
  const study::HostsOfEvents of{(choice & 1) != 0, 1 + choice / 2, seconds(60)};
  const auto text = bytes.rest();
  std::string error;
  std::string error_of_parts;
  const auto whole = read(text, of, std::string::npos, error);
  const auto parts = read(text, of, 1 + text.size() % 13, error_of_parts);
  expect(error == error_of_parts && whole == parts,
         "pieces of any length read the same", error_of_parts);
  if (!whole) return 0;
  check(*whole, of.count);
  // A reader of seconds keeps ticks only up to there (to_seconds).
  const bool is_exact = std::all_of(whole->begin(), whole->end(), [](const auto& each) {
    return each.until < Time{1} << 51;
  });
  if (is_exact) {
    const auto again = read(text_of(*whole, of), of, std::string::npos, error);
    expect(again == whole, "what is written reads the same again", error);
  }
  return 0;
}
