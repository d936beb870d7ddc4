#pragma once
// Scope guard: sets the "C" locale for the calling thread and restores the previous
// one.  Numbers are formatted and parsed, and text is compared, the same on every
// machine.

#include <locale.h>

namespace berth {

class PlainLocale {
 public:
  PlainLocale() : before_(uselocale(plain())) {}
  ~PlainLocale() { uselocale(before_); }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  static locale_t plain() {
    static const locale_t kPlain = newlocale(LC_ALL_MASK, "C", nullptr);
    return kPlain;
  }
  locale_t before_;
};

}  // namespace berth
