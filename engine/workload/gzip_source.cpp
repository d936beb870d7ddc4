#include "engine/workload/gzip_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

constexpr std::string_view kMagic = "\x1f\x8b";
constexpr int kGzipOnly = 16 + MAX_WBITS;
constexpr std::size_t kStep = std::size_t{1} << 30U;  // zlib counts in 32 bits

std::int64_t lines_in(const char* text, std::size_t length) {
  std::int64_t lines = 0;
  const char* const end = text + length;
  // Bounded: by the data, for which refill() charges.
  while (const auto* at =
             std::memchr(text, '\n', static_cast<std::size_t>(end - text))) {
    ++lines;
    text = static_cast<const char*>(at) + 1;
  }
  return lines;
}

}  // namespace

class GzipSource::Inflater {
 public:
  Inflater(ByteSource& compressed, Budget& budget, std::string_view name,
           std::string_view head)
      : compressed_(compressed), budget_(budget), name_(name) {
    std::copy(head.begin(), head.end(), input_.begin());
    set_input(head.size());
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t capacity) {
    const std::size_t wanted = std::min(capacity, kStep);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(wanted);
    // Bounded: by the data, for which refill() charges.
    while (stream_.avail_out == wanted && !ended_ && !fault_) step();
    const std::size_t made = wanted - stream_.avail_out;
    lines_ += lines_in(to, made);
    if (made == 0 && fault_) fail();
    return made;
  }

 private:
  void step() {
    if (stream_.avail_in == 0) refill();
    if (between_members_ && !begin_member()) return;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    switch (outcome) {
      case Z_OK: return;
      case Z_STREAM_END: between_members_ = true; return;
      case Z_MEM_ERROR: throw std::bad_alloc();
      case Z_BUF_ERROR:
        if (!input_ended_) return;
        fault_ = "ends early";
        return;
      default: fault_ = "is damaged";
    }
  }

  // Skips padding.  False: the input buffer is empty.
  bool begin_member() {
    // Bounded: by the buffer, for which refill() charges.
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) {
      ended_ = input_ended_;
      return false;
    }
    between_members_ = false;
    inflateReset(&stream_);
    return true;
  }

  void refill() {
    const auto count = compressed_.read(input_.data(), input_.size());
    budget_.charge_each(1 + count / 16);
    set_input(count);
  }

  void set_input(std::size_t count) {
    input_ended_ = count == 0;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: the gzip data {} (after about line {})",
                            printable_name(name_), fault_, lines_));
  }

  ByteSource& compressed_;
  Budget& budget_;
  std::string name_;
  z_stream stream_{};
  std::array<char, 65536> input_{};
  bool input_ended_ = false;
  bool between_members_ = false;
  bool ended_ = false;
  const char* fault_ = nullptr;  // reported once all data before it was returned
  std::int64_t lines_ = 0;
};

GzipSource::GzipSource(ByteSource& compressed, std::string name, Budget& budget)
    : compressed_(compressed), budget_(budget), name_(std::move(name)) {}

GzipSource::~GzipSource() = default;

std::size_t GzipSource::read(char* to, std::size_t capacity) {
  if (!looked_) look_at_magic();
  return inflater_ ? inflater_->read(to, capacity) : pass_through(to, capacity);
}

void GzipSource::look_at_magic() {
  looked_ = true;
  std::array<char, 2> bytes{};
  // Bounded: two bytes at most.
  while (head_.size() < bytes.size()) {
    const std::size_t count =
        compressed_.read(bytes.data(), bytes.size() - head_.size());
    if (count == 0) return;
    head_.append(bytes.data(), count);
  }
  if (head_ != kMagic) return;
  inflater_ = std::make_unique<Inflater>(compressed_, budget_, name_, head_);
}

std::size_t GzipSource::pass_through(char* to, std::size_t capacity) {
  if (head_.empty()) return compressed_.read(to, capacity);
  const std::size_t count = std::min(capacity, head_.size());
  std::memcpy(to, head_.data(), count);
  head_.erase(0, count);
  return count;
}

}  // namespace berth
