#pragma once
// Work of a library that cannot be stopped, in a process that can.

#include <sys/types.h>

#include <functional>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth::pack {

// A child process that answers one question after another.  It is forked at the first
// and ends with this object, with the thread that asked, or by an exception of ask();
// the next question forks another.  What it changes is lost to this process.
//
// One thread at a time.  In a process that was forked by others meanwhile the first
// question forks a child of its own.
class SolverChild {
 public:
  using Numbers = std::vector<double>;
  using Work = std::function<Numbers(const Numbers& question)>;

  explicit SolverChild(Work work) : work_(std::move(work)) {}
  ~SolverChild() { end(); }
  SolverChild(const SolverChild&) = delete;
  SolverChild& operator=(const SolverChild&) = delete;

  // What the work returns, in the child, for this question.  The budget is polled while
  // it lasts; where that throws, the child is killed first.  Throws std::bad_alloc
  // where the child runs out of memory, Error{kMemory} if the system refuses a process
  // or a socket, Error{kDefect} if the child dies otherwise.
  // Cost: a round trip through a socket, at first also a fork, which copies no memory.
  [[nodiscard]] Numbers ask(const Numbers& question, const Budget& budget);

 private:
  [[nodiscard]] bool is_ours() const;
  void begin();
  void end();
  void wait(int options);
  [[noreturn]] void throw_status() const;

  Work work_;
  int socket_ = -1;
  pid_t pid_ = 0;    // 0: there is none, or it has been waited for
  pid_t owner_ = 0;  // that forked it
  int status_ = 0;
};

}  // namespace berth::pack
