// In place of engine/workload/gzip_source.cpp: a browser unpacks by itself.

#include "engine/workload/gzip_source.hpp"

#include <utility>

namespace berth {

class GzipSource::Inflater {};

GzipSource::GzipSource(ByteSource& compressed, std::string name, Budget& budget)
    : compressed_(compressed), budget_(budget), name_(std::move(name)) {}

GzipSource::~GzipSource() = default;

// The page has unpacked the file.
std::size_t GzipSource::read(char* to, std::size_t capacity) {
  return compressed_.read(to, capacity);
}

}  // namespace berth
