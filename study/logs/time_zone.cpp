#include "study/logs/time_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

constexpr std::int64_t kDaySeconds = 86'400;
constexpr int kLastYear = 5200;  // beyond the latest time of a log

[[noreturn]] void refuse_zone(std::string_view name, std::string_view what) {
  throw Error(ErrorCode::kInput,
              fmt::format("time zone '{}': {}", printable(name), what));
}

// Numbers and texts from the front of a file, big-endian.
class ZoneBytes {
 public:
  ZoneBytes(std::string_view bytes, std::string_view name)
      : bytes_(bytes), name_(name) {}

  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) refuse_zone(name_, "its file ends early");
    const auto part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  std::int64_t number(std::size_t width) {
    std::uint64_t value = 0;
    for (const char byte : take(width)) {
      value = value << 8U | static_cast<unsigned char>(byte);
    }
    if (width == 4) {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    }
    return static_cast<std::int64_t>(value);
  }
  std::size_t count() {
    constexpr std::int64_t kMostOfZone = 100'000;
    const auto value = number(4);
    if (value < 0 || value > kMostOfZone) refuse_zone(name_, "its file is damaged");
    return static_cast<std::size_t>(value);
  }
  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
  std::string_view name_;
};

struct ZoneCounts {
  std::size_t utc, standard, leaps, times, types, letters;
};

ZoneCounts zone_head(ZoneBytes& bytes, std::string_view name) {
  if (bytes.take(4) != "TZif") refuse_zone(name, "its file is no TZif file");
  const char version = bytes.take(1).front();
  if (version < '2') refuse_zone(name, "its file is of version 1, which ends in 2038");
  (void)bytes.take(15);
  ZoneCounts counts{};
  for (auto* each : {&counts.utc, &counts.standard, &counts.leaps, &counts.times,
                     &counts.types, &counts.letters}) {
    *each = bytes.count();
  }
  return counts;
}

// The rule for the years to come: "CET-1CEST,M3.5.0,M10.5.0/3".
class ZoneFooter {
 public:
  ZoneFooter(std::string_view text, std::string_view name) : text_(text), name_(name) {
    if (text_.empty()) return;
    skip_name();
    standard_ = -offset();
    summer_ = standard_;
    if (text_.empty()) return;
    skip_name();
    summer_ = text_.empty() || text_.front() == ',' ? standard_ + 3600 : -offset();
    begin_ = rule();
    end_ = rule();
    has_summer_ = true;
  }

  void add_changes(std::vector<ZoneRules::Change>& changes) const {
    if (!has_summer_) return;
    const auto last = changes.empty() ? 0 : changes.back().at;
    const auto year_of = [](std::int64_t at) {
      const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(
          std::chrono::sys_seconds(std::chrono::seconds(at)))};
      return static_cast<int>(date.year());
    };
    for (int year = year_of(last); year <= kLastYear; ++year) {
      std::vector<ZoneRules::Change> both{{begin_.at(year) - standard_, summer_},
                                          {end_.at(year) - summer_, standard_}};
      if (both[1].at < both[0].at) std::swap(both[0], both[1]);
      for (const auto& change : both) {
        if (changes.empty() || change.at > changes.back().at) changes.push_back(change);
      }
    }
  }

 private:
  struct YearRule {
    char kind = 'M';  // month, week and day; J: day without 29 February; 0: day of year
    int month = 0, week = 0, day = 0;
    std::int64_t time = 7200;

    // Seconds of the local clock from 1970.
    [[nodiscard]] std::int64_t at(int year) const {
      namespace chr = std::chrono;
      const chr::year of_year{year};
      chr::sys_days date = of_year / chr::January / 1;
      if (kind == 'M') {
        const chr::month of_month{static_cast<unsigned>(month)};
        const chr::weekday weekday{static_cast<unsigned>(day)};
        date = week == 5 ? chr::sys_days(of_year / of_month / weekday[chr::last])
                         : chr::sys_days(of_year / of_month /
                                         weekday[static_cast<unsigned>(week)]);
      } else {
        const bool skips_leap_day = kind == 'J' && of_year.is_leap() && day > 59;
        date += chr::days(kind == 'J' ? day - 1 + (skips_leap_day ? 1 : 0) : day);
      }
      return std::int64_t{date.time_since_epoch().count()} * kDaySeconds + time;
    }
  };

  [[noreturn]] void wrong() const {
    refuse_zone(name_, "the rule at the end of its file is none");
  }
  bool take(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  int whole(int least, int most) {
    int value = 0;
    const auto [at, code] =
        std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (code != std::errc() || value < least || value > most) wrong();
    text_.remove_prefix(static_cast<std::size_t>(at - text_.data()));
    return value;
  }
  void skip_name() {
    const bool is_quoted = take('<');
    const auto end = is_quoted ? text_.find('>') : text_.find_first_of("+-,0123456789");
    if (is_quoted && end == text_.npos) wrong();
    text_.remove_prefix(std::min(end, text_.size()));
    if (is_quoted) text_.remove_prefix(1);
  }
  // [+-]hh[:mm[:ss]], in seconds.
  std::int32_t offset() {
    const int sign = take('-') ? -1 : (void(take('+')), 1);
    int value = whole(0, 167) * 3600;
    if (take(':')) value += whole(0, 59) * 60;
    if (take(':')) value += whole(0, 59);
    return sign * value;
  }
  YearRule rule() {
    YearRule made;
    if (!take(',')) wrong();
    if (take('M')) {
      made.month = whole(1, 12);
      if (!take('.')) wrong();
      made.week = whole(1, 5);
      if (!take('.')) wrong();
      made.day = whole(0, 6);
    } else {
      made.kind = take('J') ? 'J' : '0';
      made.day = whole(made.kind == 'J' ? 1 : 0, 365);
    }
    if (take('/')) made.time = offset();
    return made;
  }

  std::string_view text_;
  std::string_view name_;
  std::int32_t standard_ = 0;
  std::int32_t summer_ = 0;
  YearRule begin_;
  YearRule end_;
  bool has_summer_ = false;
};

}  // namespace

ZoneRules zone_of_file(std::string_view bytes, std::string_view name) {
  ZoneBytes file(bytes, name);
  const auto old = zone_head(file, name);
  (void)file.take(old.times * 5 + old.types * 6 + old.letters + old.leaps * 8 +
                  old.standard + old.utc);
  const auto counts = zone_head(file, name);
  std::vector<ZoneRules::Change> changes(counts.times);
  for (auto& change : changes) change.at = file.number(8);
  const auto types = file.take(counts.times);
  std::vector<std::int32_t> offsets(counts.types);
  for (auto& offset : offsets) {
    offset = static_cast<std::int32_t>(file.number(4));
    (void)file.take(2);
    if (offset <= -kDaySeconds || offset >= kDaySeconds) {
      refuse_zone(name, "its file is damaged");
    }
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto type = static_cast<unsigned char>(types[i]);
    const bool ascends = i == 0 || changes[i - 1].at < changes[i].at;
    if (type >= offsets.size() || !ascends) refuse_zone(name, "its file is damaged");
    changes[i].offset = offsets[type];
  }
  (void)file.take(counts.letters + counts.leaps * 12 + counts.standard + counts.utc);
  auto rule = file.rest();
  if (rule.starts_with('\n')) rule.remove_prefix(1);
  rule = rule.substr(0, rule.find('\n'));
  ZoneFooter(rule, name).add_changes(changes);
  return {offsets.empty() ? 0 : offsets.front(), std::move(changes)};
}

ZoneRules time_zone(const std::string& name) {
  if (name.empty() || name == "UTC") return ZoneRules{};
  if (name.front() == '+' || name.front() == '-') {
    const auto number = [&](std::size_t at) {
      int value = -1;
      std::from_chars(name.data() + at, name.data() + at + 2, value);
      return value;
    };
    const bool has_form = name.size() == 6 && name[3] == ':';
    const int hours = has_form ? number(1) : -1;
    const int minutes = has_form ? number(4) : -1;
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
      refuse_zone(name, "an offset is +HH:MM or -HH:MM");
    }
    return ZoneRules((hours * 60 + minutes) * (name.front() == '-' ? -60 : 60));
  }
  const bool leaves = name.find("..") != std::string::npos || name.front() == '/';
  const auto path = "/usr/share/zoneinfo/" + name;
  std::error_code failed;
  if (leaves || !std::filesystem::is_regular_file(path, failed)) {
    refuse_zone(name,
                "the system has no such zone; name one such as Europe/Vienna, or an "
                "offset such as +01:00");
  }
  return zone_of_file(read_bytes(path), name);
}

}  // namespace berth::study
