#include "engine/base/random_stream.hpp"

namespace berth {

std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

namespace {

// FNV-1a over the name, then mixed with the seed.
std::uint64_t key(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return mix_bits(mix_bits(seed) ^ hash);
}

}  // namespace

RandomEngine random_stream(std::uint64_t seed, std::string_view name) {
  return RandomEngine(key(seed, name));
}

JobEngine job_stream(std::uint64_t seed, std::string_view name, std::int64_t job) {
  const auto mixed =
      mix_bits(key(seed, name) ^ mix_bits(static_cast<std::uint64_t>(job)));
  return JobEngine(static_cast<std::uint32_t>(mixed ^ (mixed >> 32U)));
}

template <>
double uniform(RandomEngine& engine) {
  return static_cast<double>(engine() >> 11U) * 0x1.0p-53;
}

template <>
double uniform(JobEngine& engine) {
  const std::uint64_t high = engine() >> 5U;
  const std::uint64_t low = engine() >> 6U;
  return static_cast<double>((high << 26U) | low) * 0x1.0p-53;
}

}  // namespace berth
