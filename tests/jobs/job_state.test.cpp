#include "engine/jobs/job_state.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace berth;

TEST_SUITE("jobs/job_state") {
  TEST_CASE("every state has its word, and only waiting and suspended jobs queue") {
    struct {
      JobState state;
      std::string_view word;
      bool queues;
    } const cases[] = {
        {JobState::kFuture, "future", false},
        {JobState::kWaiting, "waiting", true},
        {JobState::kRunning, "running", false},
        {JobState::kSuspended, "suspended", true},
        {JobState::kFinished, "finished", false},
        {JobState::kRejected, "rejected", false},
        {JobState::kFailed, "failed", false},
    };
    for (const auto& [state, this_word, in_queue] : cases) {
      const auto& word = this_word;  // a binding cannot be captured
      CAPTURE(word);
      CHECK(name(state) == word);
      CHECK(queues(state) == in_queue);
    }
  }
}
