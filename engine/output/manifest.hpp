#pragma once
// manifest.json: all that determines a result, so that it can be had again.
//
// Files stand by base name and SHA-256.  Two runs with equal manifests give equal
// bytes. Where the inputs were, `found_at`, helps to find them again, and says nothing
// of the result: no checksum and no identity covers it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// A text or file that took part.
struct HashedFile {
  std::string name;  // base name, or name of a chunk
  std::string sha256;
};

struct Manifest {
  std::string version;                  // of berth
  std::string source;                   // SHA-256 of the sources it was built of
  std::optional<std::string> identity;  // of a run of a sweep
  std::map<std::string, std::string> versions;  // of what it was built with, by name
  std::string scenario;                         // resolved, as text
  std::vector<HashedFile> policies;             // scripts and the libraries they loaded
  std::vector<HashedFile> inputs;
  std::map<std::string, std::string> found_at;  // absolute paths by base name
  std::map<std::string, std::uint64_t> seeds;   // by stream or purpose
  std::vector<std::string> cpu_features;
  std::optional<std::string> workload;  // checksum, if it was generated
  std::vector<HashedFile> outputs;
  std::optional<std::int64_t> unix_start{};  // of time 0; nullopt: no such member
};

[[nodiscard]] Json manifest_json(const Manifest& manifest);

// By its base name.  Throws Error{kInput} if it cannot be read.
[[nodiscard]] HashedFile hashed_file(const std::filesystem::path& file);

// SHA-256 over every field of every job, in order: equal jobs, equal checksum.
[[nodiscard]] std::string workload_checksum(const Workload& workload);

// Those features of this processor by which the C library chooses among versions of its
// functions, in a fixed order; empty where they are unknown.
[[nodiscard]] std::vector<std::string> cpu_features();

}  // namespace berth
