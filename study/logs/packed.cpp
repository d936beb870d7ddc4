#include "study/logs/packed.hpp"

#include <zlib.h>

#include <array>

#include "engine/base/error.hpp"

namespace berth::study {

namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: a gzip header, which then has no time
constexpr int kMemoryLevel = 8;

class GzipWriter final : public Sink {
 public:
  explicit GzipWriter(Sink& sink) : sink_(sink) {
    const int code = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                  kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY);
    BERTH_ASSERT(code == Z_OK);
  }
  ~GzipWriter() override { deflateEnd(&stream_); }
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void write(std::string_view text) override { compress(text, Z_NO_FLUSH); }
  void finish() { compress({}, Z_FINISH); }

 private:
  void compress(std::string_view text, int flush) {
    stream_.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(compressed_.data());
      stream_.avail_out = static_cast<uInt>(compressed_.size());
      deflate(&stream_, flush);
      const auto compressed = compressed_.size() - stream_.avail_out;
      if (compressed > 0) sink_.write({compressed_.data(), compressed});
    } while (stream_.avail_out == 0);
  }

  Sink& sink_;
  z_stream stream_{};
  std::array<char, 65536> compressed_{};
};

}  // namespace

Compression compression_of(std::string_view name) {
  return name.size() > 3 && name.ends_with(".gz") ? Compression::kGzip
                                                  : Compression::kPlain;
}

void write_packed(Sink& sink, Compression compression,
                  const std::function<void(Sink&)>& write) {
  if (compression == Compression::kPlain) return write(sink);
  GzipWriter writer(sink);
  write(writer);
  writer.finish();
}

}  // namespace berth::study
