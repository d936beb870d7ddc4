#pragma once
// A source that unpacks gzip data and passes other data through unchanged.
//
// The format is detected by the first two bytes.  Concatenated members form one text;
// zero bytes may follow the last member (RFC 1952).
//
// Memory       about 100 KB, whatever the data
// Units        one for each 16 bytes of gzip data

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/budget.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth {

class GzipSource final : public ByteSource {
 public:
  // `name` is the file as the user typed it, for messages.
  // REQUIRES: `compressed` and the budget outlive this source.
  GzipSource(ByteSource& compressed, std::string name, Budget& budget);
  ~GzipSource() override;

  // Throws Error{kInput} with an approximate line number if a member is truncated or
  // corrupt, after all data before that place was returned.
  std::size_t read(char* to, std::size_t capacity) override;

 private:
  class Inflater;

  void look_at_magic();
  std::size_t pass_through(char* to, std::size_t capacity);

  ByteSource& compressed_;
  Budget& budget_;
  std::string name_;
  bool looked_ = false;
  std::string head_;  // bytes read to detect the format, if it is not gzip
  std::unique_ptr<Inflater> inflater_;  // nullptr unless gzip
};

}  // namespace berth
