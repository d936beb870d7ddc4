#include "engine/output/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

#include "engine/base/error.hpp"

namespace berth {

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* held) const { EVP_MD_CTX_free(held); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};

  void begin() {
    BERTH_ASSERT(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
  }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  BERTH_ASSERT(state_->context != nullptr);
  state_->begin();
}

Sha256::~Sha256() = default;

void Sha256::write(std::string_view bytes) {
  BERTH_ASSERT(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned length = 0;
  BERTH_ASSERT(EVP_DigestFinal_ex(state_->context.get(), raw.data(), &length));
  state_->begin();
  std::string text;
  for (const unsigned char byte : std::span(raw).first(length)) {
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
