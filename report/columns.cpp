#include "report/columns.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "engine/base/error.hpp"

namespace berth::report {

namespace {

constexpr int kLevel = 6;
constexpr unsigned kByte = 8;

std::string deflated(std::string_view bytes) {
  std::string out(compressBound(bytes.size()), '\0');
  auto size = static_cast<uLongf>(out.size());
  const auto status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  BERTH_ASSERT(status == Z_OK);
  out.resize(size);
  return out;
}

std::uint64_t folded(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? ~(bits << 1U) : bits << 1U;
}

}  // namespace

std::string base64(std::string_view bytes) {
  BERTH_ASSERT(bytes.size() < std::numeric_limits<int>::max() / 2);
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and an end
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  out.pop_back();
  return out;
}

std::size_t Blocks::add(std::string_view bytes) {
  budget_->charge_each(1 + bytes.size());
  texts_.push_back(base64(deflated(bytes)));
  return texts_.size() - 1;
}

Json Blocks::add(std::span<const std::int64_t> values) {
  const bool folds =
      std::any_of(values.begin(), values.end(), [](auto value) { return value < 0; });
  const auto stored = [&](std::int64_t value) {
    return folds ? folded(value) : static_cast<std::uint64_t>(value);
  };
  std::uint64_t largest = 0;
  budget_->charge_each(2 * values.size());
  for (const auto value : values) largest = std::max(largest, stored(value));
  std::size_t width = 1;
  // Bounded: eight bytes at most.
  while (width < sizeof largest && largest >> (kByte * width) != 0) ++width;
  std::string planes(values.size() * width, '\0');
  budget_->charge_each(values.size() * width);
  // Bounded: as the line above says.
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto rest = stored(values[i]);
    // Bounded: eight bytes at most.
    for (std::size_t plane = 0; plane < width; ++plane, rest >>= kByte) {
      planes[plane * values.size() + i] = static_cast<char>(rest & 0xFFU);
    }
  }
  return {{"block", add(planes)},
          {"count", values.size()},
          {"bytes", width},
          {"folded", folds}};
}

Json Blocks::add_times(std::vector<std::int64_t> ticks) {
  const bool whole = std::all_of(ticks.begin(), ticks.end(),
                                 [](auto value) { return value % kSecond == 0; });
  budget_->charge_each(2 * ticks.size());
  if (whole) {
    for (auto& value : ticks) value /= kSecond;
  }
  auto made = add(ticks);
  made.add("scale", whole ? 1 : kSecond);
  return made;
}

}  // namespace berth::report
