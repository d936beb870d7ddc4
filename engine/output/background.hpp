#pragma once
// A thread of its own for pieces of work that nobody waits for: writing results while
// the run goes on.
//
// Order        Pieces are done one by one, in the order in which they were posted.
// Errors       What a piece throws is thrown on by the next post() or finish(); the
//              pieces behind it are not done.
// Memory       A few pieces wait at most: post() then waits for one to be done.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace berth {

class Background {
 public:
  using Piece = std::function<void()>;

  Background() = default;
  // Pieces that have not begun are not done.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // The thread starts with the first piece.
  void post(Piece piece);
  // Returns when all pieces are done.
  void finish();

 private:
  void run();
  void throw_on();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> waiting_;
  bool is_at_work_ = false;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace berth
