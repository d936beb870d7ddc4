#pragma once
// A source that knows the checksum of what it passes on.

#include <array>
#include <string>

#include "engine/output/sha256.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::study {

class HashingSource final : public ByteSource {
 public:
  explicit HashingSource(ByteSource& inner) : inner_(inner) {}

  std::size_t read(char* to, std::size_t capacity) override {
    const auto count = inner_.read(to, capacity);
    hash_.write({to, count});
    return count;
  }

  // Of everything up to the end, read by now or not.
  std::string digest() {
    std::array<char, 4096> rest{};
    while (read(rest.data(), rest.size()) > 0) {
    }
    return hash_.digest();
  }

 private:
  ByteSource& inner_;
  Sha256 hash_;
};

}  // namespace berth::study
