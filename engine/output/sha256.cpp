#include "engine/output/sha256.hpp"

#include <fmt/format.h>
// The plain functions: they need nothing else of the library, so that a program takes
// in a few of its files and starts without loading the rest.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/base/error.hpp"

namespace berth {

struct Sha256::State {
  SHA256_CTX context{};

  void begin() { BERTH_ASSERT(SHA256_Init(&context)); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) { state_->begin(); }

Sha256::~Sha256() = default;

void Sha256::write(std::string_view bytes) {
  BERTH_ASSERT(SHA256_Update(&state_->context, bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> raw{};
  BERTH_ASSERT(SHA256_Final(raw.data(), &state_->context));
  state_->begin();
  std::string text;
  for (const unsigned char byte : raw) {
    fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.write(bytes);
  return hash.digest();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  Sha256 hash;
  std::array<char, std::size_t{64} * 1024> piece{};
  while (in) {
    in.read(piece.data(), piece.size());
    hash.write({piece.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (!in.eof()) {
    throw Error(ErrorCode::kInput, fmt::format("{}: cannot read: {}", file.string(),
                                               std::generic_category().message(errno)));
  }
  return hash.digest();
}

}  // namespace berth
