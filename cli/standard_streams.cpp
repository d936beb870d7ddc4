#include "cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace berth::cli {

void open_missing_streams() {
  for (int number = 0; number <= 2; ++number) {
    if (::fcntl(number, F_GETFD) == -1 && errno == EBADF) {
      // The lowest free number is this one.
      if (::open("/dev/null", O_RDWR) != number) return;
    }
  }
}

bool shows_progress() {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) == 1 && !dumb && std::getenv("NO_COLOR") == nullptr;
}

StandardOutput::int_type StandardOutput::overflow(int_type next) {
  write_out();
  if (traits_type::eq_int_type(next, traits_type::eof())) return 0;
  *pptr() = traits_type::to_char_type(next);
  pbump(1);
  return next;
}

int StandardOutput::sync() {
  write_out();
  return 0;
}

void StandardOutput::write_out() {
  const char* at = pbase();
  while (at < pptr() && !closed_) {
    const auto written =
        ::write(STDOUT_FILENO, at, static_cast<std::size_t>(pptr() - at));
    if (written >= 0) {
      at += written;
    } else if (errno != EINTR) {
      closed_ = true;
      if (errno != EPIPE) problem_ = std::strerror(errno);
    }
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

}  // namespace berth::cli
