#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "bindings/sandbox/sandbox.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::Error;
using berth::ErrorCode;
using berth::bindings::Host;
using berth::bindings::Limits;
using berth::bindings::Sandbox;

namespace {

constexpr int kFreed = 0xDD;

// Gives nothing from the n-th request on; freed blocks are overwritten, and growing
// ones always move, so that a stale pointer shows.
class FailingHeap {
 public:
  explicit FailingHeap(long requests) : left_(requests) {}

  static void* allocate(void* heap, void* block, std::size_t was, std::size_t wanted) {
    return static_cast<FailingHeap*>(heap)->serve(block, block == nullptr ? 0 : was,
                                                  wanted);
  }

  // Blocks that have been given and not freed.
  [[nodiscard]] long live() const { return live_; }
  [[nodiscard]] bool has_failed() const { return left_ <= 0; }
  void limit(long requests) { left_ = requests; }

 private:
  void* serve(void* block, std::size_t was, std::size_t wanted) {
    if (wanted == 0) {
      release(block, was);
      return nullptr;
    }
    // Lua counts on shrinking to succeed.
    if (wanted > was && left_-- <= 0) {
      left_ = 0;
      return nullptr;
    }
    void* moved = std::malloc(wanted);
    if (block != nullptr) std::memcpy(moved, block, std::min(was, wanted));
    release(block, was);
    ++live_;
    return moved;
  }

  void release(void* block, std::size_t size) {
    if (block == nullptr) return;
    std::memset(block, kFreed, size);
    std::free(block);
    --live_;
  }

  long left_;
  long live_ = 0;
};

constexpr std::string_view kPolicy = R"lua(
  local lib = require("lib")
  local P = {}
  function P.schedule(queue, cluster)
    local t = {}
    for i = 1, 60 do t[i] = { "k" .. i % 7, lib.twice(i) } end
    table.sort(t, function(a, b) return a[1] < b[1] end)
    local by = {}
    for i = 1, #t do by[t[i][1]] = (by[t[i][1]] or 0) + t[i][2] end
    local out = {}
    for k, v in pairs(by) do out[#out + 1] = ("%s=%d"):format(k, v) end
    local text = table.concat(out, " "):gsub("k(%d)", "<%1>")
    print(text, pcall(error, "caught"), math.random() < 1, text:upper():find("<3>", 1, true))
  end
  return P
)lua";

enum class End { kGood, kMemory, kOther };

// A whole run on a heap that gives `requests` blocks; checks that all come back.
// `from_decision`: the heap is limited when the first decision begins.
End run_on(long requests, bool from_decision, std::string& printed) {
  FailingHeap heap(from_decision ? 1'000'000'000 : requests);
  End end = End::kGood;
  Host host;
  host.watchdog = nullptr;
  host.allocate = FailingHeap::allocate;
  host.allocate_context = &heap;
  host.print = [&](std::string_view line) { printed += line; };
  host.library = [](std::string_view) {
    return berth::bindings::LoadedSource{
        "lib/lib.lua", "return { twice = function(n) return 2 * n end }"};
  };
  try {
    Sandbox sandbox(Limits{}, 1, host);
    sandbox.load("t.lua", kPolicy);
    if (from_decision) heap.limit(requests);
    sandbox.enter(call_schedule, nullptr);
  } catch (const Error& error) {
    end = error.code() == ErrorCode::kMemory ? End::kMemory : End::kOther;
  }
  REQUIRE(heap.live() == 0);
  return end;
}

// The number of requests with which the run succeeds for the first time.
long sweep(bool from_decision) {
  for (long requests = 0;; ++requests) {
    std::string printed;
    const End end = run_on(requests, from_decision, printed);
    INFO("requests granted: " << requests);
    if (end == End::kGood) return requests;
    REQUIRE(end == End::kMemory);
    REQUIRE(requests < 100'000);
  }
}

}  // namespace

TEST_SUITE("bindings/sandbox_memory") {
  TEST_CASE("a run that fails at any allocation ends with a memory error and no leak") {
    CHECK(sweep(false) > 300);
  }

  TEST_CASE("so does a decision that fails at any of its allocations") {
    CHECK(sweep(true) > 100);
  }

  TEST_CASE("a heap that moves and overwrites every block changes no result") {
    std::string moved;
    CHECK(run_on(1'000'000, false, moved) == End::kGood);
    // Twice the sums of 7, 14, ... 56; of 1, 8, ... 57; and so on.
    CHECK(
        moved ==
        "<0>=504 <1>=522 <2>=540 <3>=558 <4>=576 <5>=472 <6>=488\tfalse\ttrue\t25\t27");
  }

  TEST_CASE("use counts what is live and what was the most") {
    Sandbox sandbox(Limits{}, 1, {});
    const std::size_t before = sandbox.usage().memory_bytes;
    CHECK(before > 5'000);
    CHECK(before < 40'000);
    sandbox.load("t.lua", "do local s = ('x'):rep(1 << 20) end return 1");
    CHECK(sandbox.usage().peak_memory_bytes > before + (std::size_t{1} << 20U));
  }
}
