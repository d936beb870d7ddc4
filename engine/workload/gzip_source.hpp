#pragma once
// A source that unpacks gzip and passes anything else through.
//
// What it is, is told by the first two bytes, never by a file name.  Several members
// one after the other are one text, and zero bytes may follow the last (RFC 1952).
//
// Cost  Memory is bounded, whatever the data: about 100 KB.

#include <cstdint>
#include <memory>
#include <string>

#include "engine/workload/byte_source.hpp"

namespace berth {

class GzipSource final : public ByteSource {
 public:
  // `name` is the file as the user typed it, for messages.
  // REQUIRES: `packed` outlives this source.
  GzipSource(ByteSource& packed, std::string name);
  ~GzipSource() override;

  // Throws Error{kInput} where the data end inside a member or are damaged, naming the
  // line about which that is.  Everything before that place has been given by then.
  std::size_t read(char* to, std::size_t capacity) override;

 private:
  class Inflater;

  void look_at_magic();
  std::size_t pass_through(char* to, std::size_t capacity);

  ByteSource& packed_;
  std::string name_;
  bool looked_ = false;
  std::string head_;  // what was read to tell the format, when it is not gzip
  std::unique_ptr<Inflater> inflater_;  // only for gzip
};

}  // namespace berth
