#pragma once
// A thread that writes results while the run goes on.
//
// Order        Tasks are done one by one, in the order in which they were posted.
// Errors       What a task throws, the next post() or finish() throws; later tasks are
//              dropped.
// Memory       At most kMostWaiting tasks wait; with as many post() blocks until one
//              begins.
// Threads      post() and finish() belong to one thread.  Where the system gives no
//              thread, post() does the task.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace berth {

class WriterThread {
 public:
  static constexpr std::size_t kMostWaiting = 4;
  using Task = std::function<void()>;

  WriterThread() = default;
  // Drops the tasks that have not begun.
  ~WriterThread();
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  // The thread starts with the first task.
  void post(Task task);
  // Returns when all tasks are done.
  void finish();

 private:
  [[nodiscard]] bool has_thread();
  void run();
  void throw_on();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  bool is_at_work_ = false;
  bool is_refused_ = false;  // the thread, by the system
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace berth
