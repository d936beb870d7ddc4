#include "study/run_identity.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "engine/output/sha256.hpp"
#include "study/resolved_scenario.hpp"
#include "study/version.hpp"

namespace berth::study {

namespace {

constexpr int kResultFormat = 1;

}  // namespace

std::string policy_identity(const LoadedPolicy& policy) {
  auto text = policy_text(policy) + "\n";
  for (const auto& source : policy.policy->sources()) {
    text += fmt::format("{} {}\n", source.name, sha256(source.text));
  }
  return text;
}

std::string run_identity(const Scenario& point, const std::string& policy,
                         const std::string& inputs, Audit audit) {
  Sha256 hash;
  hash.write(fmt::format("berth result {}\n{}\n", kResultFormat, source_sha256()));
  hash.write(settings_text(point, {}));
  hash.write(
      fmt::format("scenario {}\n", std::filesystem::path(point.file).stem().string()));
  hash.write(inputs);
  hash.write(fmt::format("audit {}\n", name(audit)));
  hash.write(policy);
  return hash.digest();
}

}  // namespace berth::study
