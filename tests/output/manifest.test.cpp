#include "engine/output/manifest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/output/atomic_file.hpp"
#include "engine/output/sha256.hpp"
#include "tests/support/builders.hpp"

namespace berth {

TEST_SUITE("output/manifest") {
  TEST_CASE("it names all that determines a result, in a fixed order") {
    Manifest manifest;
    manifest.version = "0.1.0";
    manifest.source = "ee";
    manifest.identity = "ff";
    manifest.versions = {{"lua", "5.4.4"}, {"fmt", "9.1.0"}};
    manifest.scenario = "seed = 7\n";
    manifest.policies = {{"easy.lua", "aa"}};
    manifest.inputs = {{"tiny.swf", "bb"}};
    manifest.seeds = {{"scenario", 7}};
    manifest.cpu_features = {"avx"};
    manifest.workload = "cc";
    manifest.outputs = {{"jobs.csv", "dd"}};
    CHECK(manifest_json(manifest).compact() ==
          R"({"format":1,"berth":"0.1.0","source":"ee","identity":"ff",)"
          R"("versions":{"fmt":"9.1.0","lua":"5.4.4"},)"
          R"("scenario":"seed = 7\n","policies":[{"name":"easy.lua","sha256":"aa"}],)"
          R"("inputs":[{"name":"tiny.swf","sha256":"bb"}],"seeds":{"scenario":7},)"
          R"("cpu_features":["avx"],"workload":"cc",)"
          R"("outputs":[{"name":"jobs.csv","sha256":"dd"}]})");
  }

  TEST_CASE("a trace has no checksum of a generated workload") {
    const auto json = nlohmann::ordered_json::parse(manifest_json({}).compact());
    CHECK(json["workload"].is_null());
    CHECK(json["policies"].dump() == "[]");
    CHECK(json["seeds"].dump() == "{}");
  }

  TEST_CASE("a file stands by its base name and its checksum") {
    const auto file = std::filesystem::temp_directory_path() / "berth-manifest-test";
    write_file(file, "abc");
    const auto item = hashed_file(file);
    std::filesystem::remove(file);
    CHECK(item.name == "berth-manifest-test");
    CHECK(item.sha256 == sha256("abc"));
  }

  TEST_CASE("a workload has another checksum if any field of a job differs") {
    Workload workload;
    workload.jobs = {test::a_job(1, 0, 2, 3), test::a_job(2, 5, 1, 1)};
    const auto before = workload_checksum(workload);
    CHECK(before == workload_checksum(workload));
    const auto differs = [&](const auto& change) {
      Workload other = workload;
      change(other.jobs[1]);
      return workload_checksum(other) != before;
    };
    CHECK(differs([](Job& job) { job.id = 3; }));
    CHECK(differs([](Job& job) { job.submit += 1; }));
    CHECK(differs([](Job& job) { job.length += 1; }));
    CHECK(differs([](Job& job) { job.walltime += 1; }));
    CHECK(differs([](Job& job) { job.memory_kib = 9; }));
    CHECK(differs([](Job& job) { job.size = 9; }));
    CHECK(differs([](Job& job) { job.user = 9; }));
    CHECK(differs([](Job& job) { job.group = 9; }));
    CHECK(differs([](Job& job) { job.executable = 9; }));
    CHECK(differs([](Job& job) { job.queue_class = 9; }));
    CHECK(differs([](Job& job) { job.partition = 9; }));
    CHECK(differs([](Job& job) { job.walltime_given = false; }));
  }

  TEST_CASE("features of the processor are named once each") {
    auto features = cpu_features();
    CHECK(features == cpu_features());
    std::sort(features.begin(), features.end());
    CHECK(std::adjacent_find(features.begin(), features.end()) == features.end());
  }
}

}  // namespace berth
