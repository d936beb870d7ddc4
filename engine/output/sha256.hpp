#pragma once
// SHA-256 checksums (FIPS 180-4), as 64 lower-case hexadecimal digits.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine/output/sink.hpp"

namespace berth {

class Sha256 : public Sink {
 public:
  Sha256();
  ~Sha256() override;

  void write(std::string_view bytes) override;
  // Of all that was written; then begins anew.
  [[nodiscard]] std::string digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

// Throws Error{kInput} if the file cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& file);

// Passes on what is written and knows its checksum.
class HashedSink : public Sink {
 public:
  // The target outlives it.
  explicit HashedSink(Sink& target) : target_(target) {}
  void write(std::string_view text) override {
    hash_.write(text);
    target_.write(text);
  }
  [[nodiscard]] std::string digest() { return hash_.digest(); }

 private:
  Sink& target_;
  Sha256 hash_;
};

}  // namespace berth
