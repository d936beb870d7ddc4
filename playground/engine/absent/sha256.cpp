// In place of engine/output/sha256.cpp: checksums belong to files of results, of which
// a page makes none.

#include "engine/output/sha256.hpp"

namespace berth {

struct Sha256::State {};

Sha256::Sha256() = default;

Sha256::~Sha256() = default;

void Sha256::write(std::string_view) {}

std::string Sha256::digest() { return {}; }

std::string sha256(std::string_view) { return {}; }

std::string sha256_of_file(const std::filesystem::path&) { return {}; }

}  // namespace berth
