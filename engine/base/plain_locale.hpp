#pragma once
// The calling thread in the "C" locale as long as this lives: numbers are written and
// read, texts compared and letters told apart in one way on every machine.

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
