// Debugging sessions as scripts: what each command shows, and that going back comes to
// the same place.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "study/debug/session.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

const std::string kPolicy =
    "local seen = 0\n"
    "count = 0\n"
    "return { schedule = function(queue, cluster)\n"
    "  count = count + 1\n"
    "  for job in queue:startable() do\n"
    "    cluster:start(job)\n"
    "    seen = seen + 1\n"
    "  end\n"
    "  local head = queue:head()\n"
    "  if not head then return end\n"
    "  local plan = cluster:reserve(head)\n"
    "  for job in queue:backfillable(plan) do\n"
    "    cluster:start(job)\n"
    "  end\n"
    "end }\n";
const std::string kTrace =
    "; MaxProcs: 10\n"
    "1 0 -1 6 6 -1 -1 6 6 -1 1 1 1 -1 -1 -1 -1 -1\n"
    "2 0 -1 7 3 -1 -1 3 7 -1 1 1 1 -1 -1 -1 -1 -1\n"
    "3 0 -1 5 8 -1 -1 8 5 -1 1 2 1 -1 -1 -1 -1 -1\n"
    "4 1 -1 4 2 -1 -1 2 4 -1 1 2 1 -1 -1 -1 -1 -1\n"
    "5 1 -1 4 4 -1 -1 4 4 -1 1 3 1 -1 -1 -1 -1 -1\n"
    "6 2 -1 2 8 -1 -1 8 2 -1 1 3 1 -1 -1 -1 -1 -1\n"
    "7 3 -1 7 1 -1 -1 1 7 -1 1 4 1 -1 -1 -1 -1 -1\n";

struct Ended {
  std::string text;
  int code;
};

// A session of these commands, one a line.
Ended session(const std::string& commands, const std::string& policy = kPolicy,
              const std::function<bool()>& interrupted = {}) {
  const test::ScratchFolder folder;
  const auto path = folder.path();
  std::ofstream(path / "mine.lua") << policy;
  std::ofstream(path / "seven.swf") << kTrace;
  study::Scenario scenario;
  scenario.workload.trace = (path / "seven.swf").string();
  scenario.policies.push_back({(path / "mine.lua").string(), {}, {}});
  auto workload = study::prepare_workload(scenario, {}, test::unlimited());
  const study::PreparedPoint prepared(std::move(scenario), std::move(workload));
  const auto library = study::PolicyLibrary::standard();
  const auto load = [&](study::DebugSetup::LineSink line) {
    study::LoadingOptions loading;
    loading.line = std::move(line);
    auto loaded =
        std::move(study::load_policies(prepared.scenario, library, loading).front());
    if (loaded->failure.code != 0) {
      throw Error(static_cast<ErrorCode>(loaded->failure.code), loaded->failure.text);
    }
    return loaded;
  };
  std::istringstream in(commands);
  std::ostringstream out;
  const auto next = [&]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;
    return line;
  };
  const int code = study::debug({prepared, load, next, out, true, interrupted});
  return {out.str(), code};
}

std::string shown(const std::string& commands) { return session(commands).text; }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What follows the last line that holds this command.
std::string after_last(const std::string& text, const std::string& command) {
  const auto at = text.rfind("> " + command + "\n");
  REQUIRE(at != std::string::npos);
  return text.substr(at + command.size() + 3);
}

}  // namespace

TEST_SUITE("study/debug session") {
  TEST_CASE("a session stops at the first pass and shows the machine and its jobs") {
    CHECK(shown("machine\nqueue\nrunning\nplan\nbook\njob 3\nwhy 3\nwhy 1\n") ==
          "t=0 pass 1\n"
          "> machine\n"
          "1 of 10 processors idle, 2 jobs run, 1 wait; pass 1 at 0\n"
          "> queue\n"
          "  job 3: size 8, walltime 5, since 0\n"
          "> running\n"
          "  job 1: size 6, since 0, expected to end at 6\n"
          "  job 2: size 3, since 0, expected to end at 7\n"
          "> plan\n"
          "  job 3 starts at 7, 2 processors spare\n"
          "> book\n"
          "the policy keeps no book\n"
          "> job 3\n"
          "job 3 is waiting: size 8, walltime 0:00:05, submitted at 0, user 2\n"
          "> why 3\n"
          "no room: 8 asked, 1 idle\n"
          "  it would start with size 1\n"
          "> why 1\n"
          "job 1 is running: size 6, walltime 0:00:06, submitted at 0, user 1, started "
          "at "
          "0, planned to end at 6\n");
  }

  TEST_CASE("it goes on by events, actions and passes, to times and to breakpoints") {
    const auto text = shown(
        "step\nnext\npass\nuntil 6\nbreak job 3 start\ncontinue\ndelete\n"
        "break job 6 end\ncontinue\ndelete 1\ncontinue\ncontinue\n");
    CHECK(has(text, "> step\nt=1 job 4 is submitted: size 2, walltime 4\n"));
    CHECK(has(text, "> next\nt=1 a plan: job 3 at 7, 2 spare\n"));
    CHECK(has(text, "> until 6\nt=6 pass "));
    CHECK(has(text, "breakpoint 1: job 3 start\n> continue\nt=7 job 3 starts\n"));
    CHECK(has(text, "breakpoint 1: job 6 end\n> continue\nt="));
    CHECK(has(text, " job 6 ends\n> delete 1\n> continue\nt="));
    CHECK(has(text,
              " the run is over\n> continue\n"
              "the run is over: back, goto or quit\n"));
  }

  TEST_CASE("back and goto come to the same place, with the same answers again") {
    const std::string look = "machine\nqueue\nrunning\nplan\nwhy 4\nrecord 5\n";
    const auto text = shown("goto 6\n" + look + "pass\npass\nback 2\n" + look);
    const auto first = text.find("> goto 6\n");
    const auto away = text.find("> pass\n");
    const auto again = text.find("> back 2\n");
    REQUIRE(again != std::string::npos);
    CHECK(text.substr(first + 9, away - first - 9) == text.substr(again + 9));
    // And forward again as before.
    const auto to_end = shown("goto 6\npass\nmachine\n");
    const auto over = shown("goto 6\ncontinue\ngoto 6\npass\nmachine\n");
    CHECK(after_last(to_end, "pass") == after_last(over, "pass"));
  }

  TEST_CASE("an expression reads, and what it spoils is undone") {
    const auto text = shown(
        "print cluster:idle()\nprint count, queue:length()\n"
        "print (function() count = 100 return count end)()\npass\nprint count\n"
        "print cluster:start(queue:head())\nprint nothing.at.all\nprint\n");
    CHECK(has(text, "> print cluster:idle()\n1\n"));
    CHECK(has(text, "> print count, queue:length()\n1  1\n"));
    CHECK(has(text, "return count end)()\n100\n"));
    CHECK(has(text, "> print count\n2\n"));
    CHECK(has(text, "start: an expression looks at the run and changes nothing\n"));
    CHECK(has(text, "> print nothing.at.all\nattempt to index a nil value"));
    CHECK(has(after_last(text, "print"), "print what?"));
  }

  TEST_CASE("a breakpoint at a line shows its local variables") {
    const auto text = shown(
        "break mine.lua:11\ncontinue\nline\nlocals\nprint head.size\n"
        "print seen\ncontinue\nlocals\n");
    CHECK(has(text, "breakpoint 1: mine.lua:11\n> continue\nt=1 mine.lua:11\n"));
    CHECK(has(text, "> line\nmine.lua:11    local plan = cluster:reserve(head)\n"));
    CHECK(has(text, "  head = job 3\n"));
    CHECK(has(text, "> print head.size\n8\n"));
  }

  TEST_CASE("a breakpoint waits for a pass or for an expression") {
    CHECK(has(shown("break pass 4\ncontinue\n"), "> continue\nt=3 pass 4\n"));
    CHECK(has(shown("break when cluster:idle() == 0\ncontinue\nmachine\n"),
              "0 of 10 processors idle"));
  }

  TEST_CASE("what is wrong is told, and the session goes on") {
    const auto ended = session(
        "stpe\njob 99\njob x\nbreak mine.lua:8\nbreak none.lua:1\nbreak job 1 middle\n"
        "break nowhere\nback\nuntil soon\nqueue by_size\ndelete 3\n# a comment\n\n"
        "machine\n");
    CHECK(ended.code == 2);
    const auto& text = ended.text;
    CHECK(has(text, "there is no command 'stpe' (did you mean 'step'?)"));
    CHECK(has(text, "there is no job 99 in this run"));
    CHECK(has(text, "job: 'x' is no whole number"));
    CHECK(has(text, "mine.lua:8 holds no code; line 9 does"));
    CHECK(has(text, "the policy has no file 'none.lua': mine.lua"));
    CHECK(has(text, "break takes: job 7"));
    CHECK(has(text, "there is no pass before the first"));
    CHECK(has(text, "until: 'soon' is no time"));
    CHECK(has(text, "there is no order 'by_size'"));
    CHECK(has(text, "there is no breakpoint 3"));
    CHECK(has(text, "> machine\n1 of 10 processors idle"));
    CHECK(session("machine\n").code == 0);
  }

  TEST_CASE("an error of the policy leaves the session at its place") {
    auto policy = kPolicy;
    policy.insert(policy.find("  local head"),
                  "  if count == 3 then error('three') end\n");
    const auto text = session("continue\nmachine\nback\nmachine\n", policy).text;
    CHECK(has(text, "mine.lua:9: three"));
    CHECK(has(text, "the run ended with an error\n> machine\n"));
    CHECK(has(text, "> back\nt=1 pass 2\n"));
  }

  TEST_CASE("Ctrl-C in the middle of continue comes back to the prompt") {
    bool asked = false;
    const auto once = [&] {
      if (asked) return interrupt_requested();
      asked = true;
      request_interrupt();
      return interrupt_requested();
    };
    // At the first record of the run; then the prompt, and on to the end.
    const auto text = session("machine\ncontinue\n", kPolicy, once).text;
    CHECK(has(text, "t=0 job 1 is submitted: size 6, walltime 6\n> machine\n"));
    CHECK(has(text, "the run is over\n"));
    CHECK_FALSE(interrupt_requested());
  }
}
