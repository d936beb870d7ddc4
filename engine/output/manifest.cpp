#include "engine/output/manifest.hpp"

#include "engine/jobs/label.hpp"
#include "engine/output/buffered_text.hpp"
#include "engine/output/sha256.hpp"

namespace berth {

namespace {

Json items(const std::vector<HashedFile>& list) {
  auto json = Json::array();
  for (const auto& item : list) {
    json.append({{"name", item.name}, {"sha256", item.sha256}});
  }
  return json;
}

void print(BufferedText& text, const Job& job) {
  text.print(FMT_COMPILE("{} {} {} {} {} {} "), job.id, job.submit, job.length,
             job.walltime, std::int64_t{job.memory_kib}, job.size);
  text.print(FMT_COMPILE("{} {} {} {} {} {}\n"), label_number(job.user),
             label_number(job.group), label_number(job.executable),
             label_number(job.queue_class), label_number(job.partition),
             job.walltime_given ? 1 : 0);
}

}  // namespace

Json manifest_json(const Manifest& manifest) {
  Json json{{"format", 1},
            {"berth", manifest.version},
            {"source", manifest.source},
            {"identity", manifest.identity},
            {"versions", manifest.versions},
            {"scenario", manifest.scenario},
            {"policies", items(manifest.policies)},
            {"inputs", items(manifest.inputs)},
            {"seeds", manifest.seeds},
            {"cpu_features", manifest.cpu_features},
            {"workload", manifest.workload},
            {"outputs", items(manifest.outputs)}};
  if (!manifest.found_at.empty()) {
    auto paths = Json::object();
    for (const auto& [name, path] : manifest.found_at) paths.add(name, path);
    json.add("found_at", std::move(paths));
  }
  if (manifest.unix_start) json.add("unix_start", *manifest.unix_start);
  return json;
}

HashedFile hashed_file(const std::filesystem::path& file) {
  return {file.filename().string(), sha256_of_file(file)};
}

std::string workload_checksum(const Workload& workload) {
  Sha256 hash;
  BufferedText text(hash);
  for (const auto& job : workload.jobs) print(text, job);
  text.flush();
  return hash.digest();
}

std::vector<std::string> cpu_features() {
  std::vector<std::string> features;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.1")) features.emplace_back("sse4.1");
  if (__builtin_cpu_supports("avx")) features.emplace_back("avx");
  if (__builtin_cpu_supports("avx2")) features.emplace_back("avx2");
  if (__builtin_cpu_supports("fma")) features.emplace_back("fma");
  if (__builtin_cpu_supports("avx512f")) features.emplace_back("avx512f");
#endif
  return features;
}

}  // namespace berth
