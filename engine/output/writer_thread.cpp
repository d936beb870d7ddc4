#include "engine/output/writer_thread.hpp"

#include <system_error>
#include <utility>

namespace berth {

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool WriterThread::has_thread() {
  if (thread_.joinable() || is_refused_) return !is_refused_;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    is_refused_ = true;
  }
  return !is_refused_;
}

void WriterThread::post(Task task) {
  if (!has_thread()) return task();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || failure_; });
    throw_on();
    waiting_.push_back(std::move(task));
  }
  changed_.notify_all();
}

void WriterThread::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [this] { return (waiting_.empty() && !is_at_work_) || failure_; });
  throw_on();
}

void WriterThread::throw_on() {
  if (failure_) std::rethrow_exception(failure_);
}

void WriterThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    is_at_work_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    is_at_work_ = false;
    if (failure) {
      failure_ = failure;
      waiting_.clear();
    }
    changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace berth
