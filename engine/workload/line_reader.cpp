#include "engine/workload/line_reader.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"

namespace berth {

namespace {

constexpr std::size_t kBufferSize = std::size_t{256} * 1024;

}  // namespace

LineReader::LineReader(ByteSource& source, std::string name, Budget& budget)
    : source_(source), budget_(budget), name_(std::move(name)), buffer_(kBufferSize) {}

void LineReader::skip_mark() {
  has_begun_ = true;
  // Bounded: four bytes at most.
  while (end_ < 4 && refill()) {
  }
  begin_ = searched_ = byte_order_mark({buffer_.data(), end_}, name_);
}

std::optional<std::string_view> LineReader::next() {
  if (!has_begun_) skip_mark();
  // Bounded: one line at most; take() charges for it.
  while (true) {
    const char* from = buffer_.data() + searched_;
    if (const void* found = std::memchr(from, '\n', end_ - searched_)) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(found) -
                                                   (buffer_.data() + begin_));
      return take(length, length + 1);
    }
    searched_ = end_;
    if (refill()) continue;
    if (begin_ == end_) return std::nullopt;
    cut_short_ = true;
    return take(end_ - begin_, end_ - begin_);
  }
}

bool LineReader::refill() {
  budget_.poll();
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    searched_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) too_long(number_ + 1);
  const std::size_t count = source_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  return count > 0;
}

std::string_view LineReader::take(std::size_t length, std::size_t with_end) {
  ++number_;
  budget_.charge_each(1 + length / 16);
  std::string_view line(buffer_.data() + begin_, length);
  begin_ += with_end;
  searched_ = begin_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.size() > kLongestLine) too_long(number_);
  return line;
}

void LineReader::too_long(std::int64_t number) const {
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}:{}: the line is longer than {} bytes; is this an SWF file?",
                  printable_name(name_), number, kLongestLine));
}

std::function<std::optional<std::string_view>()> lines_of(ByteSource& source,
                                                          std::string name,
                                                          Budget& budget) {
  const auto lines = std::make_shared<LineReader>(source, std::move(name), budget);
  return [lines] { return lines->next(); };
}

}  // namespace berth
