#include "engine/machines/devices/device_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "engine/base/field_writer.hpp"

namespace berth {

namespace {

constexpr std::int32_t kMostNumber = 10'000'000;

// "0-1+3".
void append_runs(std::span<const std::int32_t> numbers, std::string& to) {
  for (std::size_t from = 0; from < numbers.size();) {
    std::size_t last = from;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    fmt::format_to(std::back_inserter(to), "{}{}", from == 0 ? ":" : "+",
                   numbers[from]);
    if (last > from) fmt::format_to(std::back_inserter(to), "-{}", numbers[last]);
    from = last + 1;
  }
}

// Reads such a text from its front on.
class ChunkText {
 public:
  explicit ChunkText(std::string_view text) : left_(text) {}

  [[nodiscard]] bool is_at_end() const { return left_.empty(); }
  bool take(char sign) {
    if (left_.empty() || left_.front() != sign) return false;
    left_.remove_prefix(1);
    return true;
  }
  // A whole number >= 0 of no more than eight digits.
  std::optional<std::int32_t> number() {
    std::int32_t value = 0;
    const auto* begin = left_.data();
    const auto [at, code] = std::from_chars(begin, begin + left_.size(), value);
    const bool is_right =
        code == std::errc() && left_.front() != '-' && value <= kMostNumber;
    if (!is_right) return std::nullopt;
    left_.remove_prefix(static_cast<std::size_t>(at - begin));
    return value;
  }

 private:
  std::string_view left_;
};

// Runs of devices; false: they are none, or more than any machine has.
bool read_runs(ChunkText& text, DevicePlaces& to) {
  do {
    const auto first = text.number();
    auto last = first;
    if (first && text.take('-')) last = text.number();
    if (!first || !last || *last < *first) return false;
    if (std::ssize(to.devices) + *last - *first >= kMostNumber) return false;
    for (auto device = *first; device <= *last; ++device) to.devices.push_back(device);
  } while (text.take('+'));
  return true;
}

bool read_chunk(ChunkText& text, DevicePlaces& to) {
  const auto host = text.number();
  if (!host) return false;
  auto& chunk = to.chunks.emplace_back(DeviceChunk{*host});
  if (!text.take(':')) return true;
  const auto before = to.devices.size();
  if (!read_runs(text, to)) return false;
  std::sort(to.devices.data() + before, to.devices.data() + to.devices.size());
  chunk.devices = static_cast<std::int32_t>(to.devices.size() - before);
  if (!text.take('*')) return true;
  const auto parts = text.number();
  if (!parts || *parts == 0 || chunk.devices != 1) return false;
  chunk.parts = *parts;
  return true;
}

}  // namespace

std::string DevicePlaces::devices_text() const {
  std::string text;
  each_chunk(*this, [&](const DeviceChunk& chunk, std::span<const std::int32_t> own) {
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : " ",
                   chunk.host);
    append_runs(own, text);
    if (chunk.parts > 0) fmt::format_to(std::back_inserter(text), "*{}", chunk.parts);
  });
  return text;
}

void DevicePlaces::columns(FieldWriter& to) const {
  to.text("devices", devices_text());
}

Placement placement_of(DevicePlaces chunks) {
  std::vector<std::int32_t> hosts;
  hosts.reserve(chunks.chunks.size());
  for (const auto& chunk : chunks.chunks) hosts.push_back(chunk.host);
  return {set_of_numbers(std::move(hosts)), std::move(chunks), Placement::Use::kShared};
}

std::optional<DevicePlaces> device_places_from(std::string_view text) {
  DevicePlaces all;
  ChunkText left(text);
  // Bounded: each turn takes a chunk of the text.
  do {
    if (!read_chunk(left, all)) return std::nullopt;
  } while (left.take(' '));
  if (!left.is_at_end()) return std::nullopt;
  return all;
}

}  // namespace berth
